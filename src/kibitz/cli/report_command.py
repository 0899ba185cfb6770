"""`kibitz report`: a run as a page, and as data."""

from pathlib import Path

import click

from kibitz.console.command_line import complain, print_json, verb

USUAL_PAGE = Path("report.html")


@click.command()
@click.argument("run")
@click.option(
    "--db", type=click.Path(dir_okay=False, path_type=Path), default="results.db", show_default=True, help="The ledger."
)
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the page here; default: report.html, unless other files are requested. An existing file is replaced.",
)
@click.option("--csv", type=click.Path(dir_okay=False, path_type=Path), help="Write one row per game and seat.")
@click.option("--parquet", type=click.Path(dir_okay=False, path_type=Path), help="The same rows, as Parquet.")
@click.option(
    "--moves", type=click.Path(dir_okay=False, path_type=Path),
    help="Write one row per move, as CSV: seconds, positions searched, depth, and the agent's evaluation.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print the data of all figures as one JSON object.")
@verb
def report(
    run: str, db: Path, out: Path | None, csv: Path | None, parquet: Path | None, moves: Path | None, as_json: bool
) -> None:
    """Make a page with figures of RUN: a run in the ledger, or a ledger, of which it takes the newest run.

    The page is one self-contained file. You can make it while the run is being played.
    """
    from kibitz.arena.show.report.report_files import write_report

    page = out if any((out, csv, parquet, moves, as_json)) else USUAL_PAGE
    data = write_report(run, db, page, csv, parquet, moves)
    if moves and data["played"] and not _has_rows(moves):
        complain(f"{moves} has no rows: nothing is known of single moves where compiled code plays all games")
    if as_json:
        print_json(data)
        return
    for path in (page, csv, parquet, moves):
        if path:
            click.echo(f"{path}: {path.stat().st_size / 1000:,.0f} kB, {data['played']:,} games of run {data['run']}")


def _has_rows(table: Path) -> bool:
    """Return whether a CSV file has more than its heading."""
    with table.open(encoding="utf-8") as lines:
        next(lines, None)
        return next(lines, None) is not None
