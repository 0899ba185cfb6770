"""A team's package, as students of COMP30024 hand it in."""

from team.player import Player

__all__ = ["Player"]
