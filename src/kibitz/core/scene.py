"""A scene: a view as plain shapes, and which of them may be clicked for which moves; and its picture as SVG."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from textwrap import fill

TEXT_WIDTH = 79  # the longest line of a game's text: it fits a terminal of 80 columns


@dataclass(frozen=True)
class Shape:
    """One shape: SVG tag and attributes, text inside, a title in words, and the moves a click on it may begin."""

    tag: str
    at: Mapping[str, float | str]
    words: str = ""
    title: str = ""
    moves: tuple[int, ...] = ()


@dataclass(frozen=True)
class Scene:
    """Shapes on a canvas, drawn in order."""

    width: float
    height: float
    title: str
    shapes: Sequence[Shape] = field(default_factory=list)


def svg(scene: Scene) -> str:
    """Return a scene as a picture that stands by itself."""
    size = f'viewBox="0 0 {scene.width:g} {scene.height:g}" width="{scene.width:g}" height="{scene.height:g}"'
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" role="img">']
    lines.append(f"  <title>{escape(scene.title)}</title>")
    lines += [f"  {_element(shape)}" for shape in scene.shapes]
    return "\n".join([*lines, "</svg>\n"])


def _element(shape: Shape) -> str:
    parts = [
        f'{key}="{escape(f"{value:g}" if isinstance(value, float) else str(value))}"' for key, value in shape.at.items()
    ]
    inside = f"<title>{escape(shape.title)}</title>" if shape.title else ""
    return f"<{shape.tag} {' '.join(parts)}>{inside}{escape(shape.words)}</{shape.tag}>"


def listed(lead: str, items: Iterable[str], between: str = ", ", hang: int = 6) -> str:
    """Return a list as text, in as many lines as it needs, those after the first `hang` in; no item is torn apart."""
    whole = between.join(item.replace(" ", "\N{NO-BREAK SPACE}") for item in items)
    lines = fill(lead + whole, TEXT_WIDTH, subsequent_indent=" " * hang, break_long_words=False, break_on_hyphens=False)
    return lines.replace("\N{NO-BREAK SPACE}", " ")
