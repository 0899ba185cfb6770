"""A scene: a view as panels of shapes, some of which may be clicked for moves; and its picture as SVG."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from textwrap import fill

TEXT_WIDTH = 79  # the longest line of a game's text: it fits a terminal of 80 columns

# The colours of a theme, written var(--ink) in a shape; these are their values in a picture outside the browser.
THEME = {"ink": "#2b2620", "faint": "#776d5e", "paper": "#fbf8f1", "card": "#ffffff", "line": "#d9cfbd"}

Paint = dict[str, float | str]  # SVG attributes of a shape

GAP = 16.0  # between panels, and around them
HEADING = 24.0  # the height of a panel's title


@dataclass(frozen=True)
class Shape:
    """One shape: SVG tag and attributes, text inside, a title in words, and the moves that a click on it may start.

    An object made of several shapes is a "g" with parts; the first is its outline, which is marked if the object may be
    clicked. `key` identifies the object: it has the same key in the next position. Equal objects may share a key.
    """

    tag: str
    at: Mapping[str, float | str]
    words: str = ""
    title: str = ""
    moves: tuple[int, ...] = ()
    key: str = ""
    parts: tuple["Shape", ...] = ()


@dataclass(frozen=True)
class Panel:
    """One canvas of a scene, whose shapes are drawn in order; `seat` is its owner, if it has one.

    It is shown 320 to 700 pixels wide, so text is legible from about a thirtieth of the width.
    """

    name: str
    width: float
    height: float
    shapes: Sequence[Shape] = field(default_factory=list)
    title: str = ""
    seat: int | None = None


@dataclass(frozen=True)
class Scene:
    """A picture of a position: panels, the board first, and a prompt for the seat to move."""

    title: str
    panels: Sequence[Panel]
    prompt: str = ""

    def shapes(self) -> Iterator[Shape]:
        """Yield the shapes of all panels, including those inside others."""
        for panel in self.panels:
            for shape in panel.shapes:
                yield shape
                yield from parts_of(shape)


def parts_of(shape: Shape) -> Iterator[Shape]:
    """Yield the parts of a shape, and their parts."""
    for part in shape.parts:
        yield part
        yield from parts_of(part)


def placed(x: float, y: float) -> Paint:
    """Return the attributes of a "g" whose parts are drawn around a point."""
    return {"transform": f"translate({x:.2f} {y:.2f})"}


def label(words: str, x: float, y: float, size: float, **paint: float | str) -> Shape:
    """Return words centred on a point, in ink unless another fill is given."""
    middle: Paint = {"x": x, "y": y, "text-anchor": "middle", "dominant-baseline": "central"}
    return Shape("text", {**middle, "font-size": size, "fill": "var(--ink)", **paint}, words)


def caption(
    words: str, x: float, y: float, size: float = 13.0, fill: str = "var(--ink)", **paint: float | str
) -> Shape:
    """Return words that begin at a point, their middle at its height; attributes are written with underscores."""
    at: Paint = {"x": x, "y": y, "font-size": size, "fill": fill, "dominant-baseline": "central"}
    return Shape("text", {**at, **_hyphenated(paint)}, words)


def box(x: float, y: float, width: float, height: float, fill: str, **paint: float | str) -> Shape:
    """Return a rectangle; attributes are written with underscores."""
    return Shape("rect", {"x": x, "y": y, "width": width, "height": height, "fill": fill, **_hyphenated(paint)})


def group(x: float, y: float, parts: Sequence[Shape], title: str, moves: tuple[int, ...] = (), key: str = "") -> Shape:
    """Return one thing at a point, its outline first among its parts."""
    return Shape("g", {"transform": f"translate({x:g} {y:g})"}, title=title, moves=moves, key=key, parts=tuple(parts))


def _hyphenated(paint: Paint) -> Paint:
    return {name.replace("_", "-"): value for name, value in paint.items()}


def svg(scene: Scene) -> str:
    """Return a scene as one SVG picture: the board, with the other panels in a column beside it."""
    board, *others = scene.panels
    column = max((panel.width for panel in others), default=0.0)
    width = GAP + board.width + GAP + (column + GAP if others else 0.0)
    stacked = sum(_tall(panel) for panel in others) + GAP * max(len(others) - 1, 0)
    height = max(_tall(board), stacked) + 2 * GAP
    size = f'viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}"'
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" role="img">']
    lines.append(f"  <title>{escape(scene.title)}</title>")
    lines.append(f'  <rect width="{width:g}" height="{height:g}" fill="{THEME["paper"]}"/>')
    lines += _drawn(board, GAP, (height - _tall(board)) / 2)
    y = (height - stacked) / 2
    for panel in others:
        lines += _drawn(panel, board.width + 2 * GAP, y)
        y += _tall(panel) + GAP
    return "\n".join([*lines, "</svg>\n"])


def _heading(panel: Panel) -> float:
    return HEADING if panel.title else 0.0


def _tall(panel: Panel) -> float:
    return panel.height + _heading(panel)


def _drawn(panel: Panel, x: float, y: float) -> Iterator[str]:
    yield f'  <g transform="translate({x:g} {y + _heading(panel):g})">'
    if panel.title:
        yield f'    <text y="-8" font-size="14" fill="{THEME["ink"]}">{escape(panel.title)}</text>'
    yield from (f"    {_element(shape)}" for shape in panel.shapes)
    yield "  </g>"


def _element(shape: Shape) -> str:
    parts = [f'{key}="{escape(_written(value))}"' for key, value in shape.at.items()]
    inside = f"<title>{escape(shape.title)}</title>" if shape.title else ""
    inside += escape(shape.words) + "".join(map(_element, shape.parts))
    return f"<{' '.join([shape.tag, *parts])}>{inside}</{shape.tag}>"


def _written(value: float | str) -> str:
    if isinstance(value, float):
        return f"{value:g}"
    return re.sub(r"var\(--(\w+)\)", lambda found: THEME[found[1]], str(value))


def news_beside(text: str, changes: Iterable[str]) -> list[str]:
    """Return what a move changed, without what its text says already, as in "on the table: 10♣" after the move 10♣.

    A number may be that of something else, so it is told.
    """
    return [line for line in changes if text.isdecimal() or line.rpartition(": ")[2].casefold() != text.casefold()]


def listed(lead: str, items: Iterable[str], between: str = ", ", hang: int = 6) -> str:
    """Return a list as text in as many lines as needed, all but the first indented by `hang`.

    No item is broken that fits a line of its own.
    """
    room = TEXT_WIDTH - hang - len(between.rstrip())
    whole = between.join(item.replace(" ", "\N{NO-BREAK SPACE}") if len(item) <= room else item for item in items)
    lines = fill(lead + whole, TEXT_WIDTH, subsequent_indent=" " * hang, break_long_words=False, break_on_hyphens=False)
    return lines.replace("\N{NO-BREAK SPACE}", " ")
