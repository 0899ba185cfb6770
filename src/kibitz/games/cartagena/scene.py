"""Cartagena as a picture: the passage, the pirates, and what the seats hold."""

from collections.abc import Sequence

import numpy as np

from kibitz.core.contract import UNKNOWN
from kibitz.core.scene import Panel, Scene, Shape, listed
from kibitz.games.cartagena.cells import (
    ACTIONS,
    DISCARDS,
    FOURS,
    HAND,
    HELD,
    HIDDEN,
    IN_ROW,
    LEFT,
    MAX_TURNS,
    NONE,
    ONES,
    ROW,
    SEAT,
    SEAT_COUNT,
    SHUFFLES,
    SIGNS,
    TURNS,
    TWOS,
    WINNER,
)
from kibitz.games.cartagena.passage import SIGN_NAMES, SLOOP, SPACES, START
from kibitz.games.cartagena.rules import ACTIONS_A_TURN, BACK, DRAW, SEAT_NAMES, STOP

Paint = dict[str, float | str]
Goals = dict[int, int | None]  # where each legal move takes a pirate

SEGMENT = 6  # spaces a line of text
LETTERS = [name[0].upper() for name in SEAT_NAMES]
STYLES = ("red", "green", "blue", "yellow", "magenta")  # of the seats, in text
PAINT = {
    rf"(?<![A-Za-z])(?:{letter}+|(?<=[{''.join(LETTERS)}]){letter}+)(?![a-z])|\b{name}\b": f"bold {style}"
    for letter, name, style in zip(LETTERS, SEAT_NAMES, STYLES, strict=True)
}


def pirates(view: np.ndarray, seat: int, space: int) -> int:
    """Count a seat's pirates on a space."""
    return sum((int(view[bits + seat]) >> space & 1) * n for bits, n in ((ONES, 1), (TWOS, 2), (FOURS, 4)))


def crowd(view: np.ndarray, space: int) -> list[int]:
    """Return the seats of the pirates on a space, one entry a pirate."""
    return [seat for seat in range(view[SEAT_COUNT]) for _ in range(pirates(view, seat, space))]


def sign_of(view: np.ndarray, space: int) -> int:
    """Return the sign that a space of the passage shows."""
    return next(sign for sign in range(6) if view[SIGNS + sign] >> space & 1)


def counts(pile: int) -> list[int]:
    """Return how many cards of each sign a pile holds."""
    return [int(pile) >> 8 * sign & 0xFF for sign in range(6)]


def hand_of(view: np.ndarray, seat: int) -> list[int] | None:
    """Return how many cards of each sign a seat holds; None if that is hidden."""
    return None if view[HAND + seat] == UNKNOWN else counts(view[HAND + seat])


def row_of(view: np.ndarray) -> list[int]:
    """Return the signs in the open row, the next card first."""
    return [(int(view[ROW]) >> 4 * k & 15) - 1 for k in range(view[IN_ROW])]


def origin_of(move: int) -> int | None:
    """Return the space that a move takes a pirate from; None if it moves none."""
    if move >= STOP:
        return None
    return move - BACK if move >= BACK else move >> 3


def goal_of(view: np.ndarray, move: int) -> int | None:
    """Return the space where a move takes a pirate; None if it moves none."""
    origin = origin_of(move)
    if origin is None:
        return None
    if move >= BACK:
        return next(space for space in range(origin - 1, START, -1) if len(crowd(view, space)) in (1, 2))
    ahead = (space for space in range(origin + 1, SLOOP) if sign_of(view, space) == move & 7 and not crowd(view, space))
    return next(ahead, SLOOP)


def text(view: np.ndarray) -> str:
    """Return the view as lines of text."""
    lines = [f"  start  {_letters(view, START)}"]
    for first in range(1, SPACES + 1, SEGMENT):
        lines += _segment(view, range(first, first + SEGMENT))
    lines += [f"  sloop  {_letters(view, SLOOP)}", ""]
    for seat in range(view[SEAT_COUNT]):
        lines.append(f"  {'>' if view[SEAT] == seat else ' '} {SEAT_NAMES[seat]:<10}{_cards_in_words(view, seat)}")
    if not view[HIDDEN]:
        row = [SIGN_NAMES[sign] for sign in row_of(view)] or ["empty"]
        lines.append(listed("    row       ", row, " ", hang=14))
    lines.append(f"    discards  {_pile_in_words(counts(view[DISCARDS])) or 'none'}")
    return "\n".join([*lines, f"    {_state_of_play(view)}"])


def changes(before: np.ndarray, after: np.ndarray) -> list[str]:
    """Return what a move changed: where a pirate went, and which cards a seat drew."""
    found = []
    for seat in range(after[SEAT_COUNT]):
        moved = [pirates(after, seat, space) - pirates(before, seat, space) for space in range(SLOOP + 1)]
        if any(moved):
            found.append(f"{SEAT_NAMES[seat]} goes from {_named(moved.index(-1))} to {_named(moved.index(1))}")
        drawn = int(after[HELD + seat] - before[HELD + seat])
        if drawn > 0:
            old, new = hand_of(before, seat), hand_of(after, seat)
            what = f"{drawn} card{'s' if drawn != 1 else ''}"
            if old is not None and new is not None:
                what = _pile_in_words([now - then for then, now in zip(old, new, strict=True)])
            found.append(f"{SEAT_NAMES[seat]} draws {what}")
    if after[SHUFFLES] != before[SHUFFLES]:
        found.append("the discards are shuffled into a new stock")
    return found


def _named(space: int) -> str:
    return {START: "the start", SLOOP: "the sloop"}.get(space, str(space))


def _segment(view: np.ndarray, spaces: Sequence[int]) -> list[str]:
    """Return six spaces as a line, and the pirates on them, if any, as a line below."""
    signs = "  ".join(f"{space:>2} {SIGN_NAMES[sign_of(view, space)]:<7}" for space in spaces)
    here = "  ".join(f"   {''.join(LETTERS[seat] for seat in crowd(view, space)):<7}" for space in spaces)
    return [f"  {line.rstrip()}" for line in (signs, here) if line.strip()]


def _letters(view: np.ndarray, space: int) -> str:
    numbers = [pirates(view, seat, space) for seat in range(view[SEAT_COUNT])]
    return "  ".join(LETTERS[seat] * n for seat, n in enumerate(numbers) if n) or "."


def _cards_in_words(view: np.ndarray, seat: int) -> str:
    hand, held = hand_of(view, seat), int(view[HELD + seat])
    if hand is None:
        return f"{held} card{'s' if held != 1 else ''}"
    return _pile_in_words(hand) or "no cards"


def _pile_in_words(pile: Sequence[int]) -> str:
    return ", ".join(f"{n} {SIGN_NAMES[sign]}" for sign, n in enumerate(pile) if n)


def _state_of_play(view: np.ndarray) -> str:
    piles = f"stock {view[LEFT]}, discards {sum(counts(view[DISCARDS]))}"
    if view[SEAT] >= 0:
        return f"turn {view[TURNS] + 1} of {view[MAX_TURNS]}, action {view[ACTIONS] + 1} of {ACTIONS_A_TURN}, {piles}"
    if view[WINNER] == NONE:
        return f"a draw after {view[TURNS]} turns, {piles}"
    return f"{SEAT_NAMES[view[WINNER]]} won in turn {view[TURNS] + 1}, {piles}"


TILE, GAP = 58.0, 6.0
PITCH = TILE + GAP
COLUMNS, ROWS = 12, 3
EDGE = 18.0
SIDE = 92.0  # the width of the start on the left and the sloop on the right
BOARD_WIDTH = SIDE + COLUMNS * PITCH + SIDE + 2 * EDGE
BOARD_HEIGHT = ROWS * PITCH + 2 * EDGE
SEAT_HEIGHT = 46.0
CARD_WIDTH, CARD_HEIGHT = 30.0, 38.0
NAME_WIDTH = 112.0
BUTTON_WIDTH = 84.0

PAPER, ROCK, ROAD, SAND, INK = "#f6f0e2", "#5b524a", "#c9b386", "#ecdcb9", "#2f2722"
SEA, WOOD, CARD_BACK, WHITE, NUMBER = "#8fc0cf", "#b5824a", "#8c6f4e", "#ffffff", "#7a6a58"
GLOW: Paint = {"stroke": "#d97a16", "stroke-width": 3.0}  # around what may be clicked
LINE: Paint = {"stroke": INK, "stroke-width": 1.0}
COLOURS = ("#cf3b32", "#2f8f4e", "#2f6fc4", "#e3b320", "#8a4fb5")  # of the seats
NAME_COLOURS = (WHITE, WHITE, WHITE, INK, WHITE)  # on them
TINTS = ("#cfe3c4", "#d5d3cf", "#f0cfa4", "#f2efe6", "#c5d8e8", "#f3e29a")  # of the signs

# A sign in a box of 24 by 24: a path to fill, and one to leave light on it.
SIGN_PATHS = (
    ("M10 2h4v6l3 4v9q0 1-1 1H8q-1 0-1-1v-9l3-4z", "M9 14h6v4H9z"),
    ("M2 7h19v4h-9l-1 3h-3l-2 6H2l3-9H2z", "M10 11.6h1.6l-.6 1.6H9.4z"),
    ("M2 15q3-9 10-10 7 1 10 10-3 3-4 2-2-2-6-2t-6 2q-1 1-4-2z", "M11 9h2v2h-2z"),
    (
        "M12 2q8 0 8 8 0 4-3 6v5H7v-5q-3-2-3-6 0-8 8-8z",
        "M8.5 8.5a2 2 0 1 0 .01 0zM15.5 8.5a2 2 0 1 0 .01 0zM11 17h2v4h-2z",
    ),
    ("M12 1l2.5 5v8h3.5v2.5h-4.5V20h1v3h-5v-3h1v-3.5H6V14h3.5V6z", "M11.5 6h1v7h-1z"),
    ("M7 3a5 5 0 1 0 .01 0zM10 9l12 11v3h-3v-2h-2v-2h-2v-2L8 12z", "M7 6a2 2 0 1 0 .01 0z"),
)
# Drawings at the foot of the start and the sloop; 0 0 is the middle of their ground.
FORTRESS = "M-28 0v-32h7v6h7v-6h7v6h14v-6h7v6h7v-6h7V0h-19v-10q-9-11-18 0V0z"
SHIP = "M-30-10h60l-9 10h-42zM-2-12v-26h3v26zM3-36q18 10 20 22H3zM-4-34q-14 9-16 20h16z"
FOOT = 40.0


def picture(view: np.ndarray, legal: Sequence[int]) -> Scene:
    """Return the view as shapes; click a pirate, a card, or the space to go to, until one move is left."""
    seats = int(view[SEAT_COUNT])
    height = BOARD_HEIGHT + (seats + 1) * SEAT_HEIGHT + EDGE
    shapes = [_box(0, 0, BOARD_WIDTH, height, PAPER, 0), _box(8, 8, BOARD_WIDTH - 16, BOARD_HEIGHT - 16, ROCK, 14)]
    shapes.append(_road())
    goals = {move: goal_of(view, move) for move in legal}
    shapes += _end(view, goals, START, EDGE, WOOD, FORTRESS)
    shapes += _end(view, goals, SLOOP, BOARD_WIDTH - EDGE - SIDE + 14, SEA, SHIP)
    for space in range(1, SPACES + 1):
        shapes += _tile(view, goals, space)
    for seat in range(seats):
        shapes += _seat(view, legal, seat, BOARD_HEIGHT + 10 + seat * SEAT_HEIGHT)
    shapes += _table(view, legal, BOARD_HEIGHT + 10 + seats * SEAT_HEIGHT)
    return Scene(f"Cartagena: {_title(view)}", [Panel("board", BOARD_WIDTH, height, shapes)])


def _title(view: np.ndarray) -> str:
    if view[SEAT] >= 0:
        return f"{SEAT_NAMES[view[SEAT]]} to move"
    return "a draw" if view[WINNER] == NONE else f"{SEAT_NAMES[view[WINNER]]} has won"


def _place(space: int) -> tuple[float, float]:
    """Return the middle of a space; the passage winds left to right, back, and left to right again."""
    row, along = divmod(space - 1, COLUMNS)
    column = COLUMNS - 1 - along if row == 1 else along
    return EDGE + SIDE + (column + 0.5) * PITCH, EDGE + (row + 0.5) * PITCH


def _going_to(goals: Goals, space: int) -> tuple[int, ...]:
    return tuple(move for move, goal in goals.items() if goal == space)


def _coming_from(goals: Goals, space: int) -> tuple[int, ...]:
    return tuple(move for move in goals if origin_of(move) == space)


def _box(
    x: float, y: float, width: float, height: float, fill: str, rx: float, title: str = "", moves: tuple[int, ...] = ()
) -> Shape:
    at: Paint = {"x": x, "y": y, "width": width, "height": height, "rx": float(rx), "fill": fill}
    edge = GLOW if moves else LINE if title else {}
    return Shape("rect", {**at, **edge}, title=title, moves=moves)


def _label(words: str, x: float, y: float, size: float = 14.0, fill: str = INK, anchor: str = "start") -> Shape:
    at: Paint = {"x": x, "y": y, "font-size": size, "fill": fill}
    return Shape("text", {**at, "text-anchor": anchor, "dominant-baseline": "central"}, words=words)


def _sign(sign: int, x: float, y: float, size: float, title: str, moves: tuple[int, ...]) -> list[Shape]:
    """Draw a sign around a point."""
    place = f"translate({x - size / 2:g} {y - size / 2:g}) scale({size / 24:g})"
    paints = zip(SIGN_PATHS[sign], (INK, TINTS[sign]), strict=True)
    return [Shape("path", {"d": d, "transform": place, "fill": fill}, title=title, moves=moves) for d, fill in paints]


def _pirate(seat: int, x: float, y: float, radius: float, where: str, moves: tuple[int, ...]) -> Shape:
    at: Paint = {"cx": x, "cy": y, "r": radius, "fill": COLOURS[seat]}
    edge: Paint = {**GLOW, "stroke-width": radius / 3} if moves else LINE
    return Shape("circle", {**at, **edge}, title=f"{SEAT_NAMES[seat]} on {where}", moves=moves)


def _road() -> Shape:
    points = [(EDGE + SIDE / 2, _place(1)[1]), *(_place(space) for space in (1, 12, 13, 24, 25, 36))]
    points.append((BOARD_WIDTH - EDGE - SIDE / 2, _place(36)[1]))
    path = "M" + "L".join(f"{x:g} {y:g}" for x, y in points)
    return Shape("path", {"d": path, "fill": "none", "stroke": ROAD, "stroke-width": 22.0, "stroke-linejoin": "round"})


def _tile(view: np.ndarray, goals: Goals, space: int) -> list[Shape]:
    x, y = _place(space)
    sign, goes = sign_of(view, space), _going_to(goals, space)
    name = f"space {space}, {SIGN_NAMES[sign]}"
    shapes = [_box(x - TILE / 2, y - TILE / 2, TILE, TILE, TINTS[sign], 9, name, goes)]
    shapes += _sign(sign, x, y - 9, 30.0, name, goes)
    shapes.append(_label(str(space), x - TILE / 2 + 9, y - TILE / 2 + 9, 9.0, NUMBER, "middle"))
    here = crowd(view, space)
    for k, seat in enumerate(here):
        moves = _coming_from(goals, space) if seat == view[SEAT] else ()
        shapes.append(_pirate(seat, x + 17 * (k - (len(here) - 1) / 2), y + 17, 7.5, name, moves))
    return shapes


def _end(view: np.ndarray, goals: Goals, space: int, x: float, fill: str, drawing: str) -> list[Shape]:
    """Draw the start or the sloop, with the pirates that stand there."""
    name = "the start" if space == START else "the sloop"
    width, height, goes = SIDE - 14, BOARD_HEIGHT - 2 * EDGE, _going_to(goals, space)
    ground = f"translate({x + width / 2:g} {EDGE + height - 4:g})"
    shapes = [
        _box(x, EDGE, width, height, fill, 10, name, goes),
        _label(name.split()[-1], x + width / 2, EDGE + 12, 13.0, anchor="middle"),
        Shape("path", {"d": drawing, "transform": ground, "fill": INK, "opacity": 0.55}, title=name, moves=goes),
    ]
    step = (height - 26 - FOOT) / int(view[SEAT_COUNT])
    for seat in range(view[SEAT_COUNT]):
        moves = _coming_from(goals, space) if seat == view[SEAT] else ()
        for k in range(pirates(view, seat, space)):
            across, down = x + width / 2 + 12 * (k - 2.5), EDGE + 24 + step * (seat + 0.5)
            shapes.append(_pirate(seat, across, down, 5.5, name, moves))
    return shapes


def _card(sign: int, x: float, y: float, title: str, moves: tuple[int, ...] = ()) -> list[Shape]:
    card = _box(x, y, CARD_WIDTH, CARD_HEIGHT, TINTS[sign], 4, title, moves)
    return [card, *_sign(sign, x + CARD_WIDTH / 2, y + CARD_HEIGHT / 2, 22.0, title, moves)]


def _card_back(x: float, y: float, title: str) -> list[Shape]:
    card = _box(x, y, CARD_WIDTH, CARD_HEIGHT, CARD_BACK, 4, title)
    frame: Paint = {"x": x + 4, "y": y + 4, "width": CARD_WIDTH - 8, "height": CARD_HEIGHT - 8, "rx": 2.0}
    return [card, Shape("rect", {**frame, "fill": "none", "stroke": SAND}, title=title)]


def _seat(view: np.ndarray, legal: Sequence[int], seat: int, y: float) -> list[Shape]:
    """Draw a seat's name and cards in one line."""
    moving, held, name = view[SEAT] == seat, int(view[HELD + seat]), SEAT_NAMES[seat]
    plate: Paint = {"x": EDGE, "y": y - 2, "width": NAME_WIDTH, "height": CARD_HEIGHT + 4, "rx": 8.0}
    ring: Paint = {"stroke": INK, "stroke-width": 3.0 if moving else 0.5}
    mid, ink = y + CARD_HEIGHT / 2, NAME_COLOURS[seat]
    shapes = [
        Shape("rect", {**plate, "fill": COLOURS[seat], **ring}, title=f"{name}{', to move' if moving else ''}"),
        _label(name, EDGE + 12, mid, fill=ink),
        _label(str(held), EDGE + NAME_WIDTH - 12, mid, fill=ink, anchor="end"),
    ]
    x, hand = EDGE + NAME_WIDTH + 12, hand_of(view, seat)
    if hand is None:
        for k in range(held):
            shapes += _card_back(x + min(14, 700 / held) * k, y, f"{name} holds {held} cards")
        return shapes
    for sign, n in enumerate(hand):
        plays = tuple(move for move in legal if move < BACK and move & 7 == sign) if moving else ()
        for k in range(n):
            shapes += _card(sign, x, y, f"{name} holds {n} {SIGN_NAMES[sign]}", plays if k == n - 1 else ())
            x += min(10, 60 / n) if k < n - 1 else CARD_WIDTH + 12
    return shapes


def _table(view: np.ndarray, legal: Sequence[int], y: float) -> list[Shape]:
    """Draw the row, the piles, and what to click for ending a turn or taking a card."""
    shapes: list[Shape] = []
    x, mid = EDGE, y + CARD_HEIGHT / 2
    if not view[HIDDEN]:
        shapes.append(_label("row", x, mid))
        x += 40
        for k, sign in enumerate(row_of(view)):
            shapes += _card(sign, x, y, f"card {k + 1} of the row: {SIGN_NAMES[sign]}")
            x += CARD_WIDTH + 4
        x += 12
    shapes.append(_label(_state_of_play(view), x, mid))
    left = BOARD_WIDTH - EDGE - BUTTON_WIDTH
    for move, words in ((STOP, "stop"), (DRAW, "draw")):
        if move in legal:
            shapes.append(_box(left, y, BUTTON_WIDTH, CARD_HEIGHT, SAND, 8, words, (move,)))
            shapes.append(_label(words, left + BUTTON_WIDTH / 2, mid, 15.0, anchor="middle"))
    return shapes
