"""The lobby: channels in which bots wait for each other, and the games that they play there."""

import logging
import socket
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from threading import Event, Lock, RLock, Thread, current_thread
from time import monotonic

from kibitz.arena.plan.limits import Limits
from kibitz.arena.play.referee import GameResult, play_fixture
from kibitz.arena.process.observer import Observer
from kibitz.bots.bot_fault import BotFault
from kibitz.bots.protocol import line_of
from kibitz.bots.protocol_driver import ProtocolDriver
from kibitz.bots.remote_bot import STARTING, RemoteBot
from kibitz.core.errors import SERVER_FAILED, KibitzError, UnknownName
from kibitz.core.game import Game
from kibitz.core.spec import parse
from kibitz.core.table import Table
from kibitz.games import find
from kibitz.plugins.battleground.course_client import CourseClient
from kibitz.plugins.battleground.course_messages import CourseError, CourseOkay, course_line
from kibitz.plugins.battleground.lobby_messages import ConnectionRefused, CourseLine, Refusal, Seek, Waiting, Welcome
from kibitz.plugins.battleground.registry import Registry
from kibitz.plugins.battleground.resumable_connection import LAST_WORDS, ResumableConnection

COURSE_GAME = "chexers"
BROKEN_OFF = f"the game was broken off: {SERVER_FAILED}"
ENDING = 5.0  # seconds for games to notice that the lobby is closed
Key = tuple[str, str]  # a channel and the game played in it
Announce = Callable[[str], None]
_LOG = logging.getLogger(__name__)


@dataclass(eq=False)
class Member:
    """A bot in a channel."""

    name: str
    key: Key
    line: ResumableConnection
    driver: ProtocolDriver | None = None  # None for players of the course, which has its own protocol
    greeted: bool = False
    sat: Counter[int] = field(default_factory=Counter)  # how often in each seat

    def refuse(self, sentence: str) -> None:
        """Disconnect it, and say why."""
        line = line_of(ConnectionRefused(sentence=sentence)) if self.driver else course_line(CourseError(sentence))
        try:
            self.line.send(line, monotonic() + LAST_WORDS)
        except BotFault:
            pass
        finally:
            self.line.end(politely=False)


@dataclass(eq=False)  # games of two channels are equal at first
class GameInProgress:
    """A game that is being played; seed and moves determine everything at its table."""

    number: int  # in its channel
    names: list[str]
    seed: int
    moves: list[int] = field(default_factory=list)


class _Follower(Observer):
    """Records the moves of a game, and how long the bot to move was disconnected, which does not count on its clock."""

    def __init__(self, lines: Sequence[ResumableConnection], game: GameInProgress):
        self._lines, self._game, self._seat, self._before = lines, game, 0, 0.0

    def moved(self, move: int, seconds: float) -> None:
        """Note a move."""
        self._game.moves.append(move)

    def thinking(self, seat: int, seconds: float | None) -> None:
        """Begin to count for a seat."""
        self._seat, self._before = seat, self._lines[seat].paused

    def paused(self) -> float:
        """Return the seconds for which the seat has been disconnected since then."""
        return self._lines[self._seat].paused - self._before


class Channels:
    """All channels of a battleground."""

    def __init__(
        self, books: Registry, games: Iterable[str], limits: Limits, grace: float, rest: float, announce: Announce
    ):  # fmt: skip
        self.books, self.grace, self.rest, self.announce = books, grace, rest, announce
        self.limits = replace(limits, isolate=False)  # these bots run elsewhere, even if a name looks like a path
        self._offered = {str(find(text)): find(text) for text in games}
        self._warm: set[str] = set()
        self._warming = Lock()
        self._lock = RLock()
        self._members: dict[str, Member] = {}
        self._free: dict[Key, list[Member]] = {}  # who waits, by channel
        self._tables: set[Thread] = set()
        self._running: dict[Key, list[GameInProgress]] = {}  # the oldest first
        self._closing = Event()

    @property
    def games(self) -> list[str]:
        """The games that can be played here."""
        return list(self._offered)

    def enter(self, asked: Seek | CourseLine, connection: socket.socket) -> Member:
        """Admit a bot, or readmit one that lost its connection; a Refusal says why not."""
        game = self._game(COURSE_GAME if isinstance(asked, CourseLine) else asked.game)
        key = (asked.channel, str(game))
        if isinstance(asked, CourseLine):
            self.books.lend(asked.name)
            member = self._enter_course(asked, key, connection)
        else:
            member = self._enter(asked, key, self.books.claim(asked.name, asked.token), connection)
        self._fill(key)
        return member

    def _game(self, text: str) -> Game:
        """Return a game on offer, with its code loaded; a text from a client never loads other code."""
        try:
            if text not in self._offered and parse(text).name in {game.name for game in self._offered.values()}:
                game = self._offered[str(find(text))]
            else:
                game = self._offered[text]
        except (KeyError, KibitzError):
            raise Refusal(str(UnknownName("game here", text[:80], self._offered))) from None
        with self._warming:
            if str(game) not in self._warm:
                table = Table(game, 0)
                RemoteBot("nobody", game, 0, None).warm_up(table.view(table.turn))
                self._warm.add(str(game))
        return game

    def _enter(self, asked: Seek, key: Key, token: str, connection: socket.socket) -> Member:
        welcome = Welcome(
            token=token, grace_ms=round(1000 * self.grace), move_ms=round(1000 * (self.limits.move_seconds or 0))
        )
        with self._lock:
            self._check_open()
            old = self._members.get(asked.name)
            if old is not None and old.key == key and old.line.can_resume(asked.received):
                old.line.attach(connection, partial(_welcome_back, welcome), asked.received or 0)
                return old
            if old is not None:
                self._remove(old)
            line = ResumableConnection(self.grace)
            member = self._members[asked.name] = Member(asked.name, key, line, ProtocolDriver(line))
            self._free.setdefault(key, []).append(member)
            first = line_of(welcome) + line_of(self._waiting(key))
            line.attach(connection, lambda _: first)
        if old is not None:
            old.refuse(f"{asked.name} has connected again from elsewhere")
        return member

    def _enter_course(self, asked: CourseLine, key: Key, connection: socket.socket) -> Member:
        with self._lock:
            self._check_open()
            old = self._members.get(asked.name)
            if old is not None and not old.line.expired:
                raise Refusal(f"{asked.name} is here already; choose another name")
            line = ResumableConnection(0.0)
            member = self._members[asked.name] = Member(asked.name, key, line)
            self._free.setdefault(key, []).append(member)
            line.attach(connection, lambda _: course_line(CourseOkay()))
            return member

    def _check_open(self) -> None:
        if self._closing.is_set():
            raise Refusal("the battleground is closing")

    def _waiting(self, key: Key) -> Waiting:
        present = [member.name for member in self._members.values() if member.key == key and not member.line.expired]
        return Waiting(channel=key[0], game=key[1], seats=self._offered[key[1]].seats, present=present)

    def _remove(self, member: Member) -> None:
        with self._lock:
            if self._members.get(member.name) is member:
                del self._members[member.name]
            waiting = self._free.get(member.key, [])
            if member in waiting:
                waiting.remove(member)
            if not waiting:
                self._free.pop(member.key, None)

    def _fill(self, key: Key) -> None:
        """Begin games while enough bots are free in a channel."""
        with self._lock:
            for member in [member for member in self._members.values() if member.line.expired]:
                self._remove(member)
            seats = self._offered[key[1]].seats
            while not self._closing.is_set():
                ready = [member for member in self._free.get(key, []) if member.line.connected][:seats]
                if len(ready) < seats:
                    return
                self._free[key] = [member for member in self._free[key] if member not in ready]
                table = Thread(target=self._sit_down, args=(key, ready), name=f"table {key[1]}", daemon=True)
                self._tables.add(table)
                table.start()

    def _sit_down(self, key: Key, players: list[Member]) -> None:
        """Play a game with these bots, which then wait for the next one."""
        try:
            ready = [self._greet(player, key) for player in players]
            if all(ready):
                players = seated(players)
                self._play(self._offered[key[1]], key[0], players)
                players = players[1:] + players[:1]
                self._closing.wait(self.rest)
        except Exception:  # our own error; the channel goes on without these bots
            _LOG.exception("a game of %s in channel %r was broken off", key[1], key[0])
            for player in players:
                player.refuse(BROKEN_OFF)
        finally:
            with self._lock:
                self._tables.discard(current_thread())
                here = [player for player in players if self._members.get(player.name) is player]
                self._free.setdefault(key, []).extend(player for player in here if not player.line.expired)
            self._fill(key)

    def _greet(self, player: Member, key: Key) -> bool:
        """Return whether a bot is ready to play; disconnect one that is not."""
        if player.greeted or player.driver is None:
            return True
        game = self._offered[key[1]].name
        try:
            player.driver.hello(game, STARTING)
            player.driver.plays(game)
        except BotFault as fault:
            player.refuse(str(fault))
            return False
        player.greeted = True
        return True

    def _play(self, game: Game, channel: str, players: Sequence[Member]) -> None:
        names = [player.name for player in players]
        by_name = {player.name: player for player in players}
        minds: list[RemoteBot | CourseClient] = []

        def make(name: str, game: Game, seed: int) -> RemoteBot | CourseClient:
            player = by_name[name]
            if player.driver is None:
                minds.append(CourseClient(name, game, seed, player.line, names))
            else:
                minds.append(RemoteBot(name, game, seed, player.driver))
            return minds[-1]

        fixture, agents = self.books.fixture(game, channel, names)
        begun = monotonic()
        with self._shown((channel, str(game)), GameInProgress(fixture.number, names, fixture.deal_seed)) as running:
            observer = _Follower([player.line for player in players], running)
            result = play_fixture(game, agents, fixture, self.limits, observer, make)
        for seat, player in enumerate(players):
            player.sat[seat] += 1
        if result.fault and self._closing.is_set():
            return  # the battleground itself ended the game
        skills = self.books.add(game, channel, result, monotonic() - begun)
        for mind in minds:  # tell them only results that are in the ledger
            mind.part()
        self.announce(_told(game, channel, result, skills))

    @contextmanager
    def _shown(self, key: Key, running: GameInProgress) -> Iterator[GameInProgress]:
        """Show a game to spectators while it is being played."""
        with self._lock:
            self._running.setdefault(key, []).append(running)
        try:
            yield running
        finally:
            with self._lock:
                self._running[key].remove(running)
                if not self._running[key]:
                    del self._running[key]

    def running(self, channel: str, game: str) -> list[GameInProgress]:
        """Return the games that are being played in a channel, the oldest first."""
        with self._lock:
            return list(self._running.get((channel, game), []))

    def waiting(self, channel: str, game: str) -> list[str]:
        """Return the names of the bots that wait for others in a channel."""
        with self._lock:
            return [member.name for member in self._free.get((channel, game), []) if member.line.connected]

    def close(self) -> None:
        """Disconnect everybody, and end all games without a result."""
        with self._lock:
            self._closing.set()
            members, tables = list(self._members.values()), list(self._tables)
        for member in members:
            member.refuse("the battleground is closing")
        until = monotonic() + ENDING
        for table in tables:
            table.join(max(0.0, until - monotonic()))


def _welcome_back(welcome: Welcome, received: int) -> bytes:
    """Return the greeting of a client that resumes its game."""
    welcome.resumed, welcome.received = True, received
    return line_of(welcome)


def seated(players: Sequence[Member]) -> list[Member]:
    """Return players by seat: a seat goes to the one who has had it least and, of those, has waited longest."""
    left, found = list(players), []
    for seat in range(len(players)):
        found.append(min(left, key=lambda player: player.sat[seat]))
        left.remove(found[-1])
    return found


def _told(game: Game, channel: str, result: GameResult, skills: Sequence[float]) -> str:
    """Return a result in a sentence."""
    shown = zip(result.record.agents, result.payoff, skills, strict=True)
    each = ", ".join(f"{name} {game.scoring.amount_text(payoff)} (skill {skill:.1f})" for name, payoff, skill in shown)
    if game.scoring.shared:
        each = f"{', '.join(result.record.agents)} scored {game.scoring.together_text(result.payoff[0])} together"
    fault = f"; {result.fault}" if result.fault else ""
    return f"{game}, channel {channel!r}, game {result.fixture.number + 1}, {result.reason}: {each}{fault}"
