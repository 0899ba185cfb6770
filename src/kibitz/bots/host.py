"""The host of an agent: any agent of Kibitz speaks the bot protocol, so that it can play elsewhere or behind walls.

    python -m kibitz.bots.host AGENT

What the agent prints goes to standard error.
"""

import os
import sys
from collections.abc import Iterable
from math import isfinite
from typing import IO, Any

import numpy as np

from kibitz.agents import build
from kibitz.agents.agent import Agent, Decision, as_decision
from kibitz.bots.protocol import (
    CELLS,
    PROTOCOL_NUMBER,
    Decide,
    End,
    Error,
    Hello,
    Move,
    New,
    Ok,
    Quit,
    Ready,
    line_of,
    read_referee,
)
from kibitz.core.contract import UNKNOWN
from kibitz.core.errors import BadValue, KibitzError
from kibitz.core.files import is_path
from kibitz.core.game import Game, spec_of
from kibitz.games import find

FAILED = 2  # exit code


class Host:
    """An agent's side of a conversation."""

    def __init__(self, text: str, own_games: bool):
        self.text, self.own_games = text, own_games
        self.agent: Agent | None = None
        self._games: dict[str, Game] = {}

    def answer(self, message: Any) -> Any:
        """Return what answers a message of the referee, None where nothing does."""
        match message:
            case Hello():
                if message.protocol != PROTOCOL_NUMBER:
                    raise BadValue(f"the referee speaks protocol {message.protocol}, and this is {PROTOCOL_NUMBER}")
                return Ready(id=message.id, name=self.text, wants=[CELLS])
            case New():
                self.agent = build(self.text, self._game(message), message.seed)
                return Ok(id=message.id)
            case Decide():
                return self._decide(message)
            case End():
                self.agent = None
                return Ok(id=message.id)
            case Error():
                print(f"the referee complains: {message.sentence}", file=sys.stderr)
        return None

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

    def _decide(self, message: Decide) -> Move:
        if self.agent is None:
            raise BadValue("the referee asks for a move before the game has begun")
        cells = message.cells
        if not isinstance(cells, list) or len(cells) != self.agent.game.size:
            raise BadValue("the referee sends no cells of a view, or not as many as the game has")
        view = np.array([UNKNOWN if cell is None else cell for cell in cells], dtype=np.int64)
        return _as_move(as_decision(self.agent.decide(view)), message.id)


def _as_move(decision: Decision, number: int) -> Move:
    values = getattr(decision, "values", None)
    plain = None if values is None else [float(value) for value in values]
    return Move(
        id=number,
        move=int(decision.move),
        values=plain if plain and all(map(isfinite, plain)) else None,
        line=[int(move) for move in getattr(decision, "line", None) or []],
        nodes=int(getattr(decision, "nodes", 0)),
        depth=int(getattr(decision, "depth", 0)),
        note=str(getattr(decision, "why", "")),
    )


def serve(text: str, lines: Iterable[bytes], out: IO[bytes], own_games: bool = False) -> None:
    """Answer a referee's lines until it quits; games in files are played only if that is allowed."""
    host = Host(text, own_games)
    for line in lines:
        message = read_referee(line)
        if isinstance(message, Quit):
            return
        answer = host.answer(message)
        if answer is not None:
            out.write(line_of(answer))
            out.flush()


def serve_here(text: str, own_games: bool = False) -> None:
    """Serve on standard input and output; what is printed meanwhile goes to standard error."""
    sys.stdout.flush()
    with os.fdopen(os.dup(1), "wb") as out:
        os.dup2(2, 1)
        serve(text, sys.stdin.buffer, out, own_games)


def main() -> None:
    """Serve the agent that the command names; what is wrong is said in a sentence."""
    try:
        serve_here(sys.argv[1], own_games=True)
    except KibitzError as error:
        print(error, file=sys.stderr)
        sys.exit(FAILED)


if __name__ == "__main__":
    main()
