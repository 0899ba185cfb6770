"""Charts: SVG as wide as the page, in percent across and pixels down, so that texts keep their size on any screen."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10
from xml.etree.ElementTree import Element

from kibitz.arena.show.report.markup import tag

INSET = 3.0  # percent left free at both sides
ROW, AXIS = 24, 18  # pixels
HEIGHT, HEAD = 150, 16  # of a plot; above it there is room for the label of its highest line


@dataclass(frozen=True)
class Axis:
    """From numbers to fractions of a length, 0 to 1, with round numbers to mark."""

    low: float
    high: float
    marks: Sequence[float]
    label: Callable[[float], str]
    logarithmic: bool = False

    def fraction(self, value: float) -> float:
        """Return the coordinate of a number; the middle if there is only one."""
        if self.high == self.low:
            return 0.5
        if self.logarithmic:
            return (log10(value) - log10(self.low)) / (log10(self.high) - log10(self.low))
        return (value - self.low) / (self.high - self.low)

    def across(self, value: float) -> str:
        """Return where a number lies in percent of the width."""
        return f"{INSET + (100 - 2 * INSET) * self.fraction(value):.2f}%"


def round_scale(values: Sequence[float], label: Callable[[float], str], marks: int = 4) -> Axis:
    """Return a scale that holds all values and begins and ends with a round number."""
    low, high = min(values), max(values)
    if high - low < 1e-9 * max(1.0, abs(high)):
        low, high = low - 0.5, high + 0.5
    rough = (high - low) / marks
    unit = 10.0 ** floor(log10(rough))
    step = next(unit * factor for factor in (1, 2, 5, 10) if unit * factor >= rough * 0.999)
    first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
    return Axis(first * step, last * step, [number * step for number in range(first, last + 1)], label)


def power_scale(values: Sequence[float], label: Callable[[float], str]) -> Axis:
    """Return a logarithmic scale from one power of ten to another."""
    first, last = floor(log10(min(values)) + 1e-9), ceil(log10(max(values)) - 1e-9)
    if first == last:
        last += 1
    return Axis(10.0**first, 10.0**last, [10.0**power for power in range(first, last + 1)], label, logarithmic=True)


def picture(height: int, title: str, text: str, *parts: object) -> Element:
    """Return an SVG with a title and a description for screen readers."""
    return tag("svg", tag("title", title), tag("desc", text), *parts, width="100%", height=height, role="img")


def interval(
    value: float, ends: Sequence[float], scale: Axis, reference: float | None, text: str, style: str = ""
) -> Element:
    """Return one row: a dot with an error bar, and a line for what it is compared with."""
    low, high = (max(scale.low, min(scale.high, end)) for end in ends)
    middle = ROW / 2
    return picture(
        ROW, text, "A dot for the value, a bar for its 95 % interval.",
        None if reference is None else _line(scale.across(reference), 0, scale.across(reference), ROW, "reference"),
        _line(scale.across(low), middle, scale.across(high), middle, f"bar {style}"),
        [_line(scale.across(end), middle - 4, scale.across(end), middle + 4, f"bar {style}") for end in (low, high)],
        tag("circle", cx=scale.across(value), cy=middle, r=4, class_=f"dot {style}"),
    )  # fmt: skip


def axis(scale: Axis) -> Element:
    """Return the scale under such rows."""
    step = scale.marks[1] - scale.marks[0]
    marks = [
        tag("text", scale.label(mark), x=scale.across(mark), y=13, text_anchor="middle",
            class_="odd" if len(scale.marks) > 3 and round(mark / step) % 2 else "even")
        for mark in scale.marks
    ]  # fmt: skip
    return tag("svg", marks, width="100%", height=AXIS, aria_hidden="true")


def histogram(bars: Sequence[tuple[str, int]], title: str, text: str) -> Element:
    """Return bars with counts; labels without room are left out."""
    scale = round_scale([0, max(number for _, number in bars)], lambda value: f"{value:,.0f}")
    wide, every = (100 - 2 * INSET) / len(bars), ceil(len(bars) / 8)
    parts = []
    for at, (label, number) in enumerate(bars):
        top = _down(scale, number)
        parts.append(
            tag("rect", tag("title", f"{label}: {number:,}"), x=f"{INSET + wide * (at + 0.06):.2f}%", y=f"{top:.1f}",
                width=f"{wide * 0.88:.2f}%", height=f"{HEAD + HEIGHT - top:.1f}", class_="bar")
        )  # fmt: skip
        if at % every == 0:
            x = f"{INSET + wide * (at + 0.5):.2f}%"
            parts.append(tag("text", label, x=x, y=HEAD + HEIGHT + 14, text_anchor="middle"))
    return picture(HEAD + HEIGHT + AXIS, title, text, _grid(scale), parts)


@dataclass(frozen=True)
class Curve:
    """A line of a plot, in pieces where numbers are missing."""

    style: str  # a class of the style sheet
    points: Sequence[tuple[float, float | None]]


def plot(lines: Sequence[Curve], across: Axis, down: Axis, title: str, text: str) -> Element:
    """Return lines over a common scale; the last is drawn on top."""
    shapes = []
    for line in lines:
        pieces = _pieces(line.points)
        strokes = [
            tag("polyline", class_=line.style, points=" ".join(
                f"{1000 * across.fraction(x):.1f},{1000 - 1000 * down.fraction(y):.1f}" for x, y in piece))
            for piece in pieces if len(piece) > 1
        ]  # fmt: skip
        shapes.append(tag("svg", strokes, x=f"{INSET}%", width=f"{100 - 2 * INSET}%", y=HEAD, height=HEIGHT,
                         viewBox="0 0 1000 1000", preserveAspectRatio="none", class_="strokes"))  # fmt: skip
        shapes += [
            tag("circle", cx=across.across(piece[0][0]), cy=f"{_down(down, piece[0][1]):.1f}", r=2.5, class_=line.style)
            for piece in pieces if len(piece) == 1
        ]  # fmt: skip
    marks = [
        tag("text", across.label(mark), x=across.across(mark), y=HEAD + HEIGHT + 14, **_anchor(across, mark))
        for mark in across.marks
    ]
    return picture(HEAD + HEIGHT + AXIS, title, text, _grid(down), shapes, marks)


def _pieces(points: Sequence[tuple[float, float | None]]) -> list[list[tuple[float, float]]]:
    pieces: list[list[tuple[float, float]]] = [[]]
    for x, y in points:
        if y is None:
            pieces.append([])
        else:
            pieces[-1].append((x, y))
    return [piece for piece in pieces if piece]


def _down(scale: Axis, value: float) -> float:
    return HEAD + HEIGHT * (1 - scale.fraction(value))


def _grid(scale: Axis) -> list[Element]:
    parts = []
    for mark in scale.marks:
        y = f"{_down(scale, mark):.1f}"
        parts += [_line("0", y, "100%", y, "grid"), tag("text", scale.label(mark), x=0, y=f"{float(y) - 3:.1f}")]
    return parts


def _line(x1: str, y1: object, x2: str, y2: object, style: str) -> Element:
    return tag("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=style)


def _anchor(scale: Axis, mark: float) -> dict[str, str]:
    """Keep the outermost labels inside where they are words."""
    fraction, words = scale.fraction(mark), len(scale.label(mark)) > 5
    return {"text_anchor": "start" if words and fraction < 0.02 else "end" if words and fraction > 0.98 else "middle"}
