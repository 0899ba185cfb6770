"""What scenes of all games have to keep to, for the tests of single games."""

import re
from collections.abc import Iterator

import numpy as np

from kibitz import games
from kibitz.core.contract import UNKNOWN
from kibitz.core.dice import below, dice
from kibitz.core.scene import Scene, Shape
from kibitz.core.table import Table

PHONE = 340  # pixels
SMALLEST = 11  # pixels of letters on a phone
LETTER = 0.62  # the width of a letter, as a part of its height
PLACED = re.compile(r"translate\((-?[\d.]+) (-?[\d.]+)\)")


def public_view(table: Table) -> np.ndarray:
    """Return what everyone can see: a cell only if all seats see it alike."""
    views = np.stack([table.view(seat) for seat in range(table.game.seats)])
    views[0][(views != views[0]).any(axis=0)] = UNKNOWN
    return views[0]


def all_views(table: Table) -> list[np.ndarray]:
    """Return the view of every seat, the truth, and and two forms of what everyone can see."""
    public, truth = public_view(table), table.copy_of_truth()
    seats = [table.view(seat) for seat in range(table.game.seats)]
    shown = np.where((np.stack(seats) == UNKNOWN).any(axis=0), UNKNOWN, truth)
    return [*seats, truth, public, shown]


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


def check(scene: Scene, legal: list[int]) -> None:
    """Check what must be so of any scene: names, targets, and words that can be read; all stays in its panel."""
    assert scene.panels[0].name == "board"
    assert scene.title
    assert len({panel.name for panel in scene.panels}) == len(scene.panels)
    for panel in scene.panels:
        for shape in panel.shapes:
            _check_shape(shape, panel.width, panel.height, 0.0, 0.0)
    for shape in targets(scene):
        assert set(shape.moves) <= set(legal)
        assert shape.title
        assert shape.key
        assert not any(part.moves for part in shape.parts)


def _check_shape(shape: Shape, width: float, height: float, x: float, y: float) -> None:
    if shape.tag == "g":
        placed = PLACED.match(str(shape.at.get("transform", "translate(0 0)")))
        assert placed
        assert shape.parts
        if shape.key:
            assert placed[0] == shape.at["transform"]
        turned = placed[0] != shape.at.get("transform", placed[0])
        for part in () if turned else shape.parts:
            _check_shape(part, width, height, x + float(placed[1]), y + float(placed[2]))
    if shape.tag == "rect":
        left, top, wide, high = (float(shape.at[name]) for name in ("x", "y", "width", "height"))
        assert 0 <= x + left <= x + left + wide <= width, shape
        assert 0 <= y + top <= y + top + high <= height, shape
    if shape.tag == "text":
        size, left, mid = (float(shape.at[name]) for name in ("font-size", "x", "y"))
        long = LETTER * size * len(shape.words)
        left += x - {"end": long, "middle": long / 2}.get(str(shape.at.get("text-anchor")), 0.0)
        assert size * PHONE / width >= SMALLEST, shape
        assert left >= 0, shape
        assert left + long <= width, shape
        assert size / 2 <= mid + y <= height - size / 2, shape
