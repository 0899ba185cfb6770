"""Hints for Gamble."""

from kibitz.rules import hint

from .rules import SEAT


@hint
def hand_over(state, seat):
    """Make it a seat's turn."""
    if state[SEAT] >= 0:
        state[SEAT] = seat
