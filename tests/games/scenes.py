"""Positions as everyone sees them, and what their scenes have to keep to beside the laws."""

import re
from collections.abc import Iterator

import numpy as np

from kibitz import games
from kibitz.core.contract import UNKNOWN
from kibitz.core.dice import below, dice
from kibitz.core.scene import Panel, Scene, Shape
from kibitz.core.table import Table
from tests.drawing import words_outside

PLACED = re.compile(r"translate\((-?[\d.]+) (-?[\d.]+)\)")


def public_view(table: Table) -> np.ndarray:
    """Return what everyone can see: a cell only if all seats see it alike."""
    views = np.stack([table.view(seat) for seat in range(table.game.seats)])
    views[0][(views != views[0]).any(axis=0)] = UNKNOWN
    return views[0]


def all_views(table: Table) -> list[np.ndarray]:
    """Return the view of every seat, the truth, and what everyone can see."""
    return [*map(table.view, range(table.game.seats)), table.copy_of_truth(), public_view(table)]


def positions(text: str, seed: int = 1, most: int = 2000) -> Iterator[Table]:
    """Yield a table at every position of a random game, the end included."""
    table, rng = Table(games.find(text), seed), dice(seed)
    while not table.over and table.ply < most:
        yield table
        moves = table.moves()
        table.play(moves[below(rng, len(moves))])
    yield table


def targets(scene: Scene) -> list[Shape]:
    """Return the shapes that carry moves."""
    return [shape for shape in scene.shapes() if shape.moves]


def check(scene: Scene) -> None:
    """Check that all stays in its panel, that words can be read, and that what may be clicked or moves is placed."""
    assert scene.panels[0].name == "board"
    for panel in scene.panels:
        assert words_outside(panel) == []
        for shape in panel.shapes:
            _check_boxes(shape, panel, 0.0, 0.0)
    for shape in scene.shapes():
        assert shape.key or not shape.moves
        assert not shape.key or PLACED.fullmatch(str(shape.at["transform"]))


def _check_boxes(shape: Shape, panel: Panel, x: float, y: float) -> None:
    placed = PLACED.fullmatch(str(shape.at.get("transform", "translate(0 0)")))
    for part in shape.parts if placed else ():
        _check_boxes(part, panel, x + float(placed[1]), y + float(placed[2]))
    if shape.tag == "rect":
        left, top, width, height = (float(shape.at[name]) for name in ("x", "y", "width", "height"))
        assert 0 <= x + left <= x + left + width <= panel.width, shape
        assert 0 <= y + top <= y + top + height <= panel.height, shape
