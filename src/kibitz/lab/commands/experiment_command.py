"""`kibitz experiment`: published tables, run again."""

from dataclasses import replace
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kibitz.console.command_line import INTERRUPTED, JOBS_HELP, ON_HELP, SEED, complain, print_json, print_parts, verb

if TYPE_CHECKING:
    from kibitz.lab.experiment import Experiment
    from kibitz.lab.experiment_outcome import Outcome
    from kibitz.lab.trials.trial import TrialSetup

LEDGER = click.option(
    "--db", type=click.Path(dir_okay=False, path_type=Path), default="experiments.db", show_default=True,
    help="The ledger that keeps games and outcomes; games that it holds are not played again.",
)  # fmt: skip
FILE = click.Path(dir_okay=False, path_type=Path)
ALL, QUICK = "all", "quick"


@click.group()
def experiment() -> None:
    """Run published tables again and compare the figures.

    \b
    kibitz experiment list
    kibitz experiment run quarto-players --scale 0.1
    kibitz experiment run all --scale 0.05
    kibitz experiment run quick
    kibitz experiment report --out pages
    """


@experiment.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print the list as one JSON object.")
@verb
def list_(as_json: bool) -> None:
    """List the experiments that come with Kibitz."""
    from rich.table import Table

    from kibitz.lab.experiment import names, outline

    found = [outline(name) for name in names()]
    if as_json:
        keys = ("name", "title", "document", "place", "size", "aside")
        print_json({"experiments": [{key: getattr(entry, key) for key in keys} for entry in found]})
        return
    table = Table(box=None)
    table.add_column("experiment", no_wrap=True)
    table.add_column("what it is about")
    table.add_column("source")
    table.add_column("size", justify="right")
    for entry in found:
        source = "run by name, not with all" if entry.aside else f"{entry.document} {entry.place}".strip()
        size = "\n".join(f"{number:,} {unit}" for unit, number in entry.size.items())
        table.add_row(entry.name, entry.title, source, size)
    print_parts([table])


@experiment.command("run")
@click.argument("wanted", nargs=-1, required=True, metavar="NAME...")
@click.option(
    "--scale", type=click.FloatRange(0, 1000, min_open=True), default=1.0, show_default=True,
    help="The share of the document's games to play.",
)  # fmt: skip
@click.option(
    "--seed", type=SEED, default=1, show_default=True, help="All games follow from it; another one plays other games."
)
@click.option("--jobs", type=int, help=JOBS_HELP)
@click.option("--on", metavar="WHERE", help=ON_HELP)
@LEDGER
@click.option("--json", "as_json", is_flag=True, help="Print each outcome as one JSON object.")
@verb
def run_(
    wanted: tuple[str, ...], scale: float, seed: int, jobs: int | None, on: str | None, db: Path, as_json: bool
) -> None:
    """Run the experiments NAME..., all of them, or your own by the path of its TOML file.

    `all` leaves out those that belong to no document; name them. `quick` is a set of small ones that takes seconds and
    is not kept. docs/experiments.md tells how to write one. After Ctrl-C the same command continues.
    """
    from kibitz.arena.session import preflight
    from kibitz.arena.tournament import players
    from kibitz.core.errors import BadValue
    from kibitz.lab.experiment import find, names, outline
    from kibitz.lab.trials.trial import TrialSetup

    chosen = [name for name in names() if not outline(name).aside] if ALL in wanted else []
    chosen += [name for name in wanted if name not in (ALL, QUICK)]
    if not isfinite(scale):
        raise BadValue(f"--scale must be a number above 0, not {scale}")
    preflight(1 if jobs is None else jobs, db if chosen else None)
    for name in chosen:
        outline(name)
    found = [find(name) for name in chosen]
    with players(on) as (play, workers):
        setup = TrialSetup(scale, workers if jobs is None else jobs, db, seed=seed, play=play)
        if QUICK in wanted:
            for entry in map(find, [name for name in names() if outline(name).quick]):
                _show(_run(entry, replace(setup, scale=scale * entry.quick, db=None)), as_json)
        _run_and_keep(found, setup, db, as_json)


def _run_and_keep(found: "list[Experiment]", setup: "TrialSetup", db: Path, as_json: bool) -> None:
    """Run experiments one after another, and keep the outcome of each."""
    from kibitz.arena.session import Interrupted
    from kibitz.lab.outcomes import keep

    if len(found) > 1:
        _announce(found, setup)
    for entry in found:
        try:
            outcome = _run(entry, setup)
        except Interrupted as stop:
            _show(stop.result, as_json)
            complain(f"interrupted; finished games are in {db}, and the same command continues")
            raise SystemExit(INTERRUPTED) from None
        keep(outcome, db)
        _show(outcome, as_json)


@experiment.command("report")
@click.argument("wanted", nargs=-1, metavar="[NAME]...")
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), help="A folder that gets all files of the report."
)
@click.option("--csv", type=FILE, help="A file for everything that is known of each row.")
@click.option("--latex", type=FILE, help="A file for long tables in LaTeX.")
@click.option("--bibtex", type=FILE, help="A file for Kibitz and the documents in BibTeX.")
@LEDGER
@verb
def report_(
    wanted: tuple[str, ...], out: Path | None, csv: Path | None, latex: Path | None, bibtex: Path | None, db: Path
) -> None:
    """Write a report of the experiments in the ledger, or of those named.

    The folder gets results.html, results.md, results.csv with everything that is known of each row, results.tex and
    results.bib. Single files may have any name. Of an experiment that was run with several seeds or scales, the report
    shows the run with the most games and names the others.
    """
    from kibitz.core.errors import BadValue
    from kibitz.lab.experiment_files import write_files, write_report
    from kibitz.lab.outcomes import kept, named

    files = {kind: path for kind, path in (("csv", csv), ("tex", latex), ("bib", bibtex)) if path is not None}
    if out is None and not files:
        raise BadValue("say where the report goes: --out FOLDER for all of it, or --csv, --latex or --bibtex FILE")
    known = kept(db)
    for name in wanted:
        if not named(known, name):
            raise BadValue(f"{db} holds no outcome of {name}; run it first: kibitz experiment run {name} --db {db}")
    if not known:
        raise BadValue(f"{db} holds no outcome of any experiment; run one first: kibitz experiment run NAME --db {db}")
    chosen = [outcome for name in wanted for outcome in named(known, name)] if wanted else [*known.values()]
    written = write_files(chosen, files)
    for path in [*written, *(write_report(chosen, out, db.name) if out is not None else [])]:
        click.echo(f"{path}: {path.stat().st_size / 1000:,.0f} kB")


def _announce(found: "list[Experiment]", setup: "TrialSetup") -> None:
    from kibitz.arena.show.text import duration
    from kibitz.lab.runner import estimate

    complain(f"trying a few games of {len(found)} experiments, to see how long they take")
    seconds = 0.0
    for place, entry in enumerate(found, 1):
        seconds += estimate(entry, setup)
        complain(f"{place} of {len(found)}: {entry.name} tried; so far they take about {duration(seconds)}")
    complain(
        f"all of them take about {duration(seconds)} at scale {setup.scale:g}, and longer where a row contradicts, "
        "which a second seed must confirm"
    )


def _run(entry: "Experiment", setup: "TrialSetup") -> "Outcome":
    from kibitz.arena.show.live import live_view
    from kibitz.lab.runner import run

    with live_view(entry.name) as progress:
        return run(entry, replace(setup, progress=progress))


def _show(outcome: "Outcome", as_json: bool) -> None:
    from kibitz.lab.experiment_tables import terminal_parts

    if as_json:
        print_json(outcome.as_dict())
    else:
        print_parts(terminal_parts(outcome))
