"""The retry policy: what happens to a game in which a process was killed, and nobody knows by whom.

The game is played again. If that happens once more, the game and its block are void and do not count. A program must
not gain by killing itself: where nobody else at the table can have done it, the program is pardoned a few times and
then loses.
"""

from collections import Counter
from collections.abc import Collection
from enum import Enum

from kibitz.arena.plan.fixture import Fixture

MOST_RETRIES = 3  # of an agent in one run, if it may have killed its own process
BY_ITSELF = f"it may have done that itself, and was pardoned {MOST_RETRIES} times"


class Verdict(Enum):
    """What to do with a game."""

    AGAIN = "again"
    VOID = "void"
    LOST = "lost"


class RetryPolicy:
    """Which games of a run were played again, and how often each agent was given the benefit of the doubt."""

    def __init__(self, able: Collection[int]):
        self.able = frozenset(able)  # agents that can reach the processes of others
        self.again: set[int] = set()  # numbers of games that were played again
        self.doubts: Counter[int] = Counter()  # by agent, where it may have killed its own process

    def suspects(self, fixture: Fixture) -> list[int]:
        """Return the agents at a table that can reach the processes of others."""
        return sorted(self.able.intersection(fixture.seating))

    def judge(self, fixture: Fixture, seat: int, surely: bool) -> Verdict:
        """Judge a game that ended when a seat's process was killed; `surely`: the agent did not do it itself."""
        agent = fixture.seating[seat]
        spent = self.doubts[agent] >= MOST_RETRIES
        if not surely:
            if spent and set(self.suspects(fixture)) <= {agent}:
                return Verdict.LOST
            self.doubts[agent] += 1
        if fixture.number not in self.again and (surely or not spent):
            self.again.add(fixture.number)
            return Verdict.AGAIN
        return Verdict.VOID
