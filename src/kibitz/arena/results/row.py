"""Rows of a result: frozen records, shown as plain data or, in a notebook, as a table."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, is_dataclass
from html import escape
from typing import Any

from kibitz.core.scoring import Scoring


@dataclass(frozen=True)
class Row:
    """A part of a result."""

    def as_dict(self) -> dict[str, Any]:
        """Return it as plain data, ready for JSON."""
        plain: dict[str, Any] = _plain(self)
        return plain


@dataclass(frozen=True)
class SeatRow(Row):
    """What an agent, or all agents together, did in one seat."""

    seat: int
    games: int
    wins: int
    draws: int
    losses: int
    win_rate: float
    win_interval: tuple[float, float]  # 95 %, from blocks
    mean_place: float  # 1 is the best; seats that tie have the mean of their places
    mean_payoff: float
    payoff_interval: tuple[float, float]  # 95 %, from blocks


@dataclass(frozen=True)
class AgentRow(Row):
    """What an agent did in all its seats; an agent in two seats of a game counts for two."""

    agent: str
    name: str  # what a bot calls itself, with its number in the plan; empty for all others
    games: int
    wins: int
    draws: int
    losses: int
    win_rate: float
    win_interval: tuple[float, float]  # 95 %, from blocks
    places: tuple[float, ...]  # how often it was first, second, ... last; seats that tie share their places equally
    mean_place: float
    mean_payoff: float
    payoff_interval: tuple[float, float]  # 95 %, from blocks
    by_seat: tuple[SeatRow, ...]
    seats_p: float | None  # of equal payoffs in all seats, corrected for the number of agents; None: never compared
    seconds_per_move: float | None  # None where it was not measured


def _plain(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return {entry.name: _plain(getattr(value, entry.name)) for entry in fields(value)}
    if isinstance(value, list | tuple):
        return [_plain(entry) for entry in value]
    if isinstance(value, dict):
        return {key: _plain(entry) for key, entry in value.items()}
    return value


def html_table(title: str, headings: Sequence[str], rows: Iterable[Sequence[str]], remarks: Iterable[str] = ()) -> str:
    """Return a table whose first column holds names, and remarks below it."""
    head = "".join(f'<th style="text-align:{_side(at)}">{escape(text)}</th>' for at, text in enumerate(headings))
    body = "".join(f"<tr>{''.join(map(_cell, range(len(row)), row))}</tr>" for row in rows)
    below = "".join(f"<p>{escape(remark)}</p>" for remark in remarks)
    return (
        f"<table><caption>{escape(title)}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{below}"
    )


def span(interval: Sequence[float]) -> str:
    """Return an interval of rates as text."""
    return f"{interval[0]:.1%} – {interval[1]:.1%}"


def html_rows(
    agents: Sequence[Any], scoring: Scoring, wins: Sequence[tuple[str, Callable[[Any], str]]]
) -> tuple[list[str], list[list[str]]]:
    """Return the headings and rows of a table of agents: what counts comes first, and no wins where all share."""
    payoff = [
        (scoring.heading, lambda row: scoring.mean_text(row.mean_payoff)),
        ("95 % interval", lambda row: scoring.span_text(row.payoff_interval)),
    ]
    columns = [*wins, *payoff] if scoring.by_wins else payoff if scoring.shared else [*payoff, *wins]
    named = [[row.name or row.agent, f"{row.games:,}", *(cell(row) for _, cell in columns)] for row in agents]
    return ["agent", "games", *(heading for heading, _ in columns)], named


def _cell(at: int, text: str) -> str:
    return f'<td style="text-align:{_side(at)}">{escape(text)}</td>'


def _side(at: int) -> str:
    return "left" if at == 0 else "right"
