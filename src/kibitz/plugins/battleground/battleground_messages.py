"""What the page of a battleground is sent: the ladders, and the games that are being played."""

from msgspec import Struct

from kibitz.web.scene_messages import ShownScene


class LadderEntry(Struct):
    """What one name has done; `skill` is what it is worth at least, in all likelihood."""

    name: str
    skill: float
    mu: float
    sigma: float
    games: int
    wins: int
    mean_payoff: float


class RunningGame(Struct):
    """A game that is being played, as anybody may see it."""

    number: int
    names: list[str]
    ply: int
    turn: int | None
    scene: ShownScene


class OfferedGame(Struct):
    """A game that can be played in a channel: its ladder, who waits, and the boards that are shown."""

    game: str
    seat_names: list[str]
    unit: str  # of payoffs, where they count; empty where wins do
    shared: bool  # whether all seats earn the same, so that nobody is rated
    ladder: list[LadderEntry]
    waiting: list[str]
    playing: int
    running: list[RunningGame]


class BattlegroundMessage(Struct, tag_field="type", tag="battleground"):
    """All that is shown of a channel."""

    channel: str
    games: list[OfferedGame]
