"""The cells of a Cartagena state.

Spaces are bits 0..37: 0 is the start, 37 the sloop. A pile is six counts of eight bits, one a sign. A line of cards is
four bits a card: its sign + 1.
"""

from kibitz.core.cells import cells

NONE = -1
MOST_SEATS = 5
MOST_TURNS = 1000
KINDS = 6  # signs
MOST_EACH = 21  # cards of a sign
HAND_SIZE = 6  # cards dealt to each seat
ACTIONS_A_TURN = 3
STOCK_CELLS = 8
TURNS_A_BLOCK = 4  # of the history
CELLS_A_BLOCK = 1 + TURNS_A_BLOCK

CELLS = cells(
    # Fixed for the whole game, and open to all:
    SEAT_COUNT=1,  # how many take part
    HIDDEN=1,  # 1 in the version Jamaica: hands are secret and there is no row
    DECK=1,  # cards of each sign in the game, as a pile
    ROW_SIZE=1,  # cards in a full row
    REFILL=1,  # 0: a new row once the last is used up; 1: the row is filled up after every card
    SLOOP_BACK=1,  # 1 if pirates may come back from the sloop
    MAX_TURNS=1,  # turns after which the game ends without a winner
    SIGNS=KINDS,  # for each sign the spaces that show it, and the sloop: bit masks
    # The position:
    SEAT=1,  # the seat to move, or OVER
    ACTIONS=1,  # actions it has taken in this turn, 0..2
    TURNS=1,  # turns finished
    WINNER=1,  # the seat that won, or NONE
    ONES=MOST_SEATS,  # for each seat the spaces where bit 0 of its number of pirates is set: bit masks
    TWOS=MOST_SEATS,  # … bit 1
    FOURS=MOST_SEATS,  # … bit 2 (only the start and the sloop hold more than three)
    SINGLES=1,  # spaces of the passage where bit 0 of the number of all pirates is set
    DOUBLES=1,  # … bit 1
    HAND=MOST_SEATS,  # for each seat its cards, as a pile; in Jamaica a secret of the seat
    HELD=MOST_SEATS,  # for each seat how many cards it holds
    DISCARDS=1,  # played cards, as a pile
    ROW=1,  # the open row, as a line, next card first; 0 in Jamaica
    IN_ROW=1,  # cards in the row
    LEFT=1,  # cards in the stock
    STOCK=STOCK_CELLS,  # the stock, as lines of 16, the top card last; a secret from everyone
    SEED=1,  # dice for the next shuffle; a secret from everyone
    SHUFFLES=1,  # how often the discards were shuffled into a new stock
    # What seats remember, kept in Jamaica only (see history.py):
    DEALT=MOST_SEATS,  # for each seat the six cards it was dealt, as a pile; a secret of the seat
    PLAYED=MOST_SEATS,  # for each seat how many cards it has played
    HISTORY=CELLS_A_BLOCK * ((MOST_TURNS + MOST_SEATS) // TURNS_A_BLOCK + 1),  # `hand_over` may skip turns
)
(
    SEAT_COUNT, HIDDEN, DECK, ROW_SIZE, REFILL, SLOOP_BACK, MAX_TURNS, SIGNS, SEAT, ACTIONS, TURNS, WINNER, ONES, TWOS,
    FOURS, SINGLES, DOUBLES, HAND, HELD, DISCARDS, ROW, IN_ROW, LEFT, STOCK, SEED, SHUFFLES, DEALT, PLAYED, HISTORY,
) = CELLS  # fmt: skip
