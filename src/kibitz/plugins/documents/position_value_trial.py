"""The value of a position: what evaluation functions say of it, beside the numbers that a document gives."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from kibitz.core.spec import Spec, parse
from kibitz.core.table import Table
from kibitz.core.world import World
from kibitz.games import find
from kibitz.lab.fact import Fact, exact, rounding_of
from kibitz.lab.trials.trial import Trial, TrialSetup
from kibitz.lab.validation import Text, number, table_of, whole

SLACK = 1e-9  # floats are not exact
DIGITS = 6


@dataclass(frozen=True)
class PositionValueTrial(Trial):
    """A position, and what each value is for one seat by the document."""

    game: Text
    position: Text
    seat: Annotated[int, whole(1)]
    values: Annotated[Mapping[str, float], table_of(number(), 1)]

    @property
    def size(self) -> dict[str, int]:
        """A value each."""
        return {"values": len(self.values)}

    def check(self) -> None:
        """Refuse positions, seats and values that the game does not have."""
        world = self._world()
        whole(1, world.game.seats)("seat", self.seat)
        for text in self.values:
            world.value(text)

    def _world(self) -> World:
        spec = parse(self.game)
        return World.of(Table(find(str(Spec(spec.name, {**spec.args, "position": Spec(self.position)}))), 1))

    def facts(self, setup: TrialSetup) -> list[Fact]:
        """Evaluate the position; a published number agrees if it equals ours when rounded."""
        world, found = self._world(), []
        for text, published in self.values.items():
            ours = round(world.value(text)[self.seat - 1], DIGITS)
            found.append(exact(text, published, ours, abs(ours - published) <= rounding_of(published) + SLACK))
        return found
