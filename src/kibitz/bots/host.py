"""The host of an agent: it speaks the bot protocol for any agent of Kibitz, which can play elsewhere or in a sandbox.

    python -m kibitz.bots.host AGENT

What the agent prints goes to standard error.
"""

import os
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from math import isfinite
from operator import index
from threading import Lock
from typing import IO, Any, ParamSpec, TypeVar

import numpy as np
from msgspec import UnsetType

from kibitz.agents import build
from kibitz.agents.agent import Agent, Decision
from kibitz.agents.external_agent import TimeControl
from kibitz.agents.hosting import become_host
from kibitz.agents.seated_agents import SeatedAgent
from kibitz.bots.bot_fault import CRASH, ILLEGAL, MEMORY, START, BotFault
from kibitz.bots.host_messages import Consider, Considered, FromOwner, ThinkingProgress, WarmUpHost, read_owner
from kibitz.bots.progress_report import reported
from kibitz.bots.protocol import (
    CELLS,
    PROTOCOL_NUMBER,
    Clock,
    Decide,
    End,
    Error,
    Hello,
    Message,
    Move,
    New,
    Ok,
    Quit,
    Ready,
    line_of,
)
from kibitz.core.contract import UNKNOWN
from kibitz.core.errors import BadValue, KibitzError
from kibitz.core.game import Game, spec_of
from kibitz.core.table import Table, written
from kibitz.core.user_files import explained, is_path, with_last_lines
from kibitz.games import find

FAILED = 2  # exit code
FAULT_MARK = "\x1ekibitz: "  # before the kind and sentence of a fault, as the last line on standard error
_MOST_MOVE = 2**63
_MOST_COUNT = 2**53

Answer = TypeVar("Answer")
Given = ParamSpec("Given")


class Host:
    """An agent's side of a conversation."""

    def __init__(self, text: str, own_games: bool, tell: Callable[[Message], None] = lambda message: None):
        self.text, self.own_games, self.tell = text, own_games, tell
        self.seated: SeatedAgent | None = None
        self._games: dict[str, Game] = {}

    def answer(self, message: FromOwner) -> Message | None:
        """Return the answer to a message of the referee, or None."""
        match message:
            case Hello():
                if message.protocol != PROTOCOL_NUMBER:
                    raise BadValue(f"the referee speaks protocol {message.protocol}, and this is {PROTOCOL_NUMBER}")
                self._load(message.games)
                return Ready(id=message.id, name=self.text, wants=[CELLS])
            case New():
                self.seated = SeatedAgent(self._built(self._game(message), message.seed), message.seat)
                self.seated.new(_time_control(message.clock))
                return Ok(id=message.id)
            case Decide():
                return _by_agent(self._answer, self._in_game, self._view(message.cells), message.id)
            case Consider():
                with reported(self._in_game.agent, self._tell_progress):
                    return _by_agent(self._considered, self._in_game, self._view(message.cells), message)
            case WarmUpHost():
                _by_agent(self._in_game.agent.warm_up, self._view(message.cells))
                return Ok(id=message.id)
            case End():
                if self.seated is not None:
                    self.seated.quit()
                self.seated = None
                return Ok(id=message.id)
            case Error():
                print(f"the referee complains: {message.sentence}", file=sys.stderr)
        return None

    def _load(self, games: Iterable[str]) -> None:
        """Load the machine code of games, so that it is not loaded on the agent's clock."""
        for text in games:
            if self.own_games or not is_path(text):
                with suppress(KibitzError):  # a game that is not here, which matters only if it is played
                    Table(find(text), 1).moves()

    def _built(self, game: Game, seed: int) -> Agent:
        try:
            return build(self.text, game, seed)
        except KibitzError as error:
            raise BotFault(START, str(error)) from error
        except MemoryError:
            raise BotFault(MEMORY, "it ran out of memory") from None
        except BaseException as error:
            raise BotFault(CRASH, explained(error)) from error

    def _game(self, message: New) -> Game:
        if is_path(message.game) and not self.own_games:
            raise BadValue(f"the referee names a game in a file, {message.game}, which is not run")
        spec = spec_of(message.game, message.options)
        game = self._games.setdefault(str(spec), find(spec))
        if game.version != message.version:
            raise BadValue(
                f"the referee plays {game.name} version {message.version}; the rules here are version {game.version}"
            )
        return game

    @property
    def _in_game(self) -> SeatedAgent:
        if self.seated is None:
            raise BadValue("the referee asks for a move before the game has begun")
        return self.seated

    def _view(self, cells: list[int | None] | UnsetType) -> np.ndarray:
        if not isinstance(cells, list) or len(cells) != self._in_game.agent.game.size:
            raise BadValue("the referee sends no cells of a view, or not as many as the game has")
        if None in cells:
            cells = [UNKNOWN if cell is None else cell for cell in cells]
        return np.array(cells, dtype=np.int64)

    @staticmethod
    def _answer(seated: SeatedAgent, view: np.ndarray, number: int) -> Move:
        return _as_move(seated.decide(view), number, seated.agent.game.seats)

    @staticmethod
    def _considered(seated: SeatedAgent, view: np.ndarray, message: Consider) -> Considered:
        agent = seated.agent
        found = agent.consider(view, message.top) if message.top else [seated.decide(view)]
        return Considered(
            id=message.id, decisions=[_as_found(one, agent.game.seats) for one in found],
            scale=agent.scale(),
        )  # fmt: skip

    def _tell_progress(self, found: dict[str, int]) -> None:
        self.tell(ThinkingProgress(counts={str(name): int(count) for name, count in found.items()}))


def _time_control(clock: Clock) -> TimeControl:
    move, game = (None if time is None else time / 1000 for time in (clock.move_ms, clock.game_ms))
    return TimeControl(move, game, clock.increment_ms / 1000)


def _by_agent(deed: Callable[Given, Answer], *given: Given.args, **named: Given.kwargs) -> Answer:
    """Call a function of the agent; an error in it is a fault that shows where it was raised."""
    try:
        return deed(*given, **named)
    except BotFault:
        raise
    except MemoryError:
        raise BotFault(MEMORY, "it ran out of memory") from None
    except BaseException as error:
        raise BotFault(CRASH, with_last_lines(error)) from error


def _as_move(decision: Decision, number: int, seats: int) -> Move:
    return Move(
        id=number,
        move=_whole(decision.move),
        values=_plain(getattr(decision, "values", None), seats),
        line=[int(move) for move in getattr(decision, "line", None) or []],
        nodes=int(getattr(decision, "nodes", 0)),
        depth=int(getattr(decision, "depth", 0)),
        note=str(getattr(decision, "why", "")),
    )


def _whole(move: int) -> int:
    """Return a move as a number that can be sent; anything else is a fault."""
    try:
        number = index(move)
    except TypeError:
        raise BotFault(ILLEGAL, f"{move!r:.80} is not a move; a move is a whole number") from None
    if abs(number) >= _MOST_MOVE:
        raise BotFault(ILLEGAL, f"move {written(number)} is not legal")
    return number


def _as_found(decision: Decision, seats: int) -> Decision:
    """Return a decision as it is sent, without details that make no sense."""

    def told(name: str, usual: Any) -> Any:
        return getattr(decision, name, None) or usual

    def count(name: str) -> int:
        return min(_MOST_COUNT, max(0, int(told(name, 0))))

    move_values = {int(move): _plain(values, seats) for move, values in told("move_values", {}).items()}
    return Decision(
        move=_whole(decision.move),
        values=_plain(told("values", None), seats),
        line=[int(move) for move in told("line", [])],
        considered={int(m): float(worth) for m, worth in told("considered", {}).items() if isfinite(worth)},
        move_values={move: values for move, values in move_values.items() if values is not None},
        tries={int(move): int(tries) for move, tries in told("tries", {}).items()},
        visits=count("visits"), nodes=count("nodes"), cutoffs=count("cutoffs"), depth=count("depth"),
        exact=bool(told("exact", False)), short=bool(told("short", False)),
        ended=str(told("ended", "")), why=str(told("why", "")),
    )  # fmt: skip


def _plain(values: Iterable[float] | None, seats: int) -> list[float] | None:
    """Return the values that an agent reports if they are numbers, one per seat."""
    if values is None:
        return None
    try:
        numbers = [float(value) for value in values]
    except (TypeError, ValueError, OverflowError):
        return None
    return numbers if len(numbers) == seats and all(map(isfinite, numbers)) else None


def serve(text: str, lines: Iterable[bytes], out: IO[bytes], own_games: bool = False) -> None:
    """Answer a referee's lines until it quits; games in files are played only if that is allowed."""
    writing = Lock()

    def tell(message: Message) -> None:
        with writing:
            out.write(line_of(message))
            out.flush()

    host = Host(text, own_games, tell)
    for line in lines:
        message = read_owner(line)
        if isinstance(message, Quit):
            return
        answer = host.answer(message)
        if answer is not None:
            tell(answer)


def serve_here(text: str, own_games: bool = False) -> None:
    """Serve on standard input and output; the agent can read nothing there, and its prints go to standard error."""
    sys.stdout.flush()
    with os.fdopen(os.dup(0), "rb") as lines, os.fdopen(os.dup(1), "wb") as out, open(os.devnull, "rb") as nothing:  # noqa: PTH123
        os.dup2(nothing.fileno(), 0)
        os.dup2(2, 1)
        serve(text, lines, out, own_games)


def main() -> None:
    """Serve the agent that the command names; errors are reported in one sentence."""
    code = FAILED
    become_host()
    try:
        serve_here(sys.argv[1], own_games=True)
        code = 0
    except BotFault as fault:
        _report_fault(fault)
    except KibitzError as error:
        print(error, file=sys.stderr, flush=True)
    except BaseException as error:  # whatever the agent has done to this process
        _report_fault(BotFault(CRASH, with_last_lines(error)))
    finally:
        os._exit(code)  # no thread that the agent has left can hold us up


def _report_fault(fault: BotFault) -> None:
    print(f"{FAULT_MARK}{fault.kind} {fault}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
