"""Chinese Checkers oracle: a slow, plain twin of the rules as the README of the game states them.

API
    Oracle(options, luck=None)  options {"seats": 2, 3, 4 or 6, usually 3; "fields": 73 or 121, usually 73};
                                luck None for the usual start, or a position:
                                {"pieces": [[field names] per seat], "turn": seat to move, "turns": turns so far}
                                (a seat may have fewer pieces than at the start)
    turn                        seat from 0, None when the game is over
    moves()                     set of legal move texts, empty when the game is over
    play(text)                  plays a legal move, raises ValueError for any other
    payoff()                    when over: winner 1, others 0; 1 / seats each when the turns ran out
    copy()                      an independent copy
    pieces, turns               dict from field (x, y, z) to seat; turns played so far
    most_turns, winner          turns after which the game ends; the seat that has won or None
    homes, goals                sets of fields per seat: where it starts, where it has to go

Formats
    field   a letter for the row, a the lowest (the tip in front of seat 0), and the number in the row from the left:
            a1, d4, m1 with 73 fields (rows a to m), q1 is the highest with 121 (rows a to q)
    move    c2-d5: from field, to field, for a step and for a chain of jumps;  pass

Interpretations
    1. A field is (x, y, z) with x + y + z = 0; neighbours differ by one in two of the three. With points of n rows
       (n = 3: 73 fields, n = 4: 121) the board is the union of two triangles: no coordinate under -n, or none
       over n. The six points are the fields with a coordinate beyond n or -n. Row = z, from the top z = -2n down to
       z = 2n; x grows to the right.
    2. Points are numbered clockwise from the lowest: 0 low, 1 low left, 2 high left, 3 high, 4 high right,
       5 low right. 2 seats sit at 0 and 3; 3 at 0, 2 and 4; 4 at 0, 1, 3 and 4; 6 at all. Seats are numbered in this
       order, which is the order of play, and seat 0 begins. The goal is the opposite point.
    3. A move is a pair of fields. A jump goes over the piece on a neighbouring field to the free field right behind
       it. A chain that ends where it began is no move. Steps and jumps do not mix. (Whether the moving piece still
       counts on its first field makes no difference: jumps of two never bring it next to that in a line.)
    4. Pieces may enter, cross and rest in every point, leave their goal and go back: nothing else is forbidden.
    5. A seat without a move must pass; `pass` is legal only then, and counts as a turn.
    6. After every turn all seats are looked at, the mover first: the one whose goal is full with at least one piece of
       its own in it has won. So a seat may also win by the move of another. It cannot be true of two seats for the
       first time at once: a move fills at most one point. A position that is given is not itself looked at for a win.
       (OpenSpiel differs here: it ends only when the goal is full of the seat's own pieces.)
    7. After 200 turns for each seat without a winner, passes included, the game is drawn and pays 1 / seats each,
       with both boards. A win with the last turn counts.
"""

DEFAULTS = {"seats": 3, "fields": 73}
TURNS_EACH = 200
ROWS = {73: 3, 121: 4}
POINTS = {2: (0, 3), 3: (0, 2, 4), 4: (0, 1, 3, 4), 6: (0, 1, 2, 3, 4, 5)}
STEPS = [(1, -1, 0), (-1, 1, 0), (1, 0, -1), (-1, 0, 1), (0, 1, -1), (0, -1, 1)]


def board(n):
    """Return the set of all fields of a star whose points have n rows."""
    span = range(-2 * n, 2 * n + 1)
    fields = [(x, y, -x - y) for x in span for y in span]
    return {field for field in fields if min(field) >= -n or max(field) <= n}


def point(n, number):
    """Return the set of fields of a point."""
    inside = (
        lambda x, y, z: z > n,
        lambda x, y, z: x < -n,
        lambda x, y, z: y > n,
        lambda x, y, z: z < -n,
        lambda x, y, z: x > n,
        lambda x, y, z: y < -n,
    )[number]
    return {field for field in board(n) if inside(*field)}


def names(n):
    """Return a dict from the name of each field to the field."""
    found = {}
    for z in range(-2 * n, 2 * n + 1):
        row = sorted(field for field in board(n) if field[2] == z)
        for number, field in enumerate(row, 1):
            found["abcdefghijklmnopq"[2 * n - z] + str(number)] = field
    return found


def shifted(field, step, times=1):
    """Return the field some steps away, on the board or not."""
    return field[0] + times * step[0], field[1] + times * step[1], field[2] + times * step[2]


class Oracle:
    """One game of Chinese Checkers."""

    def __init__(self, options, luck=None):
        options = {**DEFAULTS, **options}
        self.options = options
        self.seats = options["seats"]
        self.n = ROWS[options["fields"]]
        self.fields = board(self.n)
        self.names = names(self.n)
        self.texts = {field: name for name, field in self.names.items()}
        self.homes = [point(self.n, number) for number in POINTS[self.seats]]
        self.goals = [point(self.n, (number + 3) % 6) for number in POINTS[self.seats]]
        self.most_turns = self.seats * TURNS_EACH
        if luck is None:
            self.pieces = {field: seat for seat in range(self.seats) for field in self.homes[seat]}
            self.turn, self.turns = 0, 0
        else:
            self.pieces = {self.names[name]: seat for seat, given in enumerate(luck["pieces"]) for name in given}
            self.turn, self.turns = luck["turn"], luck["turns"]
        self.winner = None

    def copy(self):
        """Return an independent copy."""
        twin = Oracle(self.options)
        twin.pieces = dict(self.pieces)
        twin.turn, twin.turns, twin.winner = self.turn, self.turns, self.winner
        return twin

    def ends(self, start):
        """Return the set of fields at which a move of the piece on `start` may end."""
        others = set(self.pieces) - {start}
        free = self.fields - others
        steps = {shifted(start, step) for step in STEPS} & free
        reached = {start}
        while True:
            further = {
                shifted(field, step, 2)
                for field in reached
                for step in STEPS
                if shifted(field, step) in others and shifted(field, step, 2) in free
            }
            if further <= reached:
                return (steps | reached) - {start}
            reached |= further

    def _actions(self):
        """Return a dict from each legal move text to (from, to)."""
        actions = {}
        for start, seat in self.pieces.items():
            if seat == self.turn:
                for end in self.ends(start):
                    actions[f"{self.texts[start]}-{self.texts[end]}"] = (start, end)
        return actions or {"pass": None}

    def moves(self):
        """Return the set of legal move texts."""
        return set() if self.turn is None else set(self._actions())

    def play(self, text):
        """Play a legal move."""
        actions = {} if self.turn is None else self._actions()
        if text not in actions:
            raise ValueError(f"{text!r} is not legal; legal are {sorted(actions)}")
        if text != "pass":
            start, end = actions[text]
            self.pieces[end] = self.pieces.pop(start)
        self.turns += 1
        order = [(self.turn + i) % self.seats for i in range(self.seats)]
        self.winner = next((seat for seat in order if self.has_won(seat)), None)
        over = self.winner is not None or self.turns >= self.most_turns
        self.turn = None if over else order[1]

    def has_won(self, seat):
        """Return whether the goal of the seat is full with at least one piece of its own in it."""
        owners = [self.pieces.get(field) for field in self.goals[seat]]
        return None not in owners and seat in owners

    def payoff(self):
        """Return the payoffs of all seats of a finished game."""
        if self.turn is not None:
            raise ValueError("the game is not over")
        if self.winner is None:
            return [1 / self.seats] * self.seats
        return [1.0 if seat == self.winner else 0.0 for seat in range(self.seats)]
