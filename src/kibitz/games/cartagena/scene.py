"""Cartagena in words and pictures: the board, what the seats hold, the cards on the table, and what a move changed."""

from collections.abc import Sequence

import numpy as np

from kibitz.core.scene import Panel, Scene, Shape, box, caption, group, listed
from kibitz.games.cartagena.board import board, letters, standing
from kibitz.games.cartagena.cells import (
    ACTIONS,
    ACTIONS_A_TURN,
    DISCARDS,
    HELD,
    HIDDEN,
    LEFT,
    MAX_TURNS,
    NONE,
    SEAT,
    SEAT_COUNT,
    SHUFFLES,
    TURNS,
    WINNER,
)
from kibitz.games.cartagena.drawing import (
    CARD_HEIGHT,
    CARD_WIDTH,
    FAINT,
    LETTERS,
    card,
    card_back,
    no_card,
    sloop_mark,
)
from kibitz.games.cartagena.passage import PIRATES, SIGN_NAMES, SLOOP, SPACES, START
from kibitz.games.cartagena.reader import counts, crowd, hand_of, pirates, row_of, sign_of
from kibitz.games.cartagena.rules import BACK, DRAW, SEAT_NAMES, STOP

SEGMENT = 6  # spaces a line of text
STYLES = ("red", "green", "blue", "yellow", "magenta")  # of the seats, in text
PAINT = {
    rf"(?<![A-Za-z])(?:{letter}+|(?<=[{''.join(LETTERS)}]){letter}+)(?![a-z])|\b{name}\b": f"bold {style}"
    for letter, name, style in zip(LETTERS, SEAT_NAMES, STYLES, strict=True)
}

SIDE_WIDTH = 320.0  # of the panels beside the board
SLOTS, SLOT = 56.0, 44.0  # where the cards of a side panel begin, and how far they are apart
TOP = 4.0  # above the cards
HAND_HEIGHT = CARD_HEIGHT + 2 * TOP
STACK = 3  # cards of one sign that are drawn, at the most
ROW_LINE = 7  # cards in a line of the row


def text(view: np.ndarray) -> str:
    """Return the view as lines of text."""
    lines = [f"  {START:>2} start  {letters(view, START) or '.'}"]
    for first in range(1, SPACES + 1, SEGMENT):
        lines += _segment(view, range(first, first + SEGMENT))
    lines += [f"  {SLOOP:>2} sloop  {letters(view, SLOOP) or '.'}", ""]
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
            what = _cards(drawn)
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


def _cards_in_words(view: np.ndarray, seat: int) -> str:
    hand = hand_of(view, seat)
    return _cards(view[HELD + seat]) if hand is None else _pile_in_words(hand) or "no cards"


def _pile_in_words(pile: Sequence[int]) -> str:
    return ", ".join(f"{n} {SIGN_NAMES[sign]}" for sign, n in enumerate(pile) if n)


def _state_of_play(view: np.ndarray) -> str:
    piles = f"stock {view[LEFT]}, discards {sum(counts(view[DISCARDS]))}"
    if view[SEAT] >= 0:
        return f"turn {view[TURNS] + 1} of {view[MAX_TURNS]}, action {view[ACTIONS] + 1} of {ACTIONS_A_TURN}, {piles}"
    if view[WINNER] == NONE:
        return f"a draw after {view[TURNS]} turns, {piles}"
    return f"{SEAT_NAMES[view[WINNER]]} won in turn {view[TURNS] + 1}, {piles}"


def picture(view: np.ndarray, legal: Sequence[int]) -> Scene:
    """Return the view as shapes: choose a pirate, a card or the space to go to, until one move is left."""
    seats = [_seat(view, legal, seat) for seat in range(view[SEAT_COUNT])]
    return Scene(f"Cartagena: {standing(view)}", [board(view, legal), *seats, _piles(view)], _prompt(view, legal))


def _prompt(view: np.ndarray, legal: Sequence[int]) -> str:
    """Return what the seat to move may do, as far as the legal moves tell."""
    if view[SEAT] < 0:
        return ""
    name, left = SEAT_NAMES[view[SEAT]].capitalize(), ACTIONS_A_TURN - int(view[ACTIONS])
    if DRAW in legal:
        return f"{name}: no pirate can move; draw a card"
    ahead, back = any(move < BACK for move in legal), any(BACK <= move < STOP for move in legal)
    asked = ["play a card to move a pirate ahead"] if ahead else []
    asked += [f"move {'one' if ahead else 'a pirate'} back to draw"] if back else []
    asked += ["stop"] if STOP in legal else []
    words = ", or ".join([*([", ".join(asked[:-1])] if asked[1:] else []), *asked[-1:]])
    return f"{name}: {left} of {ACTIONS_A_TURN} actions left{': ' if words else ''}{words}"


def _seat(view: np.ndarray, legal: Sequence[int], seat: int) -> Panel:
    """Draw a seat's cards, and how many of its pirates are on the sloop."""
    name, held, hand = SEAT_NAMES[seat], int(view[HELD + seat]), hand_of(view, seat)
    aboard = pirates(view, seat, SLOOP)
    shapes = _count(
        f"{aboard}/{PIRATES}", 18.0, f"{aboard} of {PIRATES} pirates are on the sloop", sloop_mark(10.0, 0.0, 20.0)
    )
    icon = box(4.0, -8.0, 12.0, 16.0, "none", rx=2.0, stroke=FAINT, stroke_width=1.5)
    shapes += _count(str(held), 42.0, f"{name} holds {_cards(held)}", icon)
    if hand is None:
        shapes += _backs(held, f"{name} holds {_cards(held)}")
    else:
        mine = legal if seat == view[SEAT] else ()
        for sign, n in enumerate(hand):
            plays = tuple(move for move in mine if move < BACK and move & 7 == sign)
            shapes += _stack(sign, n, f"{name} holds {n} {SIGN_NAMES[sign]}", plays)
    return Panel(f"seat {seat + 1}", SIDE_WIDTH, HAND_HEIGHT, shapes, f"{name.capitalize()}: {_cards(held)}", seat)


def _cards(n: int) -> str:
    return f"{n} card{'s' if n != 1 else ''}"


def _count(words: str, y: float, title: str, icon: Shape) -> list[Shape]:
    """Draw a number with an icon before it, in words when pointed at."""
    return [group(0.0, y, [icon, caption(words, 24.0, 0.0)], title)]


def _backs(n: int, title: str) -> list[Shape]:
    step = min(SLOT / 2, (SIDE_WIDTH - SLOTS - CARD_WIDTH - 2) / max(1, n - 1))
    return [card_back(SLOTS + step * k, TOP, title) for k in range(n)]


def _stack(sign: int, n: int, title: str, moves: tuple[int, ...]) -> list[Shape]:
    """Draw the cards of one sign in a hand; the topmost says how many there are and carries the moves."""
    shown, x = min(n, STACK), SLOTS + SLOT * sign
    if not n:
        return [no_card(x, TOP)]
    below = [card(sign, x + 2.0 * k, TOP - 2.0 * k, title) for k in reversed(range(1, shown))]
    return [*below, card(sign, x, TOP, title, n, moves)]


def _piles(view: np.ndarray) -> Panel:
    """Draw the open row, the stock and the discards."""
    shapes, y = [], 0.0
    row = row_of(view)
    if not view[HIDDEN]:
        shapes.append(caption("The row: the first card is drawn next", 0.0, 8.0, 12.0, FAINT))
        for k, sign in enumerate(row):
            down, along = divmod(k, ROW_LINE)
            title = f"card {k + 1} of the row: {SIGN_NAMES[sign]}"
            shapes.append(card(sign, 1 + along * SLOT, 20 + down * (CARD_HEIGHT + 6), title))
        y = 20 + (1 + max(0, len(row) - 1) // ROW_LINE) * (CARD_HEIGHT + 6) + 4
    stock, discards = int(view[LEFT]), counts(view[DISCARDS])
    shapes.append(caption("Stock", 1.0, y + 8, 12.0, FAINT))
    shapes.append(caption(f"Discards: {sum(discards)}", SLOTS, y + 8, 12.0, FAINT))
    if stock:
        shapes.append(card_back(1.0, y + 20, f"the stock: {_cards(stock)}", str(stock)))
    for sign, n in enumerate(discards):
        x = SLOTS + SLOT * sign
        shapes.append(card(sign, x, y + 20, f"{n} {SIGN_NAMES[sign]} played", n) if n else no_card(x, y + 20))
    title = "Stock and discards" if view[HIDDEN] else "Row, stock and discards"
    return Panel("cards", SIDE_WIDTH, y + 20 + CARD_HEIGHT + 2, shapes, title)
