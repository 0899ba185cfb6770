"""Compiling on all cores: helper processes compile what a command is going to need, and share it by the disk.

A command starts them when it finds that it compiles for seconds. They warm up the agents that it builds, the last one
first, and leave to it what it compiles itself. They end with the command, or when nothing is left to do.
"""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterable
from contextlib import suppress
from queue import Empty, LifoQueue

from kibitz.agents import own_paths, runs_apart
from kibitz.arena.play.warm_up import TERMINAL, warm_up_agents, warm_up_table
from kibitz.core.code_on_disk import CACHE_ROOT, PACKAGE, SHARED_CACHE, forecast
from kibitz.core.compile_forecast import RULES, CompileProgress
from kibitz.core.game import Game
from kibitz.core.threads import available_threads
from kibitz.games import find

_WORTH_IT = 3.0  # seconds of compiling; a helper takes one to start
_MOST_HELPERS = 3
_PATIENCE = 20.0  # seconds after which a helper with nothing to do ends


def compile_first(game: Game, agents: Iterable[str]) -> None:
    """Compile here what agents of ours need in a game of ours; nothing if building them compiled nothing.

    Warming up plays, and the rules of others may write where they must not: those are played in workers only.
    """
    if forecast.compiled and forecast.expected() and game.folder.is_relative_to(PACKAGE):
        warm_up_agents(game, (agent for agent in agents if _is_ours(agent, game)))


def _is_ours(agent: str, game: Game) -> bool:
    return not own_paths(agent, game) and not runs_apart(agent, game)  # foreign code runs where it is watched only


class CompileHelpers:
    """The helper processes of a command; `named` are games and agents that it will need, and others are announced."""

    def __init__(self, named: Iterable[tuple[str, str]]):
        self._named = list(named)
        self._helpers: list[subprocess.Popen[str]] = []
        self._started = False

    def look(self, progress: CompileProgress | None) -> None:
        """Start helpers if there is much to compile."""
        count = min(_MOST_HELPERS, available_threads() - 1)
        if self._started or progress is None or progress.seconds_left < _WORTH_IT or count < 1:
            return
        self._started = True
        forecast.on_announcement = self.tell
        environment = {**os.environ, "KIBITZ_CACHE": str(CACHE_ROOT), "KIBITZ_SHARED_CACHE": SHARED_CACHE or ""}
        words = [sys.executable, "-P", "-m", __name__]
        for _ in range(count):
            with suppress(OSError):
                helper = subprocess.Popen(
                    words, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, text=True,
                    env=environment,
                )  # fmt: skip
                self._helpers.append(helper)
        for game, agent in [*self._named, *forecast.announced.values()]:
            self.tell(game, agent)

    def tell(self, game: str, agent: str) -> None:
        """Let the helpers compile what an agent needs in a game."""
        for helper in self._helpers:
            with suppress(OSError, ValueError):
                assert helper.stdin is not None
                helper.stdin.write(json.dumps([game, agent]) + "\n")
                helper.stdin.flush()

    def end(self) -> None:
        """End the helpers."""
        for helper in self._helpers:
            helper.kill()  # what it is writing is a file of its own until it is whole
            helper.communicate()
        self._helpers.clear()


def _help() -> None:
    asked: LifoQueue[tuple[str, str]] = LifoQueue()
    threading.Thread(target=_listen, args=(asked,), daemon=True).start()
    with suppress(Empty):
        while True:
            game, agent = asked.get(timeout=_PATIENCE)
            with suppress(Exception):  # the command finds the error itself
                _compile(find(game), agent)


def _compile(game: Game, agent: str) -> None:
    if agent == RULES:
        _ = game.rules
    elif agent == TERMINAL:
        warm_up_table(game)
    elif _is_ours(agent, game):
        warm_up_agents(game, [agent])


def _listen(asked: "LifoQueue[tuple[str, str]]") -> None:
    for line in sys.stdin:
        asked.put(tuple(json.loads(line)))
    os._exit(0)  # the command has ended


if __name__ == "__main__":
    _help()
