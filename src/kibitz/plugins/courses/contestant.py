"""A player of one colour at the course's referee, and what the referee prints about it."""

from argparse import Namespace
from collections.abc import Callable
from math import ceil
from typing import TypeVar

from kibitz.agents import build
from kibitz.agents.external_agent import Ending, Event
from kibitz.agents.seated_agents import SeatedAgent
from kibitz.bots.bot_fault import ILLEGAL, MEMORY, TIME, BotFault
from kibitz.core.errors import BadValue, KibitzError
from kibitz.core.game import Game
from kibitz.core.options import as_text
from kibitz.core.spec import Spec
from kibitz.core.table import Table
from kibitz.games.chexers.notation import to_action
from kibitz.games.chexers.rules import SEAT_NAMES
from kibitz.plugins.courses.commentary import Commentary
from kibitz.plugins.courses.comp30024 import NO_LIMITS, Comp30024

OURS = "kibitz"  # as a module, it stands for agents of Kibitz
PATIENCE = 1_000_000.0  # seconds; only processor time is limited
Found = TypeVar("Found")


class GameError(KibitzError):
    """An error that ends a game early: a headline as in the course, and a sentence."""

    def __init__(self, headline: str, sentence: str):
        super().__init__(sentence)
        self.headline = headline


class Contestant:
    """A player of one colour."""

    def __init__(self, spec: str, seat: int, game: Game, options: Namespace, out: Commentary):
        self.seat, self.colour, self.out, self.most_seconds = seat, SEAT_NAMES[seat], out, options.time
        self.name = f"{self.colour} player"
        module, _, cls = spec.partition(":")
        if module == OURS:
            if not cls:
                raise BadValue(f"{spec!r} names no agent; kibitz:greedy would be one")
            self.kind, text = cls, cls
            out.comment(f"{self.name} is the agent {cls} of Kibitz")
        else:
            module, cls = _module_name(module), cls or "Player"
            self.kind, text = f"{module}.{cls}", str(_student(module, cls, options))
            out.comment(f"importing {self.name}'s player class '{cls}' from package '{module}'")
        self.mind = build(text, game, seat)
        self._seated = SeatedAgent(self.mind, seat)

    def begin(self) -> None:
        """Make the player."""
        self.out.comment(f"initialising {self.name} as a {self.kind}")
        self._do(self._seated.new)

    def move(self, table: Table) -> int:
        """Return the player's move."""
        self.out.comment(f"asking {self.name} for next action...")
        view = table.view(self.seat)
        return self._do(
            lambda: self._seated.decide(view, ply=table.ply).move,
            lambda move: f"{self.name} returned action: {to_action(view, move)!r}",
        )

    def follow(self, event: Event) -> None:
        """Tell the player of a turn that was made."""
        mind = self.mind
        self._seated.event(event)
        if isinstance(mind, Comp30024):
            self._do(lambda: mind.update(PATIENCE))

    def end(self) -> None:
        """End the player."""
        self._seated.end(Ending.level(self.mind.game, "over"))

    def _do(self, deed: Callable[[], Found], said: Callable[[Found], str] | None = None) -> Found:
        """Call the player; print its own output, the result, and the resources it used."""
        try:
            found = deed()
        except BotFault as fault:
            self._print()
            raise self._error(fault) from None
        self._print()
        if said is not None:
            self.out.comment(said(found), indented=True)
        self._account()
        return found

    def _print(self) -> None:
        if isinstance(self.mind, Comp30024):
            print(self.mind.printed(), end="", flush=True)

    def _account(self) -> None:
        """Print what the player used; more time than it has ends the game."""
        used = self.mind.used if isinstance(self.mind, Comp30024) else None
        if used is None:
            return
        self.out.comment(
            f"time:  +{used.seconds:6.3f}s  (just elapsed)  {used.game_seconds:7.3f}s  (game total)\n"
            f"space: {used.memory:7.3f}MB (current usage) {used.most_memory:7.3f}MB (max usage)",
            indented=True,
        )
        if self.most_seconds and used.game_seconds > self.most_seconds:
            raise GameError("error: resource limit exceeded!", f"{self.name} exceeded available time")

    def _error(self, fault: BotFault) -> GameError:
        if fault.kind == ILLEGAL:
            return GameError("error: invalid action!", f"{self.name}: {fault}")
        if fault.kind in (TIME, MEMORY):
            return GameError("error: resource limit exceeded!", f"{self.name}: {fault}")
        return GameError(f"error: {self.name} failed!", str(fault))


def _module_name(text: str) -> str:
    """Return the name of a module, which may be given as a path."""
    return text.removeprefix("./").strip("/").removesuffix(".py").replace("/", ".")


def _student(module: str, cls: str, options: Namespace) -> Spec:
    """Return the agent that is a class of a module in the current folder."""
    given = {"path": "./", "module": module, "cls": cls, "limits": NO_LIMITS, "walls": "limits", "seconds": PATIENCE}
    if options.space:
        given["memory"] = ceil(options.space)
    if options.time:
        given["cpu"] = ceil(options.time)  # for one that never answers; the measured time is exact
    return Spec("comp30024", {name: Spec(as_text(value)) for name, value in given.items()})
