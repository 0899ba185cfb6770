"""Viewpoint: who sees what. Everything that a browser gets of a position is made here, from one viewer's view.

A viewer is a seat, or PUBLIC, a spectator, or ALL, who sees the truth: in an editor, after the end, and in games
without secrets.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from msgspec import UNSET

from kibitz.agents.seated_agents import events_of
from kibitz.core.game import Game
from kibitz.core.notebook import common_view
from kibitz.core.scene import Panel, Scene, Shape
from kibitz.core.table import Table
from kibitz.core.world import World
from kibitz.web.scene_messages import Coordinate, ShownMove, ShownPanel, ShownScene, ShownShape
from kibitz.web.server_messages import ShownViewer

PUBLIC, ALL = -1, -2
DIGITS = 2  # of coordinates on the wire


def viewers(game: Game) -> list[int]:
    """Return all viewers who may see different things."""
    return [*range(game.seats), PUBLIC, ALL] if game.hidden else [ALL]


def seen(game: Game, position: Table | World, viewer: int) -> np.ndarray:
    """Return what a viewer sees of a position; the public sees a cell only if all seats see the same there."""
    if viewer == ALL or not game.hidden:
        return position.copy_of_truth() if isinstance(position, Table) else position.cells.copy()
    if viewer >= 0:
        return position.view(viewer)
    return common_view(game, position.view)


def known_moves(position: Table | World, viewer: int, revealed: bool) -> list[int]:
    """Return the legal moves if a viewer may know them: the seat to move, and anybody where there are no secrets."""
    return position.moves() if not position.over and (revealed or viewer == position.turn) else []


def told(table: Table, move: int) -> dict[int, str | None]:
    """Return the text of a move, not yet played, by viewer; None for those who cannot tell which move it is."""
    whole = table.write(move)
    if not table.game.hidden:
        return {ALL: whole}
    by_seat = {seat: event.text for seat, event in events_of(table, move, range(table.game.seats)).items()}
    texts = set(by_seat.values())
    return {**by_seat, PUBLIC: texts.pop() if len(texts) == 1 else None, ALL: whole}


def news(game: Game, before: Mapping[int, np.ndarray], after: Mapping[int, np.ndarray]) -> dict[int, list[str]]:
    """Return what a move changed, in words, by viewer, from that viewer's views alone."""
    known: dict[bytes, list[str]] = {}
    found = {}
    for viewer in before:
        key = before[viewer].tobytes() + after[viewer].tobytes()
        if key not in known:
            known[key] = list(game.changes(before[viewer], after[viewer]))
        found[viewer] = known[key]
    return found


def touched(before: Scene) -> dict[int, list[str]]:
    """Return by move the keys of the things that it concerns, in what a viewer saw before it."""
    found: dict[int, list[str]] = {}
    for shape in before.shapes():
        for move in shape.moves if shape.key else ():
            keys = found.setdefault(move, [])
            if shape.key not in keys:
                keys.append(shape.key)
    return found


def legal_moves(game: Game, view: np.ndarray, moves: Sequence[int]) -> list[ShownMove]:
    """Return moves with their texts, for the seat that may make them."""
    return [ShownMove(move, game.write(view, move)) for move in moves]


def shown_viewer(viewer: int) -> ShownViewer:
    """Return a viewer as browsers know it."""
    if viewer == ALL:
        return "all"
    return None if viewer == PUBLIC else viewer


def shown_scene(scene: Scene) -> ShownScene:
    """Return a scene as it goes over the wire, without what is empty."""
    return ShownScene(scene.title, [_panel(panel) for panel in scene.panels], scene.prompt or UNSET)


def _panel(panel: Panel) -> ShownPanel:
    return ShownPanel(
        name=panel.name, width=_number(panel.width), height=_number(panel.height), title=panel.title or UNSET,
        seat=UNSET if panel.seat is None else int(panel.seat), shapes=[_shape(shape) for shape in panel.shapes],
    )  # fmt: skip


def _shape(shape: Shape) -> ShownShape:
    at = {name: value if isinstance(value, str) else _number(value) for name, value in shape.at.items()}
    return ShownShape(
        tag=shape.tag, at=at, words=shape.words or UNSET, title=shape.title or UNSET,
        moves=[int(move) for move in shape.moves] or UNSET, key=shape.key or UNSET,
        parts=[_shape(part) for part in shape.parts] or UNSET,
    )  # fmt: skip


def _number(value: float) -> Coordinate:
    """Return a coordinate with few digits, as a whole number where it is one."""
    rounded = round(float(value), DIGITS)
    whole = int(rounded)
    return whole if rounded == whole else rounded
