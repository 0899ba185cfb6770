"""The picture of a game that declares none: boards and hands where random games leave no doubt, else named text."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isqrt
from typing import TYPE_CHECKING

import numpy as np

from kibitz.core.arrays import Int64s
from kibitz.core.contract import UNKNOWN
from kibitz.core.kit.cards_in_hand import Hands
from kibitz.core.kit.declared_scene import DeclaredScene
from kibitz.core.kit.pieces import Piece
from kibitz.core.kit.sampled_play import SampledMove, SampledPlay, sampled_play
from kibitz.core.kit.scene_part import MOST_BITS, ScenePart, ViewedPosition, bits_of
from kibitz.core.kit.text_panel import text_panel
from kibitz.core.kit.tiled_boards import Grid, HexGrid
from kibitz.core.scene import Scene, listed

if TYPE_CHECKING:
    from kibitz.core.game import Game

LONG_GROUP = 64  # cells
BOARD_NAMES = {"BOARD", "GRID", "SQUARE", "SQUARES", "FIELD", "FIELDS", "STONES", "DISCS", "PIECES", "MEN", "HEXES"}
BOARD_WORDS = re.compile(r"\b(board|grid|squares|\d+ ?(x|by) ?\d+)\b", re.IGNORECASE)
HAND_NAMES = {"HAND", "HANDS", "CARDS", "HELD"}
INTERNAL = {"SEED", "SEEDS", "RNG", "DICE_SEED", "SHUFFLE_SEED", "COUNT", "SEATS", "SEAT_COUNT", "PLY", "HASH", "KEY"}
LARGEST_VALUE, MOST_VALUES = 99, 14  # of a cell of a board
LEAST_COLUMNS, LEAST_SIDE = 4, 3
WIDE_MASK = 8  # bits from which on a number in a hand counts as a mask of cards


class GuessedScene:
    """A view as boards, hands and named cells; internal cells, such as seeds, are left out."""

    def __init__(self, game: "Game"):
        self._game = game
        self._cells = game.cells

    @cached_property
    def _findings(self) -> "_Findings":
        """What random games say about the cells; nothing if they fail, which `kibitz check` reports."""
        try:
            play = sampled_play(self._game)
            return _findings(self._game, play) if play.moves else _Findings([], (), {})
        except Exception:
            return _Findings([], (), {})

    @cached_property
    def _drawn(self) -> DeclaredScene:
        return DeclaredScene(self._findings.parts, self._cells, self._game.seat_names)

    def text(self, view: Int64s) -> str:
        """Return whose turn it is and the cells of a view by name, a line a group; hidden cells are question marks."""
        if not self._findings.parts:
            return "\n".join([self._status(view), *self._rest(view)])
        return "\n".join([self._drawn.text(view), *self._rest(view)])

    def changes(self, before: Int64s, after: Int64s) -> list[str]:
        """Return what a move changed on the boards and in the hands."""
        return self._drawn.changes(before, after)

    def picture(self, view: Int64s, legal: Sequence[int]) -> Scene:
        """Return the boards and hands as shapes and the rest as text."""
        rest = self._rest(view)
        if not self._findings.parts:
            return Scene(self._status(view), [text_panel("\n".join([self._status(view), *rest]))])
        scene = self._drawn.picture(view, legal)
        return Scene(scene.title, [*scene.panels, *([text_panel("\n".join(rest), "cells")] if rest else [])])

    def _status(self, view: Int64s) -> str:
        return ViewedPosition(self._cells, self._game.seat_names, view).status

    def _rest(self, view: Int64s) -> list[str]:
        """Return the cells that no board shows, by name."""
        lines = []
        for name, start in self._cells.starts.items():
            found = view[start : start + self._cells.sizes[name]].tolist()
            if name == "SEAT" or name in self._findings.drawn or self._says_nothing(name, found):
                continue
            shown = ["?" if cell == UNKNOWN else str(cell) for cell in found]
            if len(shown) > LONG_GROUP:  # a long group often ends in unused cells
                used = max((at + 1 for at, cell in enumerate(found) if cell != 0), default=1)
                shown = [*shown[:used], f"and {len(found) - used} times 0"]
            lines.append(listed(f"{name.lower().replace('_', ' ')}: ", shown, " "))
        return lines

    def _says_nothing(self, name: str, found: list[int]) -> bool:
        """Return whether a group is internal by its name, or is as it always is."""
        return name in INTERNAL or name.endswith("_SEED") or self._findings.constant.get(name) == found


@dataclass(frozen=True)
class _Findings:
    """The parts of a scene that are beyond doubt, the groups that they show, and what groups always hold."""

    parts: list[ScenePart]
    drawn: tuple[str, ...]
    constant: Mapping[str, list[int]]


def _findings(game: "Game", play: SampledPlay) -> _Findings:
    parts: list[ScenePart] = []
    drawn: list[str] = []
    constant: dict[str, list[int]] = {}
    positions = play.positions
    for name, start in game.cells.starts.items():
        size = game.cells.sizes[name]
        values = positions[:, start : start + size]
        if name == "SEAT":
            continue
        if play.unseen[start : start + size].all():
            constant[name] = [UNKNOWN] * size
        elif (values == values[0]).all():
            constant[name] = values[0].tolist()
        group = _Group(game, name, start, size, values, play.moves)
        part = group.board() or group.hands()
        if part and name not in constant:
            parts.append(part)
            drawn.append(name)
    return _Findings(parts, tuple(drawn), constant)


@dataclass(frozen=True)
class _Group:
    """A group of cells with the values that it had in random games."""

    game: "Game"
    name: str
    start: int
    size: int
    values: np.ndarray
    moves: list[SampledMove]

    def board(self) -> ScenePart | None:
        """Return the group as a board, if its name, its values and the moves agree that it is one."""
        distinct = np.unique(self.values[self.values != UNKNOWN])
        if len(distinct) > MOST_VALUES or np.abs(distinct).max() > LARGEST_VALUE:
            return None
        prose = self.game.rules_docstring
        named = self.name in BOARD_NAMES
        moves = "cell" if self._moves_are_empty_cells() else None
        columns = self._columns_of_falling_pieces()
        if columns and (named or BOARD_WORDS.search(prose)):
            return Grid(
                self.name, columns, self.size // columns, self._pieces(), "column", self._fall_to_the_end(columns)
            )
        if not named and not (moves and BOARD_WORDS.search(prose)):
            return None
        hexes = (isqrt(12 * self.size - 3) - 3) // 6
        if "hex" in prose.lower() and hexes > 1 and 3 * hexes * (hexes + 1) + 1 == self.size:
            return HexGrid(self.name, hexes, pieces=self._pieces(), moves=moves)
        side = isqrt(self.size)
        if "hex" not in prose.lower() and side >= LEAST_SIDE and side * side == self.size:
            return Grid(self.name, side, side, self._pieces(), moves)
        return None

    def _cells(self, state: Int64s) -> Int64s:
        return state[self.start : self.start + self.size]

    def _moves_are_empty_cells(self) -> bool:
        """Return whether every legal move is the number of an empty cell, which the move fills."""
        for each in self.moves:
            cells = self._cells(each.before)
            if any(not 0 <= move < self.size or cells[move] > 0 for move in each.legal):
                return False
            if self._cells(each.after)[each.move] == cells[each.move]:
                return False
        return True

    def _columns_of_falling_pieces(self) -> int:
        """Return the number of columns if every move fills one cell of the column that is its number, else 0."""
        columns = max(max(each.legal) for each in self.moves) + 1
        if columns < LEAST_COLUMNS or self.size % columns or self.size // columns < LEAST_SIDE:
            return 0
        for each in self.moves:
            changed = np.flatnonzero(self._cells(each.before) != self._cells(each.after))
            if len(changed) != 1 or changed[0] % columns != each.move or self._cells(each.before)[changed[0]] != 0:
                return 0
        return columns

    def _fall_to_the_end(self, columns: int) -> bool:
        """Return whether pieces fall to the last row, which is then the lowest."""
        first = next(each for each in self.moves if not self._cells(each.before).any())
        return int(np.flatnonzero(self._cells(first.after))[0]) >= columns

    def _pieces(self) -> Mapping[int | str, Piece] | None:
        """Return what values stand for, if each is put down by one seat only and by every seat."""
        by: dict[int, set[int]] = {}
        for each in self.moves:
            before, after = self._cells(each.before), self._cells(each.after)
            for value in set(after[before != after].tolist()) - {0}:
                by.setdefault(value, set()).add(each.seat)
        seats = [next(iter(seats)) for seats in by.values() if len(seats) == 1]
        at_start = set(np.unique(self._cells(self.moves[0].before)).tolist()) - {0, UNKNOWN}
        if at_start or sorted(seats) != list(range(self.game.seats)) or len(by) != len(seats):
            return None
        return {value: Piece(seat=next(iter(seats))) for value, seats in by.items()}

    def hands(self) -> ScenePart | None:
        """Return the group as hands of cards: a mask for each seat, in which no card is in two hands."""
        if self.name not in HAND_NAMES or self.size != self.game.seats or self.values.min() < 0:
            return None
        if self.values.max() < 1 << WIDE_MASK:
            return None
        together = np.bitwise_or.reduce(self.values, axis=1)
        held = [sum(len(bits_of(int(value))) for value in row) for row in self.values]
        if held != [len(bits_of(int(mask))) for mask in together] or max(held) <= self.game.seats:
            return None
        return Hands(self.name, (), bits=True, moves="card" if self._moves_are_cards() else None)

    def _moves_are_cards(self) -> bool:
        return all(
            0 <= move < MOST_BITS and int(self._cells(each.before)[each.seat]) >> move & 1
            for each in self.moves
            for move in each.legal
        )
