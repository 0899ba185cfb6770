"""Shares of a whole: values whose sum is known exactly."""

from math import floor

from kibitz.core.native import helper

WHOLE = 100.0  # the sum of values that are shares, so that they read as per cent
RESOLUTION = 2.0**-20  # shares are multiples of this: sums and differences of them are never rounded


@helper
def equalize_zero_payoffs(seats, earned):
    """Give all seats the same payoff if none earned anything: that is a draw, whatever the game pays for it."""
    for seat in range(seats):
        if earned[seat] != 0.0:
            return
    for seat in range(seats):
        earned[seat] = 1.0 / seats


@helper
def share_out(seats, whole, out):
    """Turn values, none below 0, into shares of a whole, each rounded down to a multiple of RESOLUTION; 0 stays 0."""
    total = 0.0
    for seat in range(seats):
        total += out[seat]
    for seat in range(seats):
        if total > 0.0:
            out[seat] = floor(whole * (out[seat] / total) / RESOLUTION) * RESOLUTION
