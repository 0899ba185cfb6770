"""The module `quarto` that players of the Torino course import, rewritten from how they use it."""

import sys

from .objects import Piece, Player, Quarto

__all__ = ["Piece", "Player", "Quarto"]

sys.modules[f"{__name__}.quarto"] = quarto = sys.modules[__name__]  # for `from quarto import quarto`
