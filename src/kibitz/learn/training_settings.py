"""The settings of training: how a network is taught by play."""

from dataclasses import asdict, dataclass, replace
from typing import Any

from kibitz.core.errors import BadValue, UnknownName
from kibitz.core.game import Game
from kibitz.networks.net import encodings
from kibitz.networks.network_file import MOST_LAYERS, MOST_UNITS

TD, Q = "td", "q"
LEAST_ROUNDS = 32  # of a run whose positions are counted
LONGEST_GAME = 4096  # moves
WORDS = {"trace": "lambda"}  # what people call a part of a lesson, where Python cannot


@dataclass(frozen=True)
class TrainingSettings:
    """How a network is taught; two runs with the same lesson and as many positions come to the same weights."""

    encoding: str
    method: str = TD
    hidden: tuple[int, ...] = (64,)
    activation: str = "relu"
    trace: float = 0.9  # lambda: how much of what came of a game counts, against what was thought of the next position
    epsilon: float = 0.05  # how often a random move is tried
    rate: float = 0.01  # how far a step goes; it falls to a twentieth
    reuse: float = 2.0  # how often a position is learnt from, on average
    openings: int = 6  # a game begins with up to so many random moves
    longest: int = 4096  # a game ends after so many moves, with what the network thinks of it
    round: int = 16_384  # positions that are kept before they are learnt from
    first: str = "random"  # the policy that plays at the beginning; random for none
    watched: float = 0.05  # … in this part of the run; 1: the network learns what positions are worth when it plays
    against: str = ""  # the policy of all seats but one; empty: the network plays itself
    standardise: bool = False  # numbers of a dense encoding are learnt from as if their mean was 0 and their spread 1
    policy: bool = False  # teach a policy head too: which moves are good
    by: str = ""  # the agent that plays, judging by the network; empty: a look one move ahead
    seed: int = 1
    start: str = ""  # the digest of the network that it began with

    def __post_init__(self) -> None:
        sizes = all(1 <= units <= MOST_UNITS for units in self.hidden)
        if not sizes or len(self.hidden) >= MOST_LAYERS:
            raise BadValue(f"hidden layers {self.hidden}: each has 1 to {MOST_UNITS} units, and they are few")
        for name, least, most in (
            ("trace", 0, 1), ("epsilon", 0, 1), ("rate", 0, 10), ("reuse", 0, 1000), ("watched", 0, 1)
        ):  # fmt: skip
            if not least <= getattr(self, name) <= most:
                raise BadValue(f"{WORDS.get(name, name)} is {getattr(self, name)}; it must be from {least} to {most}")
        for name, least, most in (("openings", 0, 1000), ("longest", 1, LONGEST_GAME), ("round", 1, 1 << 24)):
            if not least <= getattr(self, name) <= most:
                raise BadValue(f"{name} is {getattr(self, name)}; it must be from {least} to {most}")

    @property
    def plain(self) -> dict[str, Any]:
        """The lesson as a file holds it."""
        return {**asdict(self), "hidden": list(self.hidden)}


def new_settings(game: Game, positions: int | None, **changes: Any) -> TrainingSettings:
    """Return a lesson that makes sense for a game; with few positions rounds are short."""
    if not encodings(game):
        raise BadValue(f"{game.name} has no features.py with an encoding, so there is nothing to show a network")
    usual = TrainingSettings(next(iter(encodings(game))))
    if positions is not None:
        usual = replace(usual, round=min(usual.round, max(positions // LEAST_ROUNDS, 1)))
    settings = replace(usual, **changes)
    if settings.encoding not in encodings(game):
        raise UnknownName(f"encoding of {game.name}", settings.encoding, encodings(game))
    if settings.policy and (game.moves_below is None or settings.by):
        raise BadValue("to learn which moves are good takes a game that declares MOVES_BELOW, and no search")
    if settings.standardise and encodings(game)[settings.encoding].most:
        raise BadValue(f"the encoding {settings.encoding} lists rows; only numbers can be standardised")
    return settings
