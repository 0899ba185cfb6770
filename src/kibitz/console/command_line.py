"""What all verbs share: how errors end, how compilation is announced, and how results are printed."""

import codecs
import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from functools import cache, wraps
from io import TextIOWrapper
from pathlib import Path
from shutil import get_terminal_size, which
from textwrap import fill
from typing import TYPE_CHECKING, ParamSpec

import click

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

BAD_INPUT = 2
INTERRUPTED = 130
NO_READER = 141  # nobody reads our output any more
NUMBA_SETTINGS = ".numba_config.yaml"  # numba reads it in the current folder
LEAST_COLUMNS, USUAL_COLUMNS = 60, 80  # of a terminal; tables made for the second are hard to read below the first
PLAINER = {  # where an encoding lacks a character
    "─": "-",
    "│": "|",
    "…": "...",
    "–": "-",
    "•": "*",
    "µ": "u",
    "²": "2",
    "→": "->",
}
SEED = click.IntRange(0, 2**64 - 1)
GAME_HELP = "GAME is a name with options, for example quarto or 'quarto(squares=true)', or a path to your own game."
AGENT_HELP = "AGENT is a name with options, for example novice or 'minimax(depth=3)', or a path to your own agent."
JOBS_HELP = "Number of workers; default: one per core. The result does not depend on it."
ON_HELP = "Play on a Ray cluster: ray (that of RAY_ADDRESS, or one on this machine), ray://HOST:PORT or HOST:PORT."
ISOLATE_HELP = "Run agents named by a path in separate processes, or trust them and run them in the workers."
SEED_HELP = "The same seed gives the same games."
USUAL_SEED_HELP = (
    "The same seed gives the same games; default: 1. If your own programs play a game with hidden information, the "
    "default is a secret seed, which is shown at the end."
)
POSITION_HELP = "Start from this position, a text as described in the game's README."
KEEP_GAMES = click.option(
    "--db", type=click.Path(dir_okay=False, path_type=Path),
    help="Keep every game in this ledger; games that it holds are not played again.",
)  # fmt: skip
DEVICE = click.option(
    "--device", metavar="cpu|gpu", default="cpu", show_default=True,
    help="What plays: all processors, or a graphics card, which takes policies only. The result does not depend on it.",
)  # fmt: skip
Given = ParamSpec("Given")
OPENINGS_HELP = "Random plies before the agents take over; auto: some if all deals are equal."


def verb(function: Callable[Given, None]) -> Callable[Given, None]:
    """Run a verb so that bad input ends in one clear sentence and exit code 2."""

    @wraps(function)
    def guarded(*args: Given.args, **options: Given.kwargs) -> None:
        from kibitz.core.errors import KibitzError, Untrusted
        from kibitz.core.signals import heed_signals

        heed_signals()
        _write_what_the_terminal_can_show()
        try:
            _check_current_folder()
            _announce_compilation()
            for prepare in _at_start:
                prepare(options)
            function(*args, **options)
            sys.stdout.flush()
        except Untrusted as error:
            complain(f"{error}; use --trust if you know that it does no harm")
            sys.exit(BAD_INPUT)
        except KibitzError as error:
            complain(str(error))
            sys.exit(BAD_INPUT)
        except KeyboardInterrupt:
            complain("interrupted")
            sys.exit(INTERRUPTED)
        except BrokenPipeError:  # the reader of our output has gone
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(NO_READER)
        except OSError as error:
            where = f" {error.filename}" if error.filename else ""
            complain(f"cannot read or write{where}: {error.strerror}")
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(BAD_INPUT)

    return guarded


def _check_current_folder() -> None:
    """Refuse a folder whose files change how all agents are compiled, by which one agent could slow the others."""
    from kibitz.core.errors import BadValue

    if Path(NUMBA_SETTINGS).exists():
        raise BadValue(
            f"the current folder has a file {NUMBA_SETTINGS}, which changes how all agents are compiled; remove it, or "
            "set NUMBA_… in the environment"
        )


def complain(sentence: str) -> None:
    """Print a sentence on standard error, wrapped between words on a terminal."""
    whole = f"kibitz: {sentence}"
    if sys.stderr.isatty():
        columns = get_terminal_size().columns
        whole = fill(whole, columns, break_long_words=False, break_on_hyphens=False)
    click.echo(whole, err=True)


def command() -> str:
    """Return how the user can call this program, for advice."""
    if which("kibitz"):
        return "kibitz"
    called = Path(sys.argv[0])
    if called.name == "kibitz" and called.is_file():
        return str(called)
    return f"{sys.executable} -m kibitz"


def console(markup: bool = True) -> "Console":
    """Return the console on standard output; if it is too narrow for tables, say so once."""
    from rich.console import Console

    found = Console(highlight=False, markup=markup)
    if found.is_terminal and found.width < LEAST_COLUMNS:
        _complain_of_width(found.width)
    return found


@cache
def _complain_of_width(columns: int) -> None:
    complain(f"this terminal has {columns} columns; boards and tables need {USUAL_COLUMNS}, and are broken here")


def print_parts(parts: "Iterable[RenderableType]") -> None:
    """Print tables and lines, from the top."""
    out = console()
    for part in parts:
        out.print(part)


def print_json(data: Mapping[str, object]) -> None:
    """Print one JSON object."""
    click.echo(json.dumps(data))


def with_position(game: str, position: str | None) -> str:
    """Return the text of a game that starts from a position."""
    if position is None:
        return game
    from kibitz.core.errors import BadValue
    from kibitz.core.spec import Spec, parse

    if "'" in position or '"' in position or not position.strip():
        raise BadValue(f"a position is a text without quotes in it, not {position!r}")
    spec = parse(game)
    return str(Spec(spec.name, {**spec.args, "position": Spec(position)}))


def number(text: str) -> int | float | str:
    """Return a number if the text is one, else the text itself."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def _plainer(error: UnicodeError) -> tuple[str | bytes, int]:
    """Return plain characters for those that an encoding lacks."""
    assert isinstance(error, UnicodeEncodeError)
    wrong = error.object[error.start : error.end]
    return "".join(PLAINER.get(sign, "+" if "\u2500" <= sign <= "\u257f" else "?") for sign in wrong), error.end


def _write_what_the_terminal_can_show() -> None:
    """Never fail on a character that the encoding of the terminal lacks, whether it is written or typed."""
    codecs.register_error("kibitz.plainer", _plainer)
    for stream, errors in ((sys.stdout, "kibitz.plainer"), (sys.stderr, "kibitz.plainer"), (sys.stdin, "replace")):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors=errors)


def _announce_compilation() -> None:
    """Say on standard error that machine code is being made."""
    from kibitz.core.code_on_disk import notice

    notice.speaks = True


_at_start: list[Callable[[Mapping[str, object]], None]] = []


def at_start(prepare: Callable[[Mapping[str, object]], None]) -> None:
    """Call a function before every verb, with the options of the verb."""
    _at_start.append(prepare)
