"""Focus oracle: a slow, plain twin of the rules as the README of the game states them.

API
    Oracle(options, luck=None)  options {"seats": 2, 3 or 4, usually 4; "full": usually False};
                                luck None for the usual start, or a position:
                                {"stacks": {field name: owners from the bottom up, as digits "0120"},
                                 "reserves": [number per seat], "captured": [[number of each colour] per seat],
                                 "placed": [whether the first piece has been placed, per seat], "turn": seat,
                                 "turns": turns so far}; all but stacks and turn may be left out
    turn                        seat from 0, None when the game is over
    moves()                     set of legal move texts, empty when the game is over
    play(text)                  plays a legal move, raises ValueError for any other
    payoff()                    when over: winner 1, others 0; 1 / seats each when the turns ran out
    copy()                      an independent copy
    stacks                      dict from field (column, row) to a tuple of owners from the bottom up; only fields
                                with pieces; COLOURS has the letters of the owners 0 to 3
    reserves, captured, turns   number per seat; captured[seat][colour]; turns played so far
    controls(seat)              set of fields whose stack the seat controls

Formats
    field   column letter a to h, row number 1 to 8; not a1 b1 a2, g1 h1 h2, a7 a8 b8, g8 h8 h7
    move    c3-c5: the two top pieces of c3 go two fields up;  *c5: a reserve piece goes on c5,
            in lower case and without spaces (the game also takes others when they are typed)

Interpretations
    1. Straight lines are rows and columns, not diagonals. Stacks on the way do not matter. The number of pieces taken
       is the distance, so (from, to) says all. At most as many as the stack has pieces; the rest stays behind.
    2. The excess over five comes off from the bottom, piece by piece, after a reserve piece was placed as well.
       Pieces of the mover's colour go to its reserve, each other one counts as captured by the mover, by colour.
    3. Reserve pieces may go on any field, free or not, also on top of others' stacks.
    4. Won at once after a turn of the seat that has captured enough: 2 seats: 6; 3 seats: 3 of each opponent or 10
       in all; 4 seats: 2 of each opponent or 10 in all. With full there is no such end.
    5. A seat can move exactly if it controls a stack or has a reserve (a stack can always go one field). After
       every turn: if no other seat can move, the mover has won (the mover always can, it has just put a piece on top).
    6. A seat that cannot move when it would be its turn is passed over; that is no turn. It is not out of the
       game: it moves again as soon as it controls a stack, if others uncover one. Its captures keep counting for
       nobody else. With 2 seats that never happens, as the other has won.
    7. There are no partners with 4 seats.
    8. After 500 turns the game is drawn and pays 1 / seats each; a win with the last turn counts.
    9. Starts are those of the text (STARTS, row 8 above). Seat 0 begins. With 3 seats the piece kept off the board
       is in `reserves`; in the first turn of a seat only free fields are legal for it, and no other move.
"""

SIZE = 8
HIGHEST = 5
TURNS_TO_DRAW = 500
COLOURS = "RGBY"
DEFAULTS = {"seats": 4, "full": False}
ENOUGH = {2: (6, 6), 3: (3, 10), 4: (2, 10)}
STARTS = {
    2: """
        . . - - - - . .
        . 0 0 1 1 0 0 .
        - 1 1 0 0 1 1 -
        - 0 0 1 1 0 0 -
        - 1 1 0 0 1 1 -
        - 0 0 1 1 0 0 -
        . 1 1 0 0 1 1 .
        . . - - - - . .
    """,
    3: """
        . . - - - - . .
        . 0 0 1 1 2 2 .
        - 1 1 2 2 0 0 -
        - 2 2 0 0 1 1 -
        - 0 0 1 1 2 2 -
        - 1 1 2 2 0 0 -
        . 2 2 0 0 1 1 .
        . . - - - - . .
    """,
    4: """
        . . 0 0 2 1 . .
        . 1 1 1 2 1 2 .
        0 0 0 0 2 1 2 1
        1 1 1 1 2 1 2 1
        3 0 3 0 3 3 3 3
        3 0 3 0 2 2 2 2
        . 0 3 0 3 3 3 .
        . . 3 0 2 2 . .
    """,
}


def grid(seats):
    """Return a dict from (column, row) to the sign in the start of so many seats."""
    lines = [line.split() for line in STARTS[seats].split("\n") if line.split()]
    return {(column, SIZE - 1 - i): sign for i, line in enumerate(lines) for column, sign in enumerate(line)}


FIELDS = {field for field, sign in grid(2).items() if sign != "."}
NAMES = {"abcdefgh"[column] + "12345678"[row]: (column, row) for column, row in FIELDS}
TEXTS = {field: name for name, field in NAMES.items()}


class Oracle:
    """One game of Focus."""

    def __init__(self, options, luck=None):
        options = {**DEFAULTS, **options}
        self.options = options
        self.seats = options["seats"]
        if luck is None:
            self.stacks = {field: (int(sign),) for field, sign in grid(self.seats).items() if sign in "0123"}
            luck = {"turn": 0}
            if self.seats == 3:
                luck.update(reserves=[1, 1, 1], placed=[False, False, False])
        else:
            self.stacks = {NAMES[name]: tuple(map(int, owners)) for name, owners in luck["stacks"].items()}
        self.reserves = list(luck.get("reserves", [0] * self.seats))
        self.captured = [list(row) for row in luck.get("captured", [[0] * self.seats] * self.seats)]
        self.placed = list(luck.get("placed", [True] * self.seats))
        self.turn = luck["turn"]
        self.turns = luck.get("turns", 0)
        self.winner = None

    def copy(self):
        """Return an independent copy."""
        twin = Oracle(self.options)
        twin.stacks = dict(self.stacks)
        twin.reserves = list(self.reserves)
        twin.captured = [list(row) for row in self.captured]
        twin.placed = list(self.placed)
        twin.turn, twin.turns, twin.winner = self.turn, self.turns, self.winner
        return twin

    def controls(self, seat):
        """Return the fields whose stack the seat controls."""
        return {field for field, stack in self.stacks.items() if stack[-1] == seat}

    def can_move(self, seat):
        """Return whether the seat has any move."""
        return bool(self.controls(seat)) or self.reserves[seat] > 0

    def _actions(self):
        """Return a dict from each legal move text to (from or None, to, number of pieces)."""
        if not self.placed[self.turn]:
            return {f"*{TEXTS[field]}": (None, field, 1) for field in FIELDS if field not in self.stacks}
        actions = {}
        for column, row in self.controls(self.turn):
            for far in range(1, len(self.stacks[column, row]) + 1):
                for end in ((column + far, row), (column - far, row), (column, row + far), (column, row - far)):
                    if end in FIELDS:
                        actions[f"{TEXTS[column, row]}-{TEXTS[end]}"] = ((column, row), end, far)
        if self.reserves[self.turn] > 0:
            for field in FIELDS:
                actions[f"*{TEXTS[field]}"] = (None, field, 1)
        return actions

    def moves(self):
        """Return the set of legal move texts."""
        return set() if self.turn is None else set(self._actions())

    def play(self, text):
        """Play a legal move."""
        if text not in self.moves():
            raise ValueError(f"{text!r} is not legal; legal are {sorted(self.moves())}")
        seat = self.turn
        start, end, count = self._actions()[text]
        if start is None:
            moved = (seat,)
            self.reserves[seat] -= 1
            self.placed[seat] = True
        else:
            stack = self.stacks.pop(start)
            stays, moved = stack[: len(stack) - count], stack[len(stack) - count :]
            if stays:
                self.stacks[start] = stays
        merged = list(self.stacks.get(end, ()) + moved)
        while len(merged) > HIGHEST:
            lowest = merged.pop(0)
            if lowest == seat:
                self.reserves[seat] += 1
            else:
                self.captured[seat][lowest] += 1
        self.stacks[end] = tuple(merged)
        self._end_turn(seat)

    def _end_turn(self, seat):
        """Look for a winner and find the next seat to move."""
        self.turns += 1
        others = [other for other in range(self.seats) if other != seat]
        each, in_all = ENOUGH[self.seats]
        enough = all(self.captured[seat][other] >= each for other in others) or sum(self.captured[seat]) >= in_all
        if (enough and not self.options["full"]) or not any(self.can_move(other) for other in others):
            self.winner = seat
        if self.winner is not None or self.turns >= TURNS_TO_DRAW:
            self.turn = None
            return
        self.turn = (seat + 1) % self.seats
        while not self.can_move(self.turn):
            self.turn = (self.turn + 1) % self.seats

    def payoff(self):
        """Return the payoffs of all seats of a finished game."""
        if self.turn is not None:
            raise ValueError("the game is not over")
        if self.winner is None:
            return [1 / self.seats] * self.seats
        return [1.0 if seat == self.winner else 0.0 for seat in range(self.seats)]
