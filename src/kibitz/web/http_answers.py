"""What the server answers to HTTP requests, as JSON."""

from msgspec import Struct

from kibitz.web.scene_messages import ShownScene

Measured = float | None  # null where it was not measured, or cannot be told


class Health(Struct):
    """The answer to GET /health."""

    ok: bool
    version: str


class FailedRequest(Struct):
    """Why a request failed."""

    error: str


class Preparation(Struct):
    """How far compiling a game is: which function is being compiled, of how many, and the seconds that are left."""

    number: int = 0
    of: int = 0
    seconds_left: float = 0.0


class OptionEntry(Struct):
    """An option of a game or an agent, for a form."""

    name: str
    default: str
    help: str
    sort: str
    takes: str
    choices: list[str]
    least: float | None
    most: float | None


class AgentEntry(Struct):
    """An agent that can take a seat; `refuses` says why it cannot."""

    name: str
    help: str
    options: list[OptionEntry]
    refuses: str


class GameEntry(Struct):
    """One game of GET /api/games; `example` comes when it has been made."""

    name: str
    sentence: str
    seats: tuple[int, int]
    usual_seats: int
    options: list[OptionEntry]
    levels: dict[str, str]
    agents: list[AgentEntry]
    hidden: bool
    positions: bool
    example: ShownScene | None
    seat_names_by_seats: dict[str, list[str]]


class GameRules(Struct):
    """The answer to GET /api/games/NAME/rules."""

    name: str
    markdown: str


class PageLink(Struct):
    """One page of GET /api/pages, which a package has added."""

    title: str
    path: str


class TableEntry(Struct):
    """One table of GET /api/tables, as anybody may know it."""

    id: str
    game: str
    name: str
    ply: int
    seats: list[str]
    over: bool
    bench: bool
    read_only: bool
    created: str
    paused: bool
    watched: bool
    result: str


class CreatedTable(Struct):
    """The answer to POST /api/tables: tokens and invitations by seat, and the token of the owner."""

    id: str
    tokens: dict[str, str]
    owner: str
    invites: dict[str, str]


class ClaimedSeat(Struct):
    """The answer to POST /api/tables/ID/claim."""

    seat: int
    token: str


class OpenedTable(Struct):
    """The table that shows a record or a game of a tournament."""

    id: str


class TournamentEntry(Struct):
    """One run of GET /api/tournaments."""

    name: str
    run: str
    game: str
    planned: int
    played: int
    begun: str
    agents: list[str]


class StandingEntry(Struct):
    """The result of one agent in a tournament, with 95 % intervals; what is not finite is written as null."""

    agent: str
    games: int
    wins: int
    draws: int
    losses: int
    win_rate: Measured
    win_interval: tuple[Measured, Measured]
    mean_place: Measured
    mean_payoff: Measured
    payoff_interval: tuple[Measured, Measured]
    rating: Measured
    interval: tuple[Measured, Measured] | None
    seconds_per_move: Measured


class PairScore(Struct):
    """What two agents, by their places in the standings, score together where all seats earn the same."""

    rank: int
    other_rank: int
    games: int
    mean_payoff: Measured
    payoff_interval: tuple[Measured, Measured]


class PlayedGame(Struct):
    """A game of a tournament; `seating` has the number of the agent in each seat."""

    number: int
    seating: list[int]
    plies: int
    payoff: list[float]
    reason: str


class StopCall(Struct):
    """What the stop rule of a tournament said."""

    call: str
    games: int
    ratio: float
    sentence: str


class TournamentPage(TournamentEntry):
    """The answer to GET /api/tournaments/NAME: standings, progress, and a page of games."""

    seconds: float
    done: bool
    verdict: StopCall | None
    page: int
    pages: int
    games: list[PlayedGame]
    unit: str  # of payoffs, where they count; empty where wins do
    shared: bool  # whether all seats earn the same
    standings: list[StandingEntry]
    pairs: list[PairScore]
    notes: list[str]
