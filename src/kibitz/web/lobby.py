"""The lobby: all tables of a server, how they begin, and which of them are in memory."""

import asyncio
import gc
import secrets
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from functools import partial
from typing import TypeVar

from msgspec.structs import replace

from kibitz.agents import own_paths, runs_apart
from kibitz.core.contract import CHANCE
from kibitz.core.errors import BadRecord, BadValue, KibitzError
from kibitz.core.game import Game
from kibitz.core.record import Record, read_line
from kibitz.core.seeds import secret_seed
from kibitz.core.spec import parse
from kibitz.core.table import Table
from kibitz.games import find
from kibitz.web.allowlist import LONGEST_TEXT, Allowlist
from kibitz.web.connection_limits import ConnectionLimits
from kibitz.web.http_answers import ClaimedSeat, CreatedTable, Preparation, TableEntry
from kibitz.web.messages import AgentSeat, GameChoice, Invite, LevelSeat, Me, NewTable, RequestRefused, SeatChoice
from kibitz.web.precompile_table import warm_up_table
from kibitz.web.table_data import MoveNote, NotedMove, TableData
from kibitz.web.table_seat import AGENT, FREE, PERSON, TableSeat, begins_known, hashed, new_token
from kibitz.web.table_session import TableSession
from kibitz.web.table_store import TableStore, saved_move, saved_table
from kibitz.web.thinking_pool import CHECK, MOVE, PREPARE, SOON, ThinkingPool
from kibitz.web.thinking_questions import CheckAgent, PrepareGame
from kibitz.web.thinking_worker import COMPILING

MOST_SESSIONS = 1000  # in memory
MOST_AT_A_TABLE = 2000
MOST_TABLES_OF_ONE = 300  # at which one address may play or watch
MOST_CHECKED = 1000
LISTED = 50
MOST_PLIES = 20_000  # of a record
Done = TypeVar("Done")
PAUSE_BEFORE_ONLY_MOVE = 0.7  # seconds
PACE = 0.25  # seconds between a move and the next move of an agent


class Lobby:
    """All tables of a server."""

    def __init__(self, store: TableStore, allowlist: Allowlist | None = None, pool: ThinkingPool | None = None):
        self.store, self.allowlist, self.pool = store, allowlist or Allowlist(), pool or ThinkingPool()
        self.sessions: dict[str, TableSession] = {}
        self.admission = ConnectionLimits()
        self.pace, self.pause_before_only_move = PACE, PAUSE_BEFORE_ONLY_MOVE
        self._ready: set[str] = set()
        self._wanted: set[str] = set()  # games that somebody has asked for
        self._questions: dict[str, PrepareGame] = {}  # by game: what a worker is asked to prepare it
        self.preparations: dict[str, Preparation] = {}  # by game: how far that is
        self._checked: set[tuple[str, str]] = set()  # games and agents that fit together
        self._loading: dict[str, asyncio.Task[TableSession]] = {}
        self._preparing: dict[str, asyncio.Task[None]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self) -> None:
        """Start the workers, and let editors whose agents play on go on."""
        self.pool.start()
        self.in_background(self._resume())

    async def close(self) -> None:
        """Stop everything; all tables are on the disk already."""
        for task in [*self._tasks, *self._preparing.values(), *self._loading.values()]:
            task.cancel()
        for session in self.sessions.values():
            session.turn.stop()
            for connection in list(session.connections):
                connection.leave_session()
        await self.pool.close()
        self.store.close()

    def in_background(self, work: Coroutine[object, object, None]) -> None:
        """Run something that nobody waits for."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _resume(self) -> None:
        for name in await asyncio.to_thread(self.store.left_off, LISTED, MOST_SESSIONS // 2):
            try:
                await self.session(name)
            except (KibitzError, RequestRefused):  # a game or agent that this server does not offer
                continue

    # Games

    async def game(self, text: str, urgency: int = MOVE) -> Game:
        """Return a game with its machine code loaded; meanwhile other games go on."""
        name = parse(text).name
        if name not in self._ready:
            question = self._questions.setdefault(name, PrepareGame(game=name))
            if urgency == MOVE and name not in self._wanted:  # somebody waits for it
                self._wanted.add(name)
                self.pool.set_urgency(question, MOVE)
                if name in self._preparing:
                    self._let_help(name, self.pool.idle)
            await _shared(self._preparing, name, self._prepare)
        return await asyncio.to_thread(find, text)

    async def _prepare(self, name: str) -> None:
        """Let workers compile, so that only loading is left to this process; those without work share it."""
        if name in self._wanted:
            self._let_help(name, self.pool.idle - 1)
        tell = partial(self._note_preparation, name)
        await self.pool.ask(self._questions[name], MOVE if name in self._wanted else PREPARE, tell)
        await asyncio.to_thread(lambda: warm_up_table(find(name)))
        gc.freeze()  # otherwise garbage collection over the compiler's leftovers would delay everybody
        self._ready.add(name)
        self.preparations.pop(name, None)

    def _let_help(self, name: str, workers: int) -> None:
        for _ in range(workers):
            self.in_background(self._help_to_prepare(name))

    async def _help_to_prepare(self, name: str) -> None:
        with suppress(KibitzError):
            await self.pool.ask(PrepareGame(game=name), MOVE)

    async def _prepare_agents(self, game: Game, seats: Sequence[TableSeat]) -> None:
        """Let a worker compile what the agents of a table need before they are asked to move."""
        texts = {self.allowlist.meant(seat.text) for seat in seats if seat.who == AGENT}
        ours = sorted(text for text in texts if not own_paths(text, game) and not runs_apart(text, game))
        if ours:
            with suppress(KibitzError):
                await self.pool.ask(PrepareGame(game=str(game), agents=ours), SOON)

    def _note_preparation(self, name: str, what: str, found: dict[str, float]) -> None:
        if what == COMPILING:
            self.preparations[name] = Preparation(int(found["number"]), int(found["of"]), found["seconds_left"])

    # Tables

    async def session(self, name: str) -> TableSession:
        """Return a table; one that is not in memory is loaded."""
        if name in self.sessions:
            return self.sessions[name]
        return await _shared(self._loading, name, self._load)

    @asynccontextmanager
    async def held(self, name: str) -> AsyncIterator[TableSession]:
        """Hold the lock of a table, which stays in memory meanwhile."""
        while True:
            session = await self.session(name)
            async with session.lock:
                if self.sessions.get(name) is session:  # it was not put away while we waited
                    yield session
                    return

    async def _load(self, name: str) -> TableSession:
        found = await asyncio.to_thread(self.store.find, name)
        if found is None:
            raise RequestRefused(f"there is no table {name!r}")
        data, moves = found
        game = await self.game(self.allowlist.text(data.game))
        self._make_space()
        session = await asyncio.to_thread(_replayed, self, name, data, game, moves)
        self.sessions[name] = session
        session.turn.go_on()
        return session

    def _make_space(self) -> None:
        """If there are too many tables in memory, drop the one that nobody watches and that changed the longest ago."""
        if len(self.sessions) < MOST_SESSIONS:
            return
        unwatched = [
            session for session in self.sessions.values() if not session.connections and not session.lock.locked()
        ]
        if not unwatched:
            raise RequestRefused("all tables of this server are taken; try again later")
        oldest = min(unwatched, key=lambda session: (not session.table.over, session.awake, session.touched))
        oldest.turn.stop()
        oldest.turn.dismiss()
        del self.sessions[oldest.id]

    def check_capacity(self, session: TableSession, address: str) -> None:
        """Refuse one more connection at a table, or one more table to an address, where there are too many."""
        if len(session.connections) >= MOST_AT_A_TABLE:
            raise RequestRefused("too many people are watching; try again later")
        if session.connections:
            return
        visited = sum(any(one.address == address for one in other.connections) for other in self.sessions.values())
        if visited >= MOST_TABLES_OF_ONE:
            raise RequestRefused(f"your address is at {MOST_TABLES_OF_ONE} tables already; leave one of them first")

    async def create(self, wanted: NewTable, address: str = "") -> CreatedTable:
        """Begin a table; return its name and the tokens of the person who asked for it."""
        game, seed, moves = await self._start(wanted)
        token, invites, seats = new_token(), {}, []
        choices = list(wanted.seats) or [Me(), *[LevelSeat("club")] * (game.seats - 1)]
        if len(choices) != game.seats:
            raise RequestRefused(
                f"{self.allowlist.label(game)} has {game.seats} seats here, and {len(choices)} were filled"
            )
        if not wanted.bench and begins_known(game, wanted.from_ is not None):
            _refuse_guests(choices)
        for number, choice in enumerate(choices):
            invite = new_token()
            seats.append(await self.seat(choice, game, hashed(token), invite, address))
            if seats[-1].invite:
                invites[str(number)] = invite
        data = TableData(
            game=self.allowlist.shown(game, True), seed=seed, seats=seats, owner=hashed(token), bench=wanted.bench,
            name=wanted.name.strip(), created=_now(),
            branch_of=None if wanted.from_ is None else (wanted.from_.table, wanted.from_.ply),
        )  # fmt: skip
        session = await self._open(data, game, [(move, MoveNote()) for move in moves], address)
        self.in_background(self._prepare_agents(game, seats))
        mine = {str(number): token for number, seat in enumerate(seats) if seat.who == PERSON}
        return CreatedTable(session.id, mine, token, invites)

    async def _start(self, wanted: NewTable) -> tuple[Game, int, list[int]]:
        """Return game, seed and the moves that are made already."""
        if wanted.from_ is None:
            if not wanted.game:
                raise RequestRefused("say which game")
            game = await self.game(self.allowlist.text(wanted.game, wanted.position))
            if wanted.moves:
                raise RequestRefused("moves are given with the position of another table only")
            return game, secret_seed(), []
        origin = await self.session(wanted.from_.table)
        if not origin.revealed:
            raise RequestRefused("a game with secrets can be continued elsewhere when it is over")
        if wanted.from_.ply > origin.ply:
            raise RequestRefused(f"there is no ply {wanted.from_.ply}; {origin.ply} moves have been made")
        if origin.seed_is_secret:
            raise RequestRefused("a game with dice can be continued elsewhere when it is over: the rolls are the same")
        moves = [*origin.table.moves_made[: wanted.from_.ply], *wanted.moves]
        table = await asyncio.to_thread(_played, origin.game, origin.table.seed, moves)
        return origin.game, origin.table.seed, [move for _, move in _of_seats(table)]

    async def seat(self, choice: SeatChoice, game: Game, token_hash: str, invite: str, address: str) -> TableSeat:
        """Return a seat as somebody has chosen it; an agent that does not fit the game is refused."""
        if isinstance(choice, Me):
            return TableSeat(PERSON, token=token_hash)
        if isinstance(choice, Invite):
            return TableSeat(FREE, invite=hashed(invite))
        if isinstance(choice, LevelSeat):
            return TableSeat(AGENT, self.allowlist.level(choice.level, game), choice.level)
        assert isinstance(choice, AgentSeat)
        text = self.allowlist.agent(choice.text, game)
        await self._check(text, game, address)
        return TableSeat(AGENT, text, self.allowlist.shown_agent(text))

    async def _check(self, text: str, game: Game, address: str) -> None:
        """Let a worker see whether an agent can be built, once for each game and agent."""
        question = CheckAgent(game=str(game), agent=self.allowlist.meant(text))
        key = (question.game, text)
        if key not in self._checked:
            await self.pool.ask(question, CHECK, whose=address)
            if len(self._checked) >= MOST_CHECKED:
                self._checked.clear()
            self._checked.add(key)

    async def _open(self, data: TableData, game: Game, moves: list[NotedMove], address: str = "") -> TableSession:
        self._make_space()
        name = secrets.token_urlsafe(9)
        session = await asyncio.to_thread(_replayed, self, name, data, game, moves)
        plies = [ply for ply, _ in _of_seats(session.table)]
        kept = [saved_move(name, ply, move, note) for ply, (move, note) in zip(plies, moves, strict=True)]
        await self.store.save([saved_table(name, data, session.table.over), *kept])
        session.address = address
        self.sessions[name] = session
        session.turn.go_on()
        return session

    async def rematch(self, session: TableSession) -> TableSession:
        """Begin another game of the same kind, everybody one seat further; tokens stay valid."""
        data = replace(
            session.data, seats=[session.seats[-1], *session.seats[:-1]],
            seed=secret_seed(), rematch=None, undo=None, branch_of=None, foreseen=False, created=_now(),
        )  # fmt: skip
        return await self._open(data, session.game, [], session.address)

    async def claim(self, name: str, invite: str) -> ClaimedSeat:
        """Give a seat to somebody who was sent an invitation, which works once."""
        async with self.held(name) as session:
            if session.foreseen:
                raise RequestRefused(
                    "somebody knows what is hidden in this game, so no seat can be taken; begin another table"
                )
            for number, seat in enumerate(session.seats):
                if seat.invite and seat.invite == hashed(invite):
                    token = new_token()
                    session.seats[number] = TableSeat(PERSON, token=hashed(token))
                    await session.keep()
                    return ClaimedSeat(number, token)
        raise RequestRefused("this invitation is not good (any more); ask for a new one")

    async def upload(self, text: str, name: str = "") -> TableSession:
        """Open the record of a game to look at; nothing that it names is run or opened."""
        lines = [line for line in text.splitlines() if line.strip()]
        if len(lines) != 1:
            raise RequestRefused(f"send one record, one line of JSON; there are {len(lines)} lines")
        return await self.open_record(read_line(lines[0]), [], name)

    async def open_record(self, record: Record, notes: list[MoveNote], name: str) -> TableSession:
        """Open a record to look at, with what agents thought."""
        if len(record.moves) > MOST_PLIES:
            raise BadRecord(f"a record of {len(record.moves):,} moves is too long; {MOST_PLIES:,} can be shown")
        if not all(text.isprintable() and len(text) <= LONGEST_TEXT for text in record.agents):
            raise BadRecord(f"an agent of a record is a printable text of at most {LONGEST_TEXT:,} characters")
        game = await self.game(self.allowlist.text(_game_choice(record)))
        if game.version != record.version:
            raise BadRecord(f"the record is of version {record.version} of {record.game}; here it is {game.version}")
        if len(record.agents) != game.seats:
            raise BadRecord(f"the record names {len(record.agents)} agents for {game.seats} seats")
        table = await asyncio.to_thread(_played, game, record.seed, record.moves)
        data = TableData(
            game=self.allowlist.shown(game, True), seed=record.seed, name=name, read_only=True, auto=False,
            seats=[TableSeat(AGENT, text, text) for text in record.agents], created=_now(),
        )  # fmt: skip
        moves = [move for _, move in _of_seats(table)]
        notes = [*[MoveNote()] * (len(moves) - len(notes)), *notes]
        return await self._open(data, game, list(zip(moves, notes, strict=False)))

    def listed(self) -> list[TableEntry]:
        """Return the tables in memory that changed last, with what anybody may know."""
        sessions = sorted(self.sessions.values(), key=lambda session: -session.touched)[:LISTED]
        return [
            TableEntry(
                id=session.id, game=self.allowlist.label(session.game), name=session.data.name, ply=session.ply,
                seats=[seat.label or seat.who for seat in session.seats], over=session.table.over,
                bench=session.editor, read_only=session.read_only, created=session.data.created, paused=session.paused,
                watched=bool(session.connections), result=session.result(),
            )
            for session in sessions
        ]  # fmt: skip


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


async def _shared(
    running: dict[str, asyncio.Task[Done]], name: str, work: Callable[[str], Coroutine[object, object, Done]]
) -> Done:
    """Run something once for all who ask for it at the same time; it goes on if one of them goes away."""
    if name not in running:
        running[name] = asyncio.get_running_loop().create_task(work(name))
        running[name].add_done_callback(lambda task: running.pop(name, None))
    return await asyncio.shield(running[name])


def _game_choice(record: Record) -> GameChoice:
    plain = {name: value for name, value in record.options.items() if isinstance(value, bool | int | float | str)}
    if len(plain) != len(record.options):
        raise BadRecord("the record names options that cannot be read")
    return GameChoice(record.game, plain)


def _replayed(lobby: Lobby, name: str, data: TableData, game: Game, moves: list[NotedMove]) -> TableSession:
    session = TableSession(lobby, name, data, game)
    session.replay(moves)
    return session


def _refuse_guests(choices: Sequence[SeatChoice]) -> None:
    """Refuse other people at a table whose owner knows what is hidden."""
    if any(isinstance(choice, Invite) for choice in choices):
        raise RequestRefused(
            "who begins at a known position of a game with secrets knows what is hidden there, so nobody can be "
            "invited; let agents take the other seats, or make it an editor, where everybody sees everything"
        )


def _played(game: Game, seed: int, moves: list[int]) -> Table:
    """Return the table after some moves, those of chance included."""
    table = Table(game, seed)
    while table.ply < len(moves):
        if table.over:
            raise BadValue(f"the game is over after {table.ply} moves, and there are {len(moves)}")
        table.play(moves[table.ply])
    table = Table(game, seed)
    table.follow(moves)
    return table


def _of_seats(table: Table) -> Iterator[tuple[int, int]]:
    """Yield the plies and moves of seats: chance does its part by itself."""
    for ply, (mover, move) in enumerate(zip(table.movers, table.moves_made, strict=True)):
        if mover != CHANCE:
            yield ply, move
