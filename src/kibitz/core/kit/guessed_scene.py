"""The picture of a game that declares none: boards and hands where random games leave no doubt, else named text."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import isqrt
from typing import TYPE_CHECKING

import numpy as np

from kibitz.core.arrays import Int64s
from kibitz.core.contract import UNKNOWN
from kibitz.core.kit.cards_in_hand import Cards, Hands
from kibitz.core.kit.declared_scene import DeclaredScene
from kibitz.core.kit.pieces import Piece
from kibitz.core.kit.sampled_play import SampledMove, SampledPlay, sampled_play
from kibitz.core.kit.scene_part import MOST_BITS, ScenePart, ViewedPosition
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
            return _findings(self._game, play) if play.moves else _Findings()
        except Exception:
            return _Findings()

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
            shown = ["?" if cell == UNKNOWN else str(cell) for cell in found[: self._findings.used.get(name)]]
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

    parts: list[ScenePart] = field(default_factory=list)
    drawn: tuple[str, ...] = ()
    constant: Mapping[str, list[int]] = field(default_factory=dict)
    used: Mapping[str, int] = field(default_factory=dict)  # cells of groups that are longer than the seats need


def _findings(game: "Game", play: SampledPlay) -> _Findings:
    positions = play.positions
    groups = [
        _Group(game, name, start, size, positions[:, start : start + size], play.moves)
        for (name, start), size in zip(game.cells.starts.items(), game.cells.sizes.values(), strict=True)
        if name != "SEAT"
    ]
    constant: dict[str, list[int]] = {}
    for each in groups:
        if play.unseen[each.start : each.start + each.size].all():
            constant[each.name] = [UNKNOWN] * each.size
        elif (each.values == each.values[0]).all():
            constant[each.name] = each.values[0].tolist()
    changing = [each for each in groups if each.name not in constant]
    parts = {each.name: [board] for each in changing if (board := each.board())}
    others = [each for each in changing if each.name not in parts]
    hands = next((each for each in others if each.holds_hands()), None)
    if hands:
        parts |= {each.name: [Cards(each.name, (), bits=True)] for each in others if each.holds_no_card_of(hands)}
        parts[hands.name] = hands.hands()
    used = {each.name: game.seats for each in groups if each.is_for_more_seats()}
    return _Findings([part for each in parts.values() for part in each], tuple(parts), constant, used)


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

    def is_for_more_seats(self) -> bool:
        """Return whether the group has a cell for each seat of the largest table, and those of other seats stay 0."""
        most = self.game.declared["seats"].most if "seats" in self.game.declared else None
        return self.size == most != self.game.seats and not self.values[:, self.game.seats :].any()

    def holds_hands(self) -> bool:
        """Return whether the group is masks of cards, one for each seat and perhaps others; no card lies twice."""
        if self.size < self.game.seats or not (self.name in HAND_NAMES or self._moves_are_cards()):
            return False
        held = np.bitwise_count(self.values).sum(axis=1)
        return self._are_wide_masks() and bool(
            (held == np.bitwise_count(self._together())).all() and held.max() > self.size
        )

    def holds_no_card_of(self, hands: "_Group") -> bool:
        """Return whether the group is masks of cards that are in no hand."""
        inside = int(np.bitwise_or.reduce(self._together())) & ~int(np.bitwise_or.reduce(hands._together()))
        return self._are_wide_masks() and not inside and not (self._together() & hands._together()).any()

    def _are_wide_masks(self) -> bool:
        return bool(self.values.min() >= 0 and self.values.max() >= 1 << WIDE_MASK)

    def _together(self) -> Int64s:
        """Return in each position all bits of the group."""
        return np.asarray(np.bitwise_or.reduce(self.values, axis=1))

    def hands(self) -> list[ScenePart]:
        """Return the masks of the seats as hands, and the others as cards on the table."""
        moves = "card" if self._moves_are_cards() else None
        others = [at for at in range(self.game.seats, self.size) if self.values[:, at].any()]
        return [
            *(Cards(f"{self.name}[{at}]", (), bits=True) for at in others),
            Hands(self.name, (), bits=True, moves=moves),
        ]

    def _moves_are_cards(self) -> bool:
        return self.size >= self.game.seats and all(
            0 <= move < MOST_BITS and int(self._cells(each.before)[each.seat]) >> move & 1
            for each in self.moves
            for move in each.legal
        )
