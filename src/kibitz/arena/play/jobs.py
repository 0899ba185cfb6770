"""Jobs: how many workers may play at the same time."""

from kibitz.core.errors import BadValue

MOST_JOBS = 256


def check_jobs(jobs: int) -> None:
    """Refuse a number of workers that is out of range."""
    if not isinstance(jobs, int) or not 1 <= jobs <= MOST_JOBS:
        raise BadValue(f"jobs must be 1 to {MOST_JOBS}, not {jobs}")
