"""Shares of a whole: worths whose sum is known, and known exactly."""

from math import floor

from kibitz.core.native import helper

WHOLE = 100.0  # what values that are shares sum up to, so that they read as per cent
GRAIN = 2.0**-20  # shares are multiples of this: sums and differences of them are never rounded


@helper
def even_out(seats, earned):
    """Let all seats have earned the same where nobody earned anything: that is a draw, whatever a game pays for it."""
    for seat in range(seats):
        if earned[seat] != 0.0:
            return
    for seat in range(seats):
        earned[seat] = 1.0 / seats


@helper
def share_out(seats, whole, out):
    """Turn worths, none of them below 0, into shares of a whole, each rounded down to grains; 0 stays 0."""
    total = 0.0
    for seat in range(seats):
        total += out[seat]
    for seat in range(seats):
        if total > 0.0:
            out[seat] = floor(whole * (out[seat] / total) / GRAIN) * GRAIN
