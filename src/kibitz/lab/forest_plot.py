"""Forest plots: published and measured numbers with their intervals on a common scale, as SVG or as text.

Rows of a trial with one unit share a scale. Numbers that are compared by factors are shown as parts of the published
one, on a logarithmic scale.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log
from xml.etree.ElementTree import Element

from kibitz.arena.show.report.chart import ROW, Axis, axis, picture, round_scale
from kibitz.arena.show.report.markup import tag
from kibitz.lab.fact import Interval
from kibitz.lab.finding import Finding

WIDTH = 25  # characters; the middle one stands for no difference
REACH = 4.0  # margins that a plot as text reaches to either side; …
REACH_OF_ORDER = 1.25  # … or parts of the farther end of an interval, where there is no margin
LEAST = 1e-9  # smaller numbers are drawn as this one where only a logarithm can be drawn
SHIFT = 5.0  # pixels that the published number lies above the measured one


@dataclass(frozen=True)
class PlotLine:
    """A row on its scale."""

    value: float
    interval: Interval
    published: float | None
    published_interval: Interval | None


def plots(rows: Sequence[Finding]) -> list[list[Element]]:
    """Return the plot of each row, on a scale that rows of a kind share; it stands below the last of them."""
    lines = [_line(row) for row in rows]
    kinds = [(row.unit, row.scale, isinstance(row.published, str)) for row in rows]
    axes = {
        kind: _axis([line for line, of in zip(lines, kinds, strict=True) if of == kind and line], kind[1])
        for kind in kinds
    }
    last = {kind: at for at, (line, kind) in enumerate(zip(lines, kinds, strict=True)) if line is not None}
    found: list[list[Element]] = []
    for at, (line, kind, row) in enumerate(zip(lines, kinds, rows, strict=True)):
        scale = axes[kind]
        drawn = [] if line is None or scale is None else [_drawn(line, scale, row.what)]
        found.append(drawn + ([axis(scale)] if drawn and scale and last[kind] == at else []))
    return found


def _line(row: Finding) -> PlotLine | None:
    if isinstance(row.measured, str) or row.interval is None:
        return None
    published = None if isinstance(row.published, str) else row.published
    if row.scale == "factor":
        low, high = (log(max(end, LEAST) / (published or 1.0)) for end in row.interval)
        return PlotLine(log(max(row.measured, LEAST) / (published or 1.0)), (low, high), 0.0, None)
    if isinstance(row.published, str) and not row.unit:
        published = 0.0  # what a claim compares with
    return PlotLine(row.measured, row.interval, published, row.published_interval)


def _axis(lines: Sequence[PlotLine], scale: str) -> Axis | None:
    if not lines:
        return None
    ends = [end for line in lines for end in (*line.interval, *(line.published_interval or ()))]
    ends += [line.published for line in lines if line.published is not None]
    return round_scale(ends, (lambda mark: f"×{exp(mark):.3g}") if scale == "factor" else lambda mark: f"{mark:.4g}")


def _drawn(line: PlotLine, axis: Axis, what: str) -> Element:
    middle = ROW / 2
    parts = _bar(line.interval, axis, middle + SHIFT / 2, "s1")
    parts.append(tag("circle", cx=axis.across(line.value), cy=middle + SHIFT / 2, r=3.5, class_="dot s1"))
    if line.published is not None:
        if line.published_interval is not None:
            parts += _bar(line.published_interval, axis, middle - SHIFT, "s2")
        x = axis.across(line.published)
        parts.append(tag("line", x1=x, y1=0, x2=x, y2=ROW, class_="reference"))
        parts.append(tag("circle", cx=x, cy=middle - SHIFT, r=3, class_="dot s2"))
    text = "The measured number with its 95 % interval below, the published one above."
    return picture(ROW, what, text, parts)


def _bar(ends: Interval, axis: Axis, y: float, style: str) -> list[Element]:
    low, high = (axis.across(end) for end in ends)
    bar = [tag("line", x1=low, y1=y, x2=high, y2=y, class_=f"bar {style}")]
    return bar + [tag("line", x1=x, y1=y - 3, x2=x, y2=y + 3, class_=f"bar {style}") for x in (low, high)]


def text_plot(row: Finding) -> str:
    """Return the interval of a difference as text: + is no difference, : the margin, o what was measured.

    Without a difference and its interval it is empty. An arrow is an end beyond the plot.
    """
    if row.difference is None or row.difference_interval is None:
        return ""
    value, low, high = (_on_scale(row, number) for number in (row.difference, *row.difference_interval))
    margin = _margin(row)
    reach = REACH * margin if margin else REACH_OF_ORDER * max(abs(low), abs(high), 1e-9)
    cells = [" "] * WIDTH
    middle = WIDTH // 2

    def at(number: float) -> int:
        return middle + round(middle * max(-1.0, min(1.0, number / reach)))

    for place in range(at(low), at(high) + 1):
        cells[place] = "-"
    for mark in (-margin, margin) if margin else ():
        cells[at(mark)] = ":"
    cells[middle] = "+"
    cells[at(value)] = "o"
    if low < -reach:
        cells[0] = "«"
    if high > reach:
        cells[-1] = "»"
    return "".join(cells)


def _on_scale(row: Finding, number: float) -> float:
    return log(max(number, LEAST)) if row.scale == "factor" else number


def _margin(row: Finding) -> float:
    """Return the margin of a row on its scale; 0 if it has none."""
    if not row.margin:
        return 0.0
    number = float(row.margin.split()[0])
    return log(1 + number / 100) if row.scale == "factor" else number
