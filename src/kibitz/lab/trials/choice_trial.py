"""A choice: the move of an agent in a position."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from kibitz.agents import build
from kibitz.core.errors import BadValue
from kibitz.core.spec import Spec, parse
from kibitz.core.table import Table
from kibitz.games import find
from kibitz.lab.fact import Fact, exact
from kibitz.lab.judging import TrialRun
from kibitz.lab.trials.trial import Trial, TrialSetup
from kibitz.lab.validation import Agents, Text, list_of, text

MOST_NAMED = 3  # moves that a row lists


@dataclass(frozen=True)
class ChoiceTrial(Trial):
    """A position, the agents that are asked, and the moves that a document shows or calls right."""

    game: Text
    position: Text
    agents: Agents
    expected: Annotated[Sequence[str], list_of(text, 1)]

    @property
    def size(self) -> dict[str, int]:
        """A move for each agent that is asked, with each seed."""
        return {"moves": len(self.agents) * self.streams}

    def _table(self, seed: int) -> Table:
        spec = parse(self.game)
        game = find(str(Spec(spec.name, {**spec.args, "position": Spec(self.position)})))
        return Table(game, seed)

    def _expected(self, table: Table) -> list[str]:
        """Return the expected moves as the game writes them."""
        view, moves = table.view(table.turn), table.moves()
        return list(dict.fromkeys(table.game.write(view, table.game.read(view, moves, move)) for move in self.expected))

    def check(self) -> None:
        """Refuse positions that cannot be read, moves that are not legal there, and a list of all legal moves."""
        table = self._table(1)
        legal = len(table.moves())
        if len(self._expected(table)) == legal:
            raise BadValue(
                f"expected lists {'the only legal move' if legal == 1 else f'all {legal} legal moves'}, so that no "
                "agent can be wrong; list those that the document calls right"
            )
        for agent in self.agents.values():
            build(agent, table.game, 1)

    def facts(self, setup: TrialSetup) -> list[Fact]:
        """Return the move of every agent with the first seed."""
        return self._asked(setup.seeds(self)[0])

    def run(self, setup: TrialSetup) -> TrialRun:
        """Ask every agent for its move, with every seed; it agrees if all of its moves are expected."""
        seeds = setup.seeds(self)
        alone = [self._asked(seed) for seed in seeds]
        whole = [
            exact(row[0].what, str(row[0].published), _listed([str(one.measured) for one in row]),
                  all(one.agrees for one in row))
            for row in zip(*alone, strict=True)
        ]  # fmt: skip
        return TrialRun(self.about(seeds=tuple(seeds)), whole, alone if len(alone) > 1 else [], why=self.why)

    def _asked(self, seed: int) -> list[Fact]:
        table = self._table(seed)
        view, right = table.view(table.turn), self._expected(table)
        found = []
        for name, agent in self.agents.items():
            move = table.game.write(view, build(agent, table.game, seed).decide(view).move)
            said = f"{_listed(right)} (of {len(table.moves())} legal moves)"
            found.append(exact(f"{name} plays", said, move, move in right))
        return found


def _listed(moves: Sequence[str]) -> str:
    different = list(dict.fromkeys(moves))
    return " or ".join(different) if len(different) <= MOST_NAMED else f"one of {len(different)}"
