"""Preliminaries: what is refused before anybody's code runs, because it needs no more than a look."""

from pathlib import Path

from kibitz.arena.play.jobs import check_jobs
from kibitz.arena.results.ledger_file import check_place
from kibitz.core.user_files import check_writable


def preflight(jobs: int, db: Path | str | None = None, save: Path | str | None = None) -> None:
    """Refuse a number of workers that is out of range, a ledger that is none, and a file that cannot be written."""
    check_jobs(jobs)
    if db is not None:
        check_place(Path(db))
    if save is not None:
        check_writable(Path(save))
