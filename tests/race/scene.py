"""The picture of Race."""

from kibitz.scenes import Cards, Dice, Hands, Piles, Prompt, Track

from .rules import CARD, EACH, HELD, SEAT

NAMES = ("guard", "priest", "countess", "prince", "handmaid", "royal baron")


def card_played(view, move):
    """Return the card that a move plays."""
    return view[HELD + EACH * view[SEAT] + move - CARD] if move >= CARD else None


SCENE = [
    Track("PLACE", spaces=24, each=2),
    Dice("DIE", title="dice"),
    Piles("HEAP", moves="pile", names=lambda heap: f"heap {heap + 1}"),
    Cards(counts="STOCK", title="stock"),
    Hands("HELD", NAMES, each=EACH, moves=card_played),
    Prompt("Take a stone or play a card"),
]
