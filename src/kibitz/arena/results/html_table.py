"""A result as a table in a notebook: plain HTML, in which every text is escaped."""

from collections.abc import Iterable, Sequence
from html import escape


def html_table(title: str, headings: Sequence[str], rows: Iterable[Sequence[str]], remarks: Iterable[str] = ()) -> str:
    """Return a table whose first column holds names, and remarks below it."""
    head = "".join(f'<th style="text-align:{_side(at)}">{escape(text)}</th>' for at, text in enumerate(headings))
    body = "".join(f"<tr>{''.join(map(_cell, range(len(row)), row))}</tr>" for row in rows)
    below = "".join(f"<p>{escape(remark)}</p>" for remark in remarks)
    return (
        f"<table><caption>{escape(title)}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{below}"
    )


def rates(interval: Sequence[float]) -> str:
    """Return an interval of rates as text."""
    return f"{interval[0]:.1%} – {interval[1]:.1%}"


def _cell(at: int, text: str) -> str:
    return f'<td style="text-align:{_side(at)}">{escape(text)}</td>'


def _side(at: int) -> str:
    return "left" if at == 0 else "right"
