"""Cartagena as a picture: the passage, the pirates, and what the seats hold."""

from collections.abc import Iterable, Sequence

from kibitz.core.rules import UNKNOWN
from kibitz.core.scene import Scene, Shape
from kibitz.games.cartagena.cards import count_of
from kibitz.games.cartagena.cells import (
    ACTIONS,
    DISCARDS,
    HAND,
    HELD,
    HIDDEN,
    IN_ROW,
    LEFT,
    MAX_TURNS,
    NONE,
    ROW,
    SEAT,
    SEATS,
    SIGNS,
    TURNS,
    WINNER,
)
from kibitz.games.cartagena.passage import (
    SIGN_NAMES,
    SLOOP,
    SPACES,
    START,
    pirates_of,
    space_ahead,
    space_behind,
)
from kibitz.games.cartagena.rules import ACTIONS_A_TURN, BACK, DRAW, SEAT_NAMES, STOP

LETTERS = [name[0].upper() for name in SEAT_NAMES]


def sign_of(view, space: int) -> int:
    """Return the sign that a space of the passage shows."""
    return next(sign for sign in range(6) if view[SIGNS + sign] >> space & 1)


def hand_of(view, seat: int) -> list[int] | None:
    """Return how many cards of each sign a seat holds; None if that is hidden."""
    pile = int(view[HAND + seat])
    return None if pile == UNKNOWN else [count_of(pile, sign) for sign in range(6)]


def row_of(view) -> list[int]:
    """Return the signs in the open row, the next card first."""
    return [(int(view[ROW]) >> 4 * k & 15) - 1 for k in range(int(view[IN_ROW]))]


def goal_of(view, move: int) -> int | None:
    """Return the space where a move takes a pirate; None if it moves none."""
    if move >= STOP:
        return None
    return space_behind(view, move - BACK) if move >= BACK else space_ahead(view, move >> 3, move & 7)


def origin_of(move: int) -> int | None:
    """Return the space that a move takes a pirate from; None if it moves none."""
    if move >= STOP:
        return None
    return move - BACK if move >= BACK else move >> 3


def text(view) -> str:
    """Return the view as lines of text."""
    seats = range(int(view[SEATS]))
    lines = [f"  start  {_crowd(view, START)}"]
    for first in range(1, SPACES + 1, 6):
        cells = []
        for space in range(first, first + 6):
            here = "".join(LETTERS[seat] * int(pirates_of(view, seat, space)) for seat in seats)
            cells.append(f"{space:>2} {SIGN_NAMES[sign_of(view, space)]:<6} {here:<3}")
        lines.append("  " + "  ".join(cells).rstrip())
    lines += [f"  sloop  {_crowd(view, SLOOP)}", ""]
    for seat in seats:
        lines.append(f"  {'>' if view[SEAT] == seat else ' '} {SEAT_NAMES[seat]:<7}{_cards_in_words(view, seat)}")
    if not view[HIDDEN]:
        lines.append(f"    row    {' '.join(SIGN_NAMES[sign] for sign in row_of(view)) or 'empty'}")
    return "\n".join([*lines, f"    {_state_of_play(view)}"])


def _crowd(view, space: int) -> str:
    counts = [(seat, int(pirates_of(view, seat, space))) for seat in range(int(view[SEATS]))]
    return "  ".join(f"{LETTERS[seat] * n}" for seat, n in counts if n) or "."


def _cards_in_words(view, seat: int) -> str:
    hand, held = hand_of(view, seat), int(view[HELD + seat])
    if hand is None:
        return f"{held} card{'s' if held != 1 else ''}"
    return ", ".join(f"{n} {SIGN_NAMES[sign]}" for sign, n in enumerate(hand) if n) or "no cards"


def _state_of_play(view) -> str:
    discards = sum(count_of(int(view[DISCARDS]), sign) for sign in range(6))
    piles = f"stock {view[LEFT]}, discards {discards}"
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

ROCK, SAND, INK, SEA, WOOD, BACK_FILL = "#5b524a", "#ecdcb9", "#2f2722", "#8fc0cf", "#b5824a", "#8c6f4e"
GLOW = "#d97a16"
LANDMARK = 40  # the height of the drawings below; 0 0 is the middle of their ground
FORTRESS = "M-28 0v-32h7v6h7v-6h7v6h14v-6h7v6h7v-6h7V0h-19v-10q-9-11-18 0V0z"
SHIP = "M-30-10h60l-9 10h-42zM-2-12v-26h3v26zM3-36q18 10 20 22H3zM-4-34q-14 9-16 20h16z"
PAINT = ("#cf3b32", "#2f8f4e", "#2f6fc4", "#e3b320", "#8a4fb5")
TINTS = ("#cfe3c4", "#d5d3cf", "#f0cfa4", "#f2efe6", "#c5d8e8", "#f3e29a")

# A sign is drawn in a box of 24 by 24: paths to fill, and paths to leave light on them.
SIGN_PATHS = (
    ("M10 2h4v6l3 4v9q0 1-1 1H8q-1 0-1-1v-9l3-4z", "M9 14h6v4H9z"),
    ("M2 7h19v4h-9l-1 3h-3l-2 6H2l3-9H2z", "M10 11.600h1.600l-.6 1.600H9.400z"),
    ("M2 15q3-9 10-10 7 1 10 10-3 3-4 2-2-2-6-2t-6 2q-1 1-4-2z", "M11 9h2v2h-2z"),
    ("M12 2q8 0 8 8 0 4-3 6v5H7v-5q-3-2-3-6 0-8 8-8z", "M8.500 8.500a2 2 0 1 0 .01 0zM15.500 8.500a2 2 0 1 0 .01 0zM11 17h2v4h-2z"),
    ("M12 1l2.500 5v8h3.500v2.500h-4.500V20h1v3h-5v-3h1v-3.500H6V14h3.500V6z", "M11.500 6h1v7h-1z"),
    ("M7 3a5 5 0 1 0 .01 0zM10 9l12 11v3h-3v-2h-2v-2h-2v-2L8 12z", "M7 6a2 2 0 1 0 .01 0z"),
)


def draw(view, legal: Sequence[int]) -> Scene:
    """Return the view as shapes; click a pirate, a card, or the space to go to, until one move is left."""
    seats = int(view[SEATS])
    height = BOARD_HEIGHT + (seats + 1) * SEAT_HEIGHT + EDGE
    shapes = [_rect(0, 0, BOARD_WIDTH, height, "#f6f0e2", 0), _rect(8, 8, BOARD_WIDTH - 16, BOARD_HEIGHT - 16, ROCK, 14)]
    shapes += _road()
    shapes += _harbour(view, legal)
    for space in range(1, SPACES + 1):
        shapes += _tile(view, space, legal)
    for seat in range(seats):
        shapes += _seat(view, seat, BOARD_HEIGHT + 10 + seat * SEAT_HEIGHT, legal)
    shapes += _table(view, BOARD_HEIGHT + 10 + seats * SEAT_HEIGHT, legal)
    return Scene(BOARD_WIDTH, height, f"Cartagena: {_title(view)}", shapes)


def _title(view) -> str:
    if view[SEAT] >= 0:
        return f"{SEAT_NAMES[view[SEAT]]} to move"
    return "a draw" if view[WINNER] == NONE else f"{SEAT_NAMES[view[WINNER]]} has won"


def _place(space: int) -> tuple[float, float]:
    """Return the middle of a space; the passage winds left to right, back, and left to right again."""
    row, along = divmod(space - 1, COLUMNS)
    column = COLUMNS - 1 - along if row == 1 else along
    return EDGE + SIDE + (column + 0.5) * PITCH, EDGE + (row + 0.5) * PITCH


def _rect(x: float, y: float, width: float, height: float, fill: str, rx: float, **more: float | str) -> Shape:
    return Shape("rect", {"x": x, "y": y, "width": width, "height": height, "rx": float(rx), "fill": fill, **more})


def _label(words: str, x: float, y: float, size: float = 12.0, fill: str = INK, anchor: str = "middle") -> Shape:
    at = {"x": x, "y": y, "font-size": size, "fill": fill, "text-anchor": anchor, "dominant-baseline": "central"}
    return Shape("text", at, words=words)


def _sign(sign: int, x: float, y: float, size: float, moves: tuple[int, ...] = (), title: str = "") -> list[Shape]:
    """Draw a sign around a point."""
    at = f"translate({x - size / 2:g} {y - size / 2:g}) scale({size / 24:g})"
    dark, light = SIGN_PATHS[sign]
    title = title or SIGN_NAMES[sign]
    return [
        Shape("path", {"d": dark, "transform": at, "fill": INK}, title=title, moves=moves),
        Shape("path", {"d": light, "transform": at, "fill": TINTS[sign]}, title=title, moves=moves),
    ]


def _road() -> list[Shape]:
    points = [(EDGE + SIDE / 2, _place(1)[1])]
    points += [_place(space) for space in (1, 12, 13, 24, 25, 36)]
    points += [(BOARD_WIDTH - EDGE - SIDE / 2, _place(36)[1])]
    path = "M" + "L".join(f"{x:g} {y:g}" for x, y in points)
    at = {"d": path, "fill": "none", "stroke": "#c9b386", "stroke-width": 22.0, "stroke-linejoin": "round"}
    return [Shape("path", at)]


def _going_to(view, legal: Iterable[int], space: int) -> tuple[int, ...]:
    return tuple(move for move in legal if goal_of(view, move) == space)


def _coming_from(legal: Iterable[int], space: int) -> tuple[int, ...]:
    return tuple(move for move in legal if origin_of(move) == space)


def _tile(view, space: int, legal: Sequence[int]) -> list[Shape]:
    x, y = _place(space)
    sign, goes = sign_of(view, space), _going_to(view, legal, space)
    name = f"space {space}, {SIGN_NAMES[sign]}"
    edge = {"stroke": GLOW, "stroke-width": 3.0} if goes else {"stroke": INK, "stroke-width": 1.0}
    box = {"x": x - TILE / 2, "y": y - TILE / 2, "width": TILE, "height": TILE, "rx": 9.0}
    shapes = [Shape("rect", {**box, "fill": TINTS[sign], **edge}, title=name, moves=goes)]
    shapes += _sign(sign, x, y - 9, 30.0, goes, name)
    shapes.append(_label(str(space), x - TILE / 2 + 9, y - TILE / 2 + 9, 9.0, "#7a6a58"))
    here = [seat for seat in range(int(view[SEATS])) for _ in range(int(pirates_of(view, seat, space)))]
    for k, seat in enumerate(here):
        moves = _coming_from(legal, space) if seat == view[SEAT] else ()
        shapes.append(_pirate(seat, x + 17 * (k - (len(here) - 1) / 2), y + 17, 7.5, moves, f"{SEAT_NAMES[seat]} on {name}"))
    return shapes


def _pirate(seat: int, x: float, y: float, radius: float, moves: tuple[int, ...], title: str) -> Shape:
    edge = {"stroke": GLOW, "stroke-width": 3.0} if moves else {"stroke": INK, "stroke-width": 1.2}
    return Shape("circle", {"cx": x, "cy": y, "r": radius, "fill": PAINT[seat], **edge}, title=title, moves=moves)


def _harbour(view, legal: Sequence[int]) -> list[Shape]:
    """Draw the start on the left and the sloop on the right, with the pirates that stand there."""
    shapes = []
    width, tall = SIDE - 14, BOARD_HEIGHT - 2 * EDGE
    for space, left, fill, name, drawing in (
        (START, EDGE, WOOD, "start", FORTRESS),
        (SLOOP, BOARD_WIDTH - EDGE - width, SEA, "sloop", SHIP),
    ):
        goes = _going_to(view, legal, space)
        edge = {"stroke": GLOW, "stroke-width": 3.0} if goes else {"stroke": INK, "stroke-width": 1.0}
        box = {"x": left, "y": EDGE, "width": width, "height": tall, "rx": 10.0, "fill": fill}
        shapes.append(Shape("rect", {**box, **edge}, title=f"the {name}", moves=goes))
        shapes.append(_label(name, left + width / 2, EDGE + 12, 13.0))
        at = f"translate({left + width / 2:g} {EDGE + tall - 4:g})"
        shapes.append(Shape("path", {"d": drawing, "transform": at, "fill": INK, "opacity": 0.55}, moves=goes))
        step = (tall - 26 - LANDMARK) / int(view[SEATS])
        for seat in range(int(view[SEATS])):
            moves = _coming_from(legal, space) if seat == view[SEAT] else ()
            for k in range(int(pirates_of(view, seat, space))):
                x, y = left + width / 2 + 12 * (k - 2.5), EDGE + 24 + step * (seat + 0.5)
                shapes.append(_pirate(seat, x, y, 5.5, moves, f"{SEAT_NAMES[seat]} on the {name}"))
    return shapes


def _card(sign: int, x: float, y: float, moves: tuple[int, ...], title: str) -> list[Shape]:
    edge = {"stroke": GLOW, "stroke-width": 3.0} if moves else {"stroke": INK, "stroke-width": 1.0}
    box = {"x": x, "y": y, "width": CARD_WIDTH, "height": CARD_HEIGHT, "rx": 4.0, "fill": TINTS[sign], **edge}
    card = Shape("rect", box, title=title, moves=moves)
    return [card, *_sign(sign, x + CARD_WIDTH / 2, y + CARD_HEIGHT / 2, 22.0, moves, title)]


def _card_back(x: float, y: float) -> list[Shape]:
    card = _rect(x, y, CARD_WIDTH, CARD_HEIGHT, BACK_FILL, 4, stroke=INK)
    return [card, _rect(x + 4, y + 4, CARD_WIDTH - 8, CARD_HEIGHT - 8, "none", 2, stroke=SAND)]


def _seat(view, seat: int, y: float, legal: Sequence[int]) -> list[Shape]:
    """Draw a seat's name and cards in one line."""
    mid = y + CARD_HEIGHT / 2
    moving = view[SEAT] == seat
    shapes = [_rect(EDGE, y - 2, SIDE + 20, CARD_HEIGHT + 4, PAINT[seat], 8, stroke=INK, **{"stroke-width": 3.0 if moving else 0.5})]
    shapes.append(_label(SEAT_NAMES[seat], EDGE + 12, mid, 14.0, "#ffffff" if seat != 3 else INK, "start"))
    shapes.append(_label(f"{view[HELD + seat]}", EDGE + SIDE + 8, mid, 14.0, "#ffffff" if seat != 3 else INK, "end"))
    x = EDGE + SIDE + 32
    hand = hand_of(view, seat)
    if hand is None:
        for k in range(int(view[HELD + seat])):
            shapes += _card_back(x + min(14, 700 / view[HELD + seat]) * k, y)
        return shapes
    for sign, n in enumerate(hand):
        plays = tuple(move for move in legal if move < BACK and move & 7 == sign) if moving else ()
        for k in range(n):
            title = f"{SEAT_NAMES[seat]} holds {n} {SIGN_NAMES[sign]}"
            shapes += _card(sign, x + min(10, 60 / n) * k, y, plays if k == n - 1 else (), title)
        x += CARD_WIDTH + min(10, 60 / n) * (n - 1) + 12 if n else 0
    return shapes


def _table(view, y: float, legal: Sequence[int]) -> list[Shape]:
    """Draw the row, the piles, and what to click for ending a turn or taking a card."""
    shapes, x, mid = [], EDGE, y + CARD_HEIGHT / 2
    if not view[HIDDEN]:
        shapes.append(_label("row", x, mid, 14.0, INK, "start"))
        x += 40
        for k, sign in enumerate(row_of(view)):
            shapes += _card(sign, x + (CARD_WIDTH + 4) * k, y, (), f"card {k + 1} of the row: {SIGN_NAMES[sign]}")
        x += (CARD_WIDTH + 4) * max(1, int(view[IN_ROW])) + 16
    shapes.append(_label(_state_of_play(view), x, mid, 14.0, INK, "start"))
    for move, words in ((STOP, "stop"), (DRAW, "draw")):
        if move in legal:
            box = {"x": BOARD_WIDTH - EDGE - 84, "y": y, "width": 84.0, "height": CARD_HEIGHT, "rx": 8.0}
            paint = {"fill": SAND, "stroke": GLOW, "stroke-width": 3.0}
            shapes.append(Shape("rect", {**box, **paint}, title=words, moves=(move,)))
            shapes.append(_label(words, BOARD_WIDTH - EDGE - 42, mid, 15.0))
    return shapes
