"""A scene: a view as plain shapes, and which of them may be clicked for which moves; and its picture as SVG."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape


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
