"""Scenes as tests look at them: what may be clicked, what stands where, and where words end."""

import re
from collections.abc import Iterator

from kibitz.core.scene import Panel, Scene, Shape
from kibitz.core.table import Table

LETTER = 0.62  # the width of a letter of a usual font, on average, in font sizes
TRANSLATE = re.compile(r"translate\(([-\d.]+)[ ,]+([-\d.]+)\)")
LEAST_FONT = 11 / 340  # of the width of a panel


def scene_of(table: Table) -> Scene:
    """Return a position as the seat to move sees it; as the first seat does when the game is over."""
    seat, legal = (0, []) if table.over else (table.turn, table.moves())
    return table.game.scene(table.view(seat), legal)


def carriers(scene: Scene, move: int) -> list[str]:
    """Return the titles of the shapes that carry a move."""
    return [shape.title for shape in scene.shapes() if move in shape.moves]


def keyed(panel: Panel) -> list[tuple[str, str]]:
    """Return the things in a panel that have a key and are placed, with where they are; cells lie where they lie."""
    placed = [shape for shape in panel.shapes if shape.key and "transform" in shape.at]
    return sorted((shape.key, str(shape.at["transform"])) for shape in placed)


def words_outside(panel: Panel) -> list[str]:
    """Return the words of a panel that leave it or are too small to read on a phone."""
    return [
        words
        for words, size, left, y, right in _lines(panel.shapes, 0.0, 0.0)
        if left < 0
        or right > panel.width
        or y < size / 2
        or y > panel.height - size / 2
        or size < LEAST_FONT * panel.width
    ]


def _lines(shapes, x: float, y: float) -> Iterator[tuple[str, float, float, float, float]]:
    for shape in shapes:
        if shape.tag == "text":
            yield _line(shape, x, y)
        found = TRANSLATE.search(str(shape.at.get("transform", "")))
        dx, dy = map(float, found.groups()) if found else (0.0, 0.0)
        yield from _lines(shape.parts, x + dx, y + dy)


def _line(text: Shape, x: float, y: float) -> tuple[str, float, float, float, float]:
    size = float(text.at["font-size"])
    width = LETTER * size * len(text.words)
    left = (
        x + float(text.at["x"]) - {"start": 0.0, "middle": width / 2, "end": width}[text.at.get("text-anchor", "start")]
    )
    return text.words, size, left, y + float(text.at["y"]), left + width
