"""The cells of a Cartagena state.

Fixed for the whole game, and open to all:

    cell  0      SEAT_COUNT  how many take part
    cell  1      HIDDEN      1 in the version Jamaica: hands are secret and there is no row
    cell  2      DECK        cards of each sign in the game, as a pile
    cell  3      ROW_SIZE    cards in a full row
    cell  4      REFILL      0: a new row once the last is used up; 1: the row is filled up after every card
    cell  5      SLOOP_BACK  1 if pirates may come back from the sloop
    cell  6      MAX_TURNS   after so many turns the game ends without a winner
    cell  7..12  SIGNS       for each sign the spaces that show it, and the sloop: bit masks

The position:

    cell 13      SEAT        the seat to move, or OVER
    cell 14      ACTIONS     actions it has taken in this turn, 0..2
    cell 15      TURNS       turns finished
    cell 16      WINNER      the seat that won, or NONE
    cell 17..21  ONES        for each seat the spaces where bit 0 of its number of pirates is set: bit masks
    cell 22..26  TWOS        … bit 1
    cell 27..31  FOURS       … bit 2 (only the start and the sloop hold more than three)
    cell 32      SINGLES     spaces of the passage where bit 0 of the number of all pirates is set
    cell 33      DOUBLES     … bit 1
    cell 34..38  HAND        for each seat its cards, as a pile; in Jamaica a secret of the seat
    cell 39..43  HELD        for each seat how many cards it holds
    cell 44      DISCARDS    played cards, as a pile
    cell 45      ROW         the open row, as a line, next card first; 0 in Jamaica
    cell 46      IN_ROW      cards in the row
    cell 47      LEFT        cards in the stock
    cell 48..55  STOCK       the stock, as lines of 16, the top card last; a secret from everyone
    cell 56      SEED        dice for the next shuffle; a secret from everyone
    cell 57      SHUFFLES    how often the discards have become the stock

What seats remember, kept in Jamaica only (see diary.py):

    cell 58..62  DEALT       for each seat the six cards it was dealt, as a pile; a secret of the seat
    cell 63..67  PLAYED      for each seat how many cards it has played
    cell 68..    DIARY       for every four turns five cells

Spaces are bits 0..37: 0 is the start, 37 the sloop. A pile is six counts of eight bits, one a sign. A line of cards is
four bits a card: its sign + 1.
"""

SEAT_COUNT, HIDDEN, DECK, ROW_SIZE, REFILL, SLOOP_BACK, MAX_TURNS = range(7)
SIGNS = 7
SEAT, ACTIONS, TURNS, WINNER = range(13, 17)
ONES, TWOS, FOURS = 17, 22, 27
SINGLES, DOUBLES = 32, 33
HAND, HELD = 34, 39
DISCARDS, ROW, IN_ROW, LEFT = range(44, 48)
STOCK, SEED, SHUFFLES = 48, 56, 57
DEALT, PLAYED, DIARY = 58, 63, 68

NONE = -1
MOST_SEATS = 5
