"""Rolit oracle: a slow, plain twin of the rules as the README of the game states them.

API
    Oracle(options, luck=None)  options {"seats": 2, 3 or 4}, usually 4;
                                luck None for the usual start, or a position:
                                {"discs": {field name: colour 0 to 3}, "turn": seat to move}
    turn                        seat from 0, None when the game is over
    moves()                     set of legal move texts, empty when the game is over
    play(text)                  plays a legal move, raises ValueError for any other
    payoff()                    when over: 1 shared equally by the seats with most discs, others 0
    copy()                      an independent copy
    discs                       dict from field (column, row) to colour; COLOURS has the names of the colours 0 to 3
    plies                       moves played so far, 0 to 60 (a position counts as if played from the start)
    counts()                    number of discs of each of the four colours

Formats
    field   column letter a to h, row number 1 to 8 (a1 low left); a move is the field on which a disc is placed,
            in lower case and without spaces (the game also takes others when they are typed)

Interpretations
    1. "Next to" is all eight directions, diagonals included.
    2. All four colours are in the middle for any number of seats, as in the published game: clockwise from high left
       d5 red, e5 yellow, e4 green, d4 blue.
    3. The colour of seat s is s with any number of seats: 2 seats are red and yellow, 3 red, yellow and green. The
       other colours are nobody's.
    4. Discs of nobody's colours are captured as others' discs are, enclose nothing, and count for nobody at the end,
       even if they are the most.
    5. A run is enclosed by the new disc and the next disc of the same colour in a straight line, with no free field
       between. All runs in all eight directions change at once; discs changed by the placing capture nothing further.
    6. Seat 0 begins. There are always 60 plies; in a position given, as many as there are free fields.
"""

SIZE = 8
DEFAULTS = {"seats": 4}
COLOURS = ("red", "yellow", "green", "blue")
DIRECTIONS = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)]
FIELDS = [(column, row) for row in range(SIZE) for column in range(SIZE)]
NAMES = {"abcdefgh"[column] + "12345678"[row]: (column, row) for column, row in FIELDS}
TEXTS = {field: name for name, field in NAMES.items()}
START = {"d5": 0, "e5": 1, "e4": 2, "d4": 3}


def run(discs, field, direction, colour):
    """Return the fields captured in one direction by a disc of the colour placed on the field."""
    found = []
    column, row = field[0] + direction[0], field[1] + direction[1]
    while (column, row) in discs:
        if discs[column, row] == colour:
            return found
        found.append((column, row))
        column, row = column + direction[0], row + direction[1]
    return []


def captures(discs, field, colour):
    """Return all fields captured by a disc of the colour placed on the field."""
    return [other for direction in DIRECTIONS for other in run(discs, field, direction, colour)]


class Oracle:
    """One game of Rolit."""

    def __init__(self, options, luck=None):
        self.options = {**DEFAULTS, **options}
        self.seats = self.options["seats"]
        luck = luck or {"discs": START, "turn": 0}
        self.discs = {NAMES[name]: colour for name, colour in luck["discs"].items()}
        self.turn = luck["turn"]

    def copy(self):
        """Return an independent copy."""
        twin = Oracle(self.options)
        twin.discs = dict(self.discs)
        twin.turn = self.turn
        return twin

    @property
    def plies(self):
        """Return the number of moves played so far."""
        return len(self.discs) - len(START)

    def moves(self):
        """Return the set of legal move texts."""
        if self.turn is None:
            return set()
        free = [field for field in FIELDS if field not in self.discs]
        capturing = {TEXTS[field] for field in free if captures(self.discs, field, self.turn)}
        beside = {TEXTS[(c, r)] for c, r in free if any((c + dc, r + dr) in self.discs for dc, dr in DIRECTIONS)}
        return capturing or beside

    def play(self, text):
        """Play a legal move."""
        if text not in self.moves():
            raise ValueError(f"{text!r} is not legal; legal are {sorted(self.moves())}")
        for field in [*captures(self.discs, NAMES[text], self.turn), NAMES[text]]:
            self.discs[field] = self.turn
        self.turn = (self.turn + 1) % self.seats if len(self.discs) < SIZE * SIZE else None

    def counts(self):
        """Return the number of discs of each colour."""
        return [list(self.discs.values()).count(colour) for colour in range(len(COLOURS))]

    def payoff(self):
        """Return the payoffs of all seats of a finished game."""
        if self.turn is not None:
            raise ValueError("the game is not over")
        counts = self.counts()[: self.seats]
        best = max(counts)
        return [1 / counts.count(best) if count == best else 0.0 for count in counts]
