"""Viewpoint: who sees what. Everything that a browser gets of a position is made here, from one viewer's view.

A viewer is a seat, or PUBLIC, whoever watches, or ALL, who sees the truth: at a test bench, after the end, and in games
without secrets.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from kibitz.core.game import Game
from kibitz.core.notebook import common_view
from kibitz.core.scene import Panel, Scene, Shape
from kibitz.core.table import Table
from kibitz.core.world import World

PUBLIC, ALL = -1, -2
DIGITS = 2  # of coordinates on the wire


def viewers(game: Game) -> list[int]:
    """Return all viewers who may see different things."""
    return [*range(game.seats), PUBLIC, ALL] if game.hidden else [ALL]


def seen(game: Game, position: Table | World, viewer: int) -> np.ndarray:
    """Return what a viewer sees of a position; the public sees a cell only if every seat sees it alike."""
    if viewer == ALL or not game.hidden:
        return position.copy_of_truth() if isinstance(position, Table) else position.cells
    if viewer >= 0:
        return position.view(viewer)
    return common_view(game, position.view)


def known_moves(position: Table | World, viewer: int, open_book: bool) -> list[int]:
    """Return the legal moves if a viewer may know them: the seat to move, and anybody where there are no secrets."""
    return position.moves() if not position.over and (open_book or viewer == position.turn) else []


def told(table: Table, move: int) -> dict[int, str | None]:
    """Return the text of a move, not yet played, for every viewer; None for who cannot tell which move it is."""
    whole = table.write(move)
    if not table.game.hidden:
        return {ALL: whole}
    by_seat = {seat: whole if seat == table.turn else table.told(move, seat) for seat in range(table.game.seats)}
    texts = {table.told(move, seat) for seat in range(table.game.seats)}
    return {**by_seat, PUBLIC: texts.pop() if len(texts) == 1 else None, ALL: whole}


def news(game: Game, before: Mapping[int, np.ndarray], after: Mapping[int, np.ndarray]) -> dict[int, list[str]]:
    """Return what a move changed, in words, for every viewer, from that viewer's views alone."""
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


def legal_moves(game: Game, view: np.ndarray, moves: Sequence[int]) -> list[dict[str, Any]]:
    """Return the legal moves with their texts, for who may make them."""
    return [{"move": move, "text": game.write(view, move)} for move in moves]


def scene_data(scene: Scene) -> dict[str, Any]:
    """Return a scene as plain data without what is empty."""
    data: dict[str, Any] = {"title": scene.title, "panels": [_panel(panel) for panel in scene.panels]}
    if scene.prompt:
        data["prompt"] = scene.prompt
    return data


def _panel(panel: Panel) -> dict[str, Any]:
    data: dict[str, Any] = {"name": panel.name, "width": _number(panel.width), "height": _number(panel.height)}
    if panel.title:
        data["title"] = panel.title
    if panel.seat is not None:
        data["seat"] = int(panel.seat)
    data["shapes"] = [_shape(shape) for shape in panel.shapes]
    return data


def _shape(shape: Shape) -> dict[str, Any]:
    at = {name: value if type(value) in (str, int) else _number(value) for name, value in shape.at.items()}
    data: dict[str, Any] = {"tag": shape.tag, "at": at}
    if shape.words:
        data["words"] = shape.words
    if shape.title:
        data["title"] = shape.title
    if shape.moves:
        data["moves"] = [int(move) for move in shape.moves]
    if shape.key:
        data["key"] = shape.key
    if shape.parts:
        data["parts"] = [_shape(part) for part in shape.parts]
    return data


def _number(value: Any) -> float | int:
    rounded = round(float(value), DIGITS)
    whole = int(rounded)
    return whole if rounded == whole else rounded
