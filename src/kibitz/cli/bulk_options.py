"""What the verbs that play many games share: options, results after Ctrl-C, faults of agents."""

import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

import click

from kibitz.console.command_line import INTERRUPTED, command, complain, number, print_json, print_parts

if TYPE_CHECKING:
    from rich.console import RenderableType

AN_AGENT_FAILED = 1  # exit code


class BulkResult(Protocol):
    """The result of many games."""

    @property
    def faults(self) -> tuple[str, ...]:
        """How agents failed."""

    def as_dict(self) -> dict[str, object]:
        """Return it as plain data."""


Result = TypeVar("Result", bound=BulkResult)


def openings_from(text: str) -> int | str:
    """Return the plies before the agents take over, or a word such as auto."""
    found = number(text)
    return text if isinstance(found, float) else found


def limits_from(flags: Iterable[str]) -> dict[str, int | float | str] | None:
    """Return limits from flags such as `move_seconds=1`; None without flags."""
    return dict(map(_limit, flags)) or None


def show(
    play: Callable[[], Result],
    parts: "Callable[[Result], Iterable[RenderableType]]",
    as_json: bool,
    kept: str = "",
    closing: str = "",
    faults_end_badly: bool = True,
) -> None:
    """Play, print the result, and exit with the code that fits.

    After Ctrl-C print what was played until then. `kept` says in which file games are.
    """
    from kibitz.arena.session import Interrupted

    interrupted = False
    try:
        result = play()
    except Interrupted as stop:
        result, interrupted = stop.result, True
    except KeyboardInterrupt:
        complain(f"interrupted{kept and '; '}{kept}")
        sys.exit(INTERRUPTED)
    if as_json:
        print_json(result.as_dict())
    else:
        print_parts(parts(result))
        if closing:
            click.echo(closing)
    sys.stdout.flush()
    if interrupted:
        complain(f"interrupted; {kept or 'this is what was played until then'}")
        sys.exit(INTERRUPTED)
    if faults_end_badly and result.faults:
        complain(f"{result.faults[0]}{_and_more(len(result.faults) - 1)}")
        sys.exit(AN_AGENT_FAILED)


def in_ledger(db: Path | None, secret: bool = False) -> str:
    """Return where games are kept, as the end of a sentence; empty if they are not kept.

    Where deals are secret, only blocks of games that are finished are kept.
    """
    kept = "finished blocks of games" if secret else "finished games"
    return f"{kept} are in {db}, and the same command continues" if db else ""


def replay_command(file: Path, game: str) -> str:
    """Return the command that shows the games of a file; those of a game that a path names need --trust."""
    from kibitz.core.spec import parse
    from kibitz.core.user_files import is_path

    trust = " --trust" if is_path(parse(game).name) else ""
    return f"{command()} replay {file}{trust}"


def _limit(text: str) -> tuple[str, int | float | str]:
    from kibitz.core.errors import BadValue

    name, equals, value = text.partition("=")
    if not equals:
        raise BadValue(f"--limit takes NAME=NUMBER, for example move_seconds=1, not {text!r}")
    return name.strip(), number(value)


def _and_more(faults: int) -> str:
    return f" (and {faults:,} more {'game' if faults == 1 else 'games'} lost in such a way)" if faults else ""
