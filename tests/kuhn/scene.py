"""Kuhn poker in words and buttons."""

from kibitz.core.contract import UNKNOWN
from kibitz.core.scene import Panel, Scene, Shape

from .notation import NAMES
from .rules import CARD, HISTORY

CARDS = ("jack", "queen", "king")


def text(view) -> str:
    """Return the cards and what was done."""
    cards = ["unknown" if view[CARD + seat] == UNKNOWN else CARDS[view[CARD + seat]] for seat in range(2)]
    done = ["bet" if int(digit) % 2 else "pass" for digit in _base_four(int(view[HISTORY]))]
    return f"first: {cards[0]}, second: {cards[1]}; {', '.join(done) or 'nothing done yet'}"


def _base_four(past: int) -> str:
    return "" if past == 1 else _base_four(past // 4) + str(past % 4)


def picture(view, legal) -> Scene:
    """Return a button for every legal move."""
    shapes = [
        Shape("rect", {"x": 60.0 * move, "y": 0.0, "width": 50.0, "height": 20.0}, title=NAMES[move], moves=(move,))
        for move in legal
    ]
    return Scene(text(view), [Panel("board", 180, 20, shapes)])
