"""A choice: the move of an agent in a position."""

from collections.abc import Sequence
from dataclasses import dataclass

from kibitz.agents import build
from kibitz.core.spec import Spec, parse
from kibitz.core.table import Table
from kibitz.games import find
from kibitz.lab.finding import Finding
from kibitz.lab.trials.trial import Trial, TrialSetup
from kibitz.lab.validation import Agents, Choices, Seed, Text

MOST_NAMED = 3  # moves that a finding lists


@dataclass(frozen=True)
class ChoiceTrial(Trial):
    """A position, the agents that are asked, and the moves that a document shows or calls right."""

    game: Text
    position: Text
    agents: Agents
    expected: Choices
    seed: Seed = 1

    @property
    def size(self) -> dict[str, int]:
        """A move for each agent that is asked."""
        return {"moves": len(self.agents)}

    def _table(self) -> Table:
        spec = parse(self.game)
        game = find(str(Spec(spec.name, {**spec.args, "position": Spec(self.position)})))
        return Table(game, self.seed)

    def check(self) -> None:
        """Refuse positions that cannot be read and moves that are not legal there."""
        table = self._table()
        view = table.view(table.turn)
        for text in self.expected:
            table.game.read(view, table.moves(), text)
        for text in self.agents.values():
            build(text, table.game, self.seed)

    def run(self, setup: TrialSetup) -> list[Finding]:
        """Ask every agent for its move."""
        table = self._table()
        view = table.view(table.turn)
        right = [table.game.write(view, table.game.read(view, table.moves(), text)) for text in self.expected]
        found = []
        for name, text in self.agents.items():
            move = table.game.write(view, build(text, table.game, self.seed).decide(view).move)
            agrees = move in right
            why = "" if agrees else self.why
            found.append(Finding(f"{self.what}: {name} plays", _any_of(right), move, None, agrees, agrees, "", why))
        return found


def _any_of(moves: Sequence[str]) -> str:
    return " or ".join(moves) if len(moves) <= MOST_NAMED else f"one of {len(moves)} moves"
