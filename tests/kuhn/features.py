"""What a network is shown of Kuhn poker: which of all that a seat can know it knows, so that a network is a table."""

from kibitz.networks.encoding import encoding

from .rules import CARD, CARDS, HISTORY, PBB

HISTORIES = PBB + 1


@encoding(length=CARDS * HISTORIES, most=1)
def knowledge(view, seat, out):
    """The seat's card together with the moves made."""
    out[0] = view[CARD + seat] * HISTORIES + view[HISTORY]
    return 1
