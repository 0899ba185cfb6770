"""Kuhn poker in words and cards; moves are buttons."""

from kibitz.scenes import Card, Hands, Prompt, Text

from .rules import HISTORY

CARDS = (Card("jack", "J"), Card("queen", "Q"), Card("king", "K"))


def done(view) -> str:
    """Return what was done so far."""
    words = ["bet" if int(digit) % 2 else "pass" for digit in _base_four(int(view[HISTORY]))]
    return f"So far: {', '.join(words) or 'nothing'}"


def _base_four(past: int) -> str:
    return "" if past == 1 else _base_four(past // 4) + str(past % 4)


SCENE = [Text(done), Hands("CARD", CARDS), Prompt("Pass or bet")]
