"""The command line: few verbs. Heavy things are imported inside the verbs, so that help answers at once."""

import json
import os
import sys
from collections.abc import Callable, Iterable
from functools import wraps
from pathlib import Path
from typing import Any

import click

from kibitz import __version__

BAD_INPUT = 2
SEED = click.IntRange(0, 2**64 - 1)
_GAME_HELP = (
    "GAME is a name with options if need be, for example quarto or 'quarto(squares=true)', or a path to your own."
)
_AGENT_HELP = (
    "An AGENT is a name with options if need be, for example novice or 'minimax(depth=3)', or a path to your own."
)


def _verb(function: Callable[..., None]) -> Callable[..., None]:
    """Run a verb so that bad input ends in one clear sentence and exit code 2."""

    @wraps(function)
    def guarded(*args: Any, **options: Any) -> None:
        from kibitz.core.errors import KibitzError
        from kibitz.core.signals import heed_signals

        heed_signals()
        try:
            _announce_compilation()
            function(*args, **options)
            sys.stdout.flush()
        except KibitzError as error:
            click.echo(f"kibitz: {error}", err=True)
            sys.exit(BAD_INPUT)
        except KeyboardInterrupt:
            click.echo("kibitz: interrupted", err=True)
            sys.exit(130)
        except BrokenPipeError:  # the reader of our output has gone
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(141)
        except OSError as error:
            where = f" {error.filename}" if error.filename else ""
            click.echo(f"kibitz: cannot read or write{where}: {error.strerror}", err=True)
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(BAD_INPUT)

    return guarded


def _announce_compilation() -> None:
    """Say on the terminal that machine code is being made, which happens once for each version of the sources."""
    from kibitz.core.native import watch_compilation

    counter = {"functions": 0}

    def tell(name: str) -> None:
        counter["functions"] += 1
        if counter["functions"] == 1:
            print("kibitz: compiling for this machine; this happens once", file=sys.stderr, flush=True)
        if sys.stderr.isatty():
            print(f"\r\x1b[K  {counter['functions']:4} {name:.60}", end="", file=sys.stderr, flush=True)

    def done() -> None:
        if sys.stderr.isatty():
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)

    watch_compilation(tell, done)


def _console() -> Any:
    from rich.console import Console

    return Console(highlight=False)


def _print_parts(parts: Iterable[Any]) -> None:
    console = _console()
    for part in parts:
        console.print(part)


def _print_json(data: dict[str, Any]) -> None:
    click.echo(json.dumps(data))


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="kibitz")
def main() -> None:
    """A laboratory for board games with more than two seats, hidden cards, or both.

    \b
    Start here:
      kibitz play quarto                        play against the computer
      kibitz games                              what can be played
      kibitz agents quarto                      who can play it
      kibitz match quarto novice random --games 1000
    """


@main.command(epilog=_GAME_HELP)
@click.argument("game", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print what there is as one JSON object.")
@_verb
def games(game: str | None, as_json: bool) -> None:
    """List the games with their options; with GAME, all that is known about it.

    That is its values and what they declare, its policies, filters and orders, and agents of its own.
    """
    from kibitz import catalogue
    from kibitz import games as library

    entries = [catalogue.game_entry(library.find(game))] if game else catalogue.all_games()
    if as_json:
        _print_json({"games": entries})
        return
    console = _console()
    console.print(catalogue.game_sheet(entries))
    for sheet in catalogue.shelf_sheets(entries[0]) if game else ():
        console.print(sheet)


@main.command(epilog=_GAME_HELP)
@click.argument("game", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print what there is as one JSON object.")
@_verb
def agents(game: str | None, as_json: bool) -> None:
    """List the agents with their options and defaults; with GAME, what it adds.

    That is its own agents, what its values declare, policies, filters and orders; and which agents refuse it, and why.
    """
    from kibitz import catalogue
    from kibitz import games as library

    chosen = library.find(game) if game else None
    entries, known = catalogue.all_agents(chosen), catalogue.game_entry(chosen) if chosen else None
    if as_json:
        _print_json({"agents": entries, "game": known})
        return
    console = _console()
    console.print(catalogue.agent_sheet(entries))
    for sheet in catalogue.shelf_sheets(known) if known else ():
        console.print(sheet)


@main.command(epilog=f"{_GAME_HELP} {_AGENT_HELP}")
@click.argument("game", required=False)
@click.argument("agents", nargs=-1)
@click.option("--seed", type=SEED, help="Deal and agents' dice; a random one if not given.")
@click.option(
    "--resume", is_flag=False, flag_value="", metavar="[FILE]", help="Go on with the game that was last left."
)
@click.option("--trust", is_flag=True, help="With --resume: run the code of games and agents named by a path.")
@click.option("--save", type=click.Path(dir_okay=False, path_type=Path), help="Write the record here at the end.")
@_verb
def play(
    game: str | None, agents: tuple[str, ...], seed: int | None, resume: str | None, trust: bool, save: Path | None
) -> None:
    """Play GAME in the terminal, one AGENT a seat; `human` is you.

    Without agents you have the first seat and the computer the others. Type `help` at the prompt for what you can do.
    """
    from kibitz import terminal

    if resume is not None:
        if game is not None or agents or seed is not None:
            raise click.UsageError("--resume takes game, agents and seed from the record; name none of them")
        terminal.resume(Path(resume) if resume else None, trust, save)
    elif game is None:
        raise click.UsageError("name a GAME (see `kibitz games`), or --resume the last one")
    else:
        terminal.start(game, agents, seed, save)


@main.command(epilog=f"{_GAME_HELP} {_AGENT_HELP}")
@click.argument("game")
@click.argument("agents", nargs=-1)
@click.option("--games", "number", type=int, default=100, show_default=True, help="How many games.")
@click.option("--seed", type=SEED, default=1, show_default=True, help="The same seed gives the same games.")
@click.option("--jobs", type=int, help="Workers; one a core if not given. The result does not depend on it.")
@click.option("--save", type=click.Path(dir_okay=False, path_type=Path), help="Write the records here, one a line.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as one JSON object.")
@_verb
def match(
    game: str, agents: tuple[str, ...], number: int, seed: int, jobs: int | None, save: Path | None, as_json: bool
) -> None:
    """Let agents play GAME against each other and count.

    Seats rotate, so that every agent has every seat equally often on the same deals.
    """
    from kibitz import games as library
    from kibitz.agents.flat import available_threads
    from kibitz.arena.match import play_match

    chosen = library.find(game)
    with _progress(number, "games") as tell:
        result = play_match(chosen, agents, number, seed, available_threads() if jobs is None else jobs, save, tell)
    if as_json:
        _print_json(result)
        return
    from kibitz.arena.sheet import score_sheet

    _print_parts(score_sheet(result, chosen.seat_names))
    if save:
        click.echo(f"{number} records in {save}")


@main.command(epilog=f"{_GAME_HELP} {_AGENT_HELP}")
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("--example", is_flag=True, help="Print a whole tournament file with comments, and do nothing else.")
@click.option("--game", help="What is played; this and what follows up to --hook go before the file.")
@click.option("--agent", "agents", multiple=True, help="Who takes part; give it once for each agent.")
@click.option("--scheme", help="round-robin, gauntlet, one-against-copies, fixed or self-play.")
@click.option("--hero", help="The agent that meets the field.")
@click.option("--games", type=int, help="How many games in all.")
@click.option("--seed", type=SEED, help="The same seed gives the same games.")
@click.option("--openings", metavar="N|auto", help="Random plies before the agents take over.")
@click.option("--stop", metavar="BETTER", help="Stop once it is clear whether the hero is better by, say, '+3 %'.")
@click.option("--alpha", type=float, help="With a stop rule: the chance to call a hero better that is not.")
@click.option("--beta", type=float, help="With a stop rule: the chance to overlook a hero that is better.")
@click.option(
    "--limit", "limits", multiple=True, metavar="NAME=NUMBER",
    help="A limit as in the file, for example move_seconds=1; give it once for each.",
)  # fmt: skip
@click.option("--hook", "hooks", multiple=True, help="A Python file with statistics of your own.")
@click.option(
    "--db", type=click.Path(dir_okay=False, path_type=Path), default="results.db", show_default=True,
    help="The ledger. What is in it already is not played again.",
)  # fmt: skip
@click.option("--jobs", type=int, help="Workers; one a core if not given. The results do not depend on it.")
@click.option(
    "--on", metavar="WHERE",
    help="Play on a Ray cluster: ray (that of RAY_ADDRESS, or one on this machine), ray://HOST:PORT or HOST:PORT.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print the result as one JSON object.")
@_verb
def tournament(
    file: Path | None, example: bool, db: Path, jobs: int | None, on: str | None, as_json: bool, **flags: Any
) -> None:
    """Play the tournament that a TOML FILE plans, or go on with it where it was stopped.

    The least file: game = "quarto", agents = ["random", "novice"]. Every seating is played equally often, on the same
    deals; every game is kept in the ledger as soon as it is finished. The same command again goes on where it
    stopped and plays nothing twice.
    """
    from kibitz.arena.plan import EXAMPLE, read_plan

    if example:
        click.echo(EXAMPLE, nl=False)
        return
    given = _as_in_a_file(**flags)
    if file is None and not (given["game"] and given["agents"]):
        raise click.UsageError("name a FILE, or --game and an --agent or more; --example prints a file")
    from kibitz.arena.cluster import players
    from kibitz.arena.scoreboard import final_table, live_view
    from kibitz.arena.tournament import play_tournament

    plan = read_plan(file, given)
    try:
        with players(on) as (play, workers), live_view(plan) as watch:
            result = play_tournament(plan, db, workers if jobs is None else jobs, watch, play)
    except KeyboardInterrupt:
        click.echo(f"kibitz: interrupted; finished games are in {db}, and the same command goes on", err=True)
        sys.exit(130)
    if as_json:
        _print_json(result)
        return
    _print_parts(final_table(result))
    click.echo(f"All games are in {db}; for a page with figures: kibitz report {result['run']} --db {db}")


def _as_in_a_file(
    openings: str | None,
    stop: str | None,
    alpha: float | None,
    beta: float | None,
    limits: tuple[str, ...],
    **flags: Any,
) -> dict[str, Any]:
    """Return the flags of a tournament as its file would say them, those not given as None."""
    rule = {"better": stop, "alpha": alpha, "beta": beta}
    return {
        **{name: list(value) or None if isinstance(value, tuple) else value for name, value in flags.items()},
        "openings": None if openings is None else _number(openings),
        "stop": {name: value for name, value in rule.items() if value is not None} or None,
        "limits": dict(map(_limit, limits)) or None,
    }


def _limit(text: str) -> tuple[str, int | float | str]:
    from kibitz.core.errors import BadValue

    name, equals, number = text.partition("=")
    if not equals:
        raise BadValue(f"--limit takes NAME=NUMBER, for example move_seconds=1, not {text!r}")
    return name.strip(), _number(number)


def _number(text: str) -> int | float | str:
    """Return a number if it is one, and else the text, which the plan will complain of."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


@main.command()
@click.argument("run")
@click.option(
    "--db", type=click.Path(dir_okay=False, path_type=Path), default="results.db", show_default=True, help="The ledger."
)
@click.option(
    "--out", type=click.Path(dir_okay=False, path_type=Path), help="The page; report.html if nothing else is asked for."
)
@click.option("--csv", type=click.Path(dir_okay=False, path_type=Path), help="Write one row a game and seat here.")
@click.option("--parquet", type=click.Path(dir_okay=False, path_type=Path), help="The same rows, as Parquet.")
@click.option("--json", "as_json", is_flag=True, help="Print the data of all figures as one JSON object.")
@_verb
def report(run: str, db: Path, out: Path | None, csv: Path | None, parquet: Path | None, as_json: bool) -> None:
    """Make a page with figures of RUN, a run in the ledger; or name a ledger, for its newest run.

    The page is one file that needs nothing else. It can be made while the run goes on.
    """
    from kibitz.arena.reports.reporting import write_report

    asked = any((out, csv, parquet, as_json))
    data = write_report(run, db, out if asked else Path("report.html"), csv, parquet)
    if as_json:
        _print_json(data)
        return
    for path in (out if asked else Path("report.html"), csv, parquet):
        if path:
            click.echo(f"{path}: {path.stat().st_size / 1000:,.0f} kB, {data['played']:,} games of run {data['run']}")


@main.command(epilog=f"{_GAME_HELP} {_AGENT_HELP}")
@click.argument("game")
@click.argument("agent")
@click.option("--games", "number", type=int, default=1000, show_default=True, help="How many games.")
@click.option("--seed", type=SEED, default=1, show_default=True, help="The same seed gives the same games.")
@click.option("--openings", type=int, help="Random moves to begin with; if not given, some where deals do not differ.")
@click.option("--jobs", type=int, help="Workers; one a core if not given. The result does not depend on it.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as one JSON object.")
@_verb
def balance(
    game: str, agent: str, number: int, seed: int, openings: int | None, jobs: int | None, as_json: bool
) -> None:
    """Ask whether GAME is fair by seat: AGENT plays against itself in all seats."""
    from kibitz import games as library
    from kibitz.agents.flat import available_threads
    from kibitz.arena.balance import balance_sheet, play_balance

    chosen = library.find(game)
    workers = available_threads() if jobs is None else jobs
    with _progress(number, "games") as tell:
        result = play_balance(chosen, agent, number, seed, workers, openings, tell)
    if as_json:
        _print_json(result)
        return
    _print_parts(balance_sheet(result))


def _progress(total: int, unit: str) -> Any:
    from contextlib import contextmanager

    @contextmanager
    def bar() -> Any:
        if not sys.stderr.isatty():
            yield lambda done: None
            return
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (TextColumn(unit), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
            task = progress.add_task(unit, total=total)
            yield lambda done: progress.update(task, completed=done)

    return bar()


@main.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--number", type=int, help="Show this record move by move (the first is 1).")
@click.option("--ply", type=int, help="Stop after so many moves.")
@click.option("--trust", is_flag=True, help="Run the code of games and agents that records name by a path.")
@click.option("--json", "as_json", is_flag=True, help="Print what was found as one JSON object.")
@_verb
def replay(file: Path, number: int | None, ply: int | None, trust: bool, as_json: bool) -> None:
    """Play the records of FILE again and check every one of them."""
    from kibitz import replaying

    replaying.replay(file, number, ply, trust, as_json, _console())


@main.command(epilog=f"{_GAME_HELP} {_AGENT_HELP}")
@click.argument("what", metavar="FILE|GAME")
@click.option(
    "--ply", type=int, help="After how many moves; a record's last position, or a game's first, if not given."
)
@click.option("--agent", help="Who looks; the strongest that fits the game if not given.")
@click.option("--top", type=int, default=3, show_default=True, help="How many moves to show.")
@click.option("--number", type=int, default=1, show_default=True, help="Which record of the file.")
@click.option("--trust", is_flag=True, help="Run the code of games and agents that records name by a path.")
@click.option("--seed", type=SEED, default=1, show_default=True, help="The agent's dice, and the deal of GAME.")
@click.option("--json", "as_json", is_flag=True, help="Print the analysis as one JSON object.")
@_verb
def analyse(
    what: str, ply: int | None, agent: str | None, top: int, number: int, trust: bool, seed: int, as_json: bool
) -> None:
    """Show the best moves of a position with values per seat and lines of play.

    The position is one of a record in FILE, or of a random game of GAME.
    """
    from kibitz import analysing
    from kibitz.terminal import usual_opponent

    table = analysing.position(what, ply, number, seed, trust)
    found = analysing.analyse(table, agent or usual_opponent(table.game), top, seed)
    if as_json:
        _print_json(found)
        return
    console = _console()
    console.print(table.game.text(table.view(table.turn)), markup=False)
    console.print(analysing.sheet(found, table.game.seat_names))


@main.command(epilog=_GAME_HELP)
@click.argument("game")
@click.option("--depth", type=int, default=3, show_default=True, help="How many moves.")
@click.option("--split", is_flag=True, help="Count by the first move.")
@click.option("--seed", type=SEED, default=1, show_default=True, help="The deal.")
@click.option("--json", "as_json", is_flag=True, help="Print the counts as one JSON object.")
@_verb
def perft(game: str, depth: int, split: bool, seed: int, as_json: bool) -> None:
    """Count the ways to make so many moves from the start of GAME."""
    from rich.table import Table as Sheet

    from kibitz import games as library
    from kibitz.core import perft as counting
    from kibitz.core.errors import BadValue
    from kibitz.core.table import Table

    if depth < 0 or (split and depth < 1):
        raise BadValue(f"--depth must be at least {1 if split else 0}, not {depth}")
    table = Table(library.find(game), seed)
    if split:
        counts = {table.write(move): n for move, n in counting.split(table, depth).items()}
        total = sum(counts.values())
    else:
        counts = {str(level): counting.perft(table, level) for level in range(depth + 1)}
        total = counts[str(depth)]
    if as_json:
        _print_json(
            {"game": str(table.game), "seed": seed, "depth": depth, "split": split, "counts": counts, "total": total}
        )
        return
    sheet = Sheet("first move" if split else "moves", "ways", title=f"{table.game}, seed {seed}", title_justify="left")
    sheet.columns[1].justify = "right"
    for what, count in counts.items():
        sheet.add_row(what, f"{count:,}")
    if split:
        sheet.add_row("total", f"{total:,}")
    _console().print(sheet)


@main.command()
@click.argument("what", required=False, metavar="[GAME|arena]")
@click.option("--json", "as_json", is_flag=True, help="Print the rows as one JSON object.")
@_verb
def bench(what: str | None, as_json: bool) -> None:
    """Measure speed on one core, beside a hand-written C++ yardstick where there is one (and a compiler)."""
    from kibitz import bench as measuring

    rows = []
    for row in measuring.rows(what):
        rows.append(row)
        if not as_json and sys.stderr.isatty():
            click.echo(f"  measured {row['name']}", err=True)
    if as_json:
        _print_json({"rows": rows})
    else:
        _console().print(measuring.sheet(rows))
