"""The settings of training by self-play."""

from dataclasses import asdict, dataclass, replace
from typing import Any

from kibitz.core.contract import UNKNOWN
from kibitz.core.errors import BadValue, UnknownName
from kibitz.core.game import Game
from kibitz.core.table import Table
from kibitz.learn.fit_options import check_hidden, check_ranges
from kibitz.networks.net import encodings
from kibitz.networks.network_file import EACH, MOVER

TD, Q = "td", "q"
CPU, GPU = DEVICES = ("cpu", "gpu")
LEAST_ROUNDS = 32  # of a run whose positions are counted
LONGEST_GAME = 4096  # moves
LOOKED_AT = 20  # plies of the game that shows what is hidden
LAMBDA = {"trace": "lambda"}  # the name that people know, which Python reserves


@dataclass(frozen=True)
class TrainingSettings:
    """How a network is trained; the same settings and number of positions give the same weights."""

    encoding: str
    method: str = TD
    hidden: tuple[int, ...] = (64,)
    activation: str = "relu"
    trace: float = 0.9  # lambda: the weight of the result against the estimate of the next position
    epsilon: float = 0.05  # the probability of a random move
    rate: float = 0.01  # the learning rate; it falls to a twentieth
    reuse: float = 2.0  # how often a position of the replay buffer is learnt from, on average
    openings: int = 6  # a game begins with 0 to `openings` random moves
    longest: int = 4096  # a game is cut off after this many moves, and its result is the network's estimate
    round: int = 16_384  # positions in the replay buffer
    first: str = "random"  # the policy that plays at the beginning; random for none
    watched: float = 0.05  # the share of the run in which `first` plays; 1: the network only evaluates its games
    against: str = ""  # the policy of all seats but one; empty: the network plays itself
    standardise: bool = False  # scale the inputs of a dense encoding to mean 0 and standard deviation 1
    policy: bool = False  # train a policy head too
    by: str = ""  # the agent that plays with the network as its value; empty: a search one move deep
    seed: int = 1
    start: str = ""  # the digest of the initial network
    device: str = CPU  # what plays and learns; on a card many games are played side by side

    def __post_init__(self) -> None:
        check_hidden(self.hidden)
        check_ranges(
            self, LAMBDA, trace=(0, 1), epsilon=(0, 1), rate=(0, 10), reuse=(0, 1000), watched=(0, 1),
            openings=(0, 1000), longest=(1, LONGEST_GAME), round=(1, 1 << 24),
        )  # fmt: skip

    @property
    def plain(self) -> dict[str, Any]:
        """The settings as a file holds them; a device that is not named is the processor."""
        found = {**asdict(self), "hidden": list(self.hidden)}
        if self.device == CPU:
            del found["device"]
        return found


_ON_CARD: dict[str, Any] = {
    "round": 1 << 18,
    "rate": 0.001,
}  # the defaults where games are played side by side; Adam learns there
# Where the defaults of a method differ from those above.
_DEFAULTS: dict[str, dict[str, Any]] = {TD: {}, Q: {"trace": 0.7, "epsilon": 0.1, "rate": 0.005, "policy": True}}


def default_settings(game: Game, positions: int | None = None, method: str = TD, **changes: Any) -> TrainingSettings:
    """Return the default settings for a game, with changes; a run of few positions has short rounds."""
    game.scoring.refuse_shared("networks learn which share of the payoff each seat gets")
    if not encodings(game):
        raise BadValue(f"{game.name} has no features.py with an encoding, so there is nothing to show a network")
    usual = TrainingSettings(next(iter(encodings(game))), method)
    if changes.get("device", CPU) != CPU:
        usual = replace(usual, **_ON_CARD)
    if positions is not None:
        usual = replace(usual, round=min(usual.round, max(positions // LEAST_ROUNDS, 1)))
    settings = replace(usual, **{**_DEFAULTS[method], **changes})
    if settings.encoding not in encodings(game):
        raise UnknownName(f"encoding of {game.name}", settings.encoding, encodings(game))
    if settings.policy and (game.moves_below is None or settings.by):
        raise BadValue("to learn which moves are good takes a game that declares MOVES_BELOW, and no search")
    if settings.device != CPU:
        _check_on_card(settings)
    if settings.standardise and encodings(game)[settings.encoding].most:
        raise BadValue(f"the encoding {settings.encoding} lists rows; only numbers can be standardised")
    return settings


def _check_on_card(settings: TrainingSettings) -> None:
    """Refuse what only a processor does."""
    if settings.device not in DEVICES:
        raise BadValue(f"there is no device {settings.device!r}; the devices are {', '.join(DEVICES)}")
    usual = TrainingSettings(settings.encoding)
    others = [
        name for name in ("by", "first", "policy", "standardise") if getattr(settings, name) != getattr(usual, name)
    ]
    if settings.method != TD or others:
        what = f"--{others[0]}" if others else "learn q"
        raise BadValue(f"{what} runs on the processor only; a graphics card does learn td without it")


def sides_of(game: Game) -> str:
    """Return whose view a network is shown: the mover's or, if the views hide different cells, each seat's.

    The first plies of one game, in which the first legal moves are made, decide.
    """
    table = Table(game, 1)
    while not table.over and table.ply < LOOKED_AT:
        views = [table.view(seat) for seat in range(game.seats)]
        if any(((views[0] == UNKNOWN) != (view == UNKNOWN)).any() for view in views):
            return EACH
        table.play(table.moves()[0])
    return MOVER
