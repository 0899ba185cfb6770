"""scene.py of Nim: the sticks, of which a click takes one and those after it."""

from kibitz.scenes import Piece, Piles, Prompt

SCENE = [
    Piles("STICKS", Piece("stick", form="bar", colour="#b5803c"), takes=lambda view, move: (0, move + 1)),
    Prompt("Take one, two or three sticks"),
]
