"""What the author of a game needs to declare its picture: boards, tracks, piles, cards, dice, scores and text."""

from kibitz.core.kit.cards_in_hand import FRENCH, Card, Cards, Hands, fold_card, french_cards
from kibitz.core.kit.dice_and_scores import Dice, Prompt, Scores, Text
from kibitz.core.kit.pieces import Piece
from kibitz.core.kit.piles import Piles
from kibitz.core.kit.scene_part import from_to
from kibitz.core.kit.tiled_boards import Grid, HexGrid, Track

__all__ = [
    "FRENCH",
    "Card",
    "Cards",
    "Dice",
    "Grid",
    "Hands",
    "HexGrid",
    "Piece",
    "Piles",
    "Prompt",
    "Scores",
    "Text",
    "Track",
    "fold_card",
    "french_cards",
    "from_to",
]
