"""Quarto oracle: a slow, plain twin of the rules, written from shared/rules/quarto.md alone.

API
    Oracle(options, luck=None)  options {"squares": bool}, default false; there is no luck
    turn                        seat 0 or 1, None when the game is over
    moves()                     set of legal move texts, empty when the game is over
    play(text)                  plays a legal move, raises ValueError for any other
    payoff()                    [seat 0, seat 1] when over: win 1, loss 0, draw 0.5 each
    copy()                      an independent copy
    cells, hand, pool           16 pieces or None (index = row * 4 + column, a1 = 0); piece in hand or None;
                                set of the pieces neither placed nor in hand
    solve(oracle)               plain minimax payoff of the seat to move
    automorphisms(squares)      every permutation of the 16 cells that maps the set of lines onto itself
    canonical(cells, hand, squares=False)   the least of all images under the symmetries

Formats
    cell    column letter a..d, row number 1..4: a1, d4
    piece   W or B (white, black), S or T (short, tall), Q or R (square, round), H or S (hollow, solid): WSQH, BTRS.
            The number of a piece is 1 for black + 2 for tall + 4 for round + 8 for solid.
    A move that places is the text of a cell, a move that hands over is the text of a piece.

Interpretations
    * Seat 0 hands first; placing and handing are two moves of the same seat.
    * The placer wins at once, before handing. When the 16th piece makes no line the game is drawn at once.
    * Only the cell just filled can complete a line, so looking at all lines after each placing is the same.
    * A minimal image has 17 entries: the 16 cells with 16 for empty, then the hand or 16. Entry p[i] of the image
      under the automorphism p is the relabelled entry i.
"""

from functools import cache
from itertools import permutations, product

LETTERS = ("WB", "ST", "QR", "HS")
SIZE = 4
EMPTY = 16


def piece_text(piece):
    """Return the four letters of a piece number."""
    return "".join(LETTERS[k][piece // 2**k % 2] for k in range(4))


def cell_text(cell):
    """Return the column letter and row number of a cell number."""
    return "abcd"[cell % SIZE] + "1234"[cell // SIZE]


PIECES = {piece_text(piece): piece for piece in range(16)}
CELLS = {cell_text(cell): cell for cell in range(16)}


def lines(squares):
    """Return the lines as lists of four cell numbers: rows, columns, diagonals and, if asked for, 2x2 squares."""
    found = []
    for i in range(SIZE):
        found.append([i * SIZE + j for j in range(SIZE)])
        found.append([j * SIZE + i for j in range(SIZE)])
    found.append([i * SIZE + i for i in range(SIZE)])
    found.append([i * SIZE + SIZE - 1 - i for i in range(SIZE)])
    if squares:
        for row in range(SIZE - 1):
            for column in range(SIZE - 1):
                found.append([(row + i) * SIZE + column + j for i in range(2) for j in range(2)])
    return found


def wins(cells, squares):
    """Return whether some line holds four pieces that share an attribute value."""
    for line in lines(squares):
        texts = [piece_text(cells[cell]) for cell in line if cells[cell] is not None]
        if len(texts) == SIZE:
            for k in range(4):
                if len({text[k] for text in texts}) == 1:
                    return True
    return False


class Oracle:
    """One game of Quarto."""

    def __init__(self, options, luck=None):
        self.squares = options.get("squares", False)
        self.cells = [None] * 16
        self.hand = None
        self.pool = set(range(16))
        self.turn = 0
        self.winner = None

    def copy(self):
        """Return an independent copy."""
        twin = Oracle({"squares": self.squares})
        twin.cells = list(self.cells)
        twin.hand = self.hand
        twin.pool = set(self.pool)
        twin.turn = self.turn
        twin.winner = self.winner
        return twin

    def moves(self):
        """Return the set of legal move texts."""
        if self.turn is None:
            return set()
        if self.hand is None:
            return {piece_text(piece) for piece in self.pool}
        return {cell_text(cell) for cell in range(16) if self.cells[cell] is None}

    def play(self, text):
        """Play a legal move."""
        if text not in self.moves():
            raise ValueError(f"{text!r} is not legal; legal are {sorted(self.moves())}")
        if self.hand is None:
            self.hand = PIECES[text]
            self.pool.remove(self.hand)
            self.turn = 1 - self.turn
            return
        self.cells[CELLS[text]] = self.hand
        self.hand = None
        if wins(self.cells, self.squares):
            self.winner = self.turn
            self.turn = None
        elif None not in self.cells:
            self.turn = None

    def payoff(self):
        """Return the payoffs of both seats of a finished game."""
        if self.turn is not None:
            raise ValueError("the game is not over")
        if self.winner is None:
            return [0.5, 0.5]
        return [1.0 if seat == self.winner else 0.0 for seat in range(2)]


def solve(oracle):
    """Return the minimax payoff of the seat to move, for late positions only."""
    if oracle.turn is None:
        raise ValueError("the game is over: no seat is to move")
    return _value(oracle, oracle.turn, {})


def _value(oracle, seat, memo):
    """Return the minimax payoff of `seat` in a position of any seat to move."""
    if oracle.turn is None:
        return oracle.payoff()[seat]
    key = (tuple(oracle.cells), oracle.hand, oracle.turn)
    if key not in memo:
        values = []
        for text in oracle.moves():
            child = oracle.copy()
            child.play(text)
            values.append(_value(child, seat, memo))
        memo[key] = max(values) if oracle.turn == seat else min(values)
    return memo[key]


@cache
def automorphisms(squares=False):
    """Return every permutation of the cells (a tuple: cell i goes to p[i]) that maps the set of lines onto itself."""
    all_lines = {frozenset(line) for line in lines(squares)}
    found = []

    def shared(cell, other):
        """Return how many lines hold both cells; with a cell and itself, how many lines hold it."""
        return sum(cell in line and other in line for line in all_lines)

    def extend(images):
        """Give the next cell each free image that shares as many lines with the earlier images as the cells do."""
        cell = len(images)
        if cell == 16:
            if {frozenset(images[i] for i in line) for line in all_lines} == all_lines:
                found.append(tuple(images))
            return
        for image in range(16):
            longer = [*images, image]
            if image not in images and all(shared(i, cell) == shared(longer[i], image) for i in range(cell + 1)):
                extend(longer)

    extend([])
    return found


@cache
def relabellings():
    """Return the 384 relabellings of pieces, each as a list of the new numbers, with EMPTY going to itself."""
    found = []
    for order in permutations(range(4)):
        for flips in product(range(2), repeat=4):
            images = []
            for piece in range(16):
                attributes = [piece // 2**k % 2 for k in range(4)]
                images.append(sum(2**k * ((attributes[order[k]] + flips[k]) % 2) for k in range(4)))
            found.append([*images, EMPTY])
    return found


def canonical(cells, hand, squares=False):
    """Return the least image of a board and the piece in hand under all symmetries of board and pieces."""
    position = [EMPTY if piece is None else piece for piece in [*cells, hand]]
    best = None
    for permutation in automorphisms(squares):
        moved = [EMPTY] * 17
        for cell in range(16):
            moved[permutation[cell]] = position[cell]
        moved[16] = position[16]
        for images in relabellings():
            image = tuple(images[piece] for piece in moved)
            if best is None or image < best:
                best = image
    return best
