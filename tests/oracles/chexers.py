"""Chexers oracle: a slow, plain twin of the rules, written from shared/rules/chexers.md alone.

API
    Oracle(options, luck=None)  options {} (there are none); luck None for the usual start, or a position:
                                {"pieces": {"red": [hex names], "green": [...], "blue": [...]},
                                 "exits": [red, green, blue], "turn": seat to move, "turns": turns played so far}
    turn                        seat 0 red, 1 green, 2 blue; None when the game is over
    moves()                     set of legal move texts, empty when the game is over
    play(text)                  plays a legal move, raises ValueError for any other
    payoff()                    when over: winner 1, others 0; draw 1/3 each
    pieces, exits, turns        dict from (q, r) to the seat that owns the piece; exits by seat; turns played

Formats
    hex     column letter a..g for q = -3..3, number 1..7 for r = -3..3: (-3, 3) is a7, (0, 0) d4, (3, -3) g1
    MOVE a7-b6, JUMP a7xc5, EXIT g1 out, PASS pass

Interpretations
    * A pass is legal exactly when no move, jump or exit is, so also for a seat without pieces; it is then the only
      move and must be played (the seat is not skipped). A pass counts as a turn and can complete a repetition.
    * "The same board" is hexes with the colours of their pieces; the exits made are not compared. (They cannot
      differ: an exit takes a piece off for ever, so no board from before an exit comes back after it.)
    * Ends are looked at in this order after each turn: 4 exits of the mover, 4th occurrence, 768 turns.
    * A position given as luck counts once for repetition and is not itself looked at for an end, so it should be a
      position with no seat at 4 exits and fewer than 768 turns. Colours left out have no pieces.
"""

COLOURS = ("red", "green", "blue")
STARTS = (
    [(-3, 3), (-3, 2), (-3, 1), (-3, 0)],
    [(0, -3), (1, -3), (2, -3), (3, -3)],
    [(3, 0), (2, 1), (1, 2), (0, 3)],
)
EXITS = (
    [(3, -3), (3, -2), (3, -1), (3, 0)],
    [(-3, 3), (-2, 3), (-1, 3), (0, 3)],
    [(-3, 0), (-2, -1), (-1, -2), (0, -3)],
)
STEPS = [(-1, 0), (0, -1), (1, -1), (1, 0), (0, 1), (-1, 1)]
BOARD = [(q, r) for q in range(-3, 4) for r in range(-3, 4) if -3 <= -q - r <= 3]
EXITS_TO_WIN = 4
REPETITIONS_TO_DRAW = 4
TURNS_TO_DRAW = 768


def hex_text(place):
    """Return the name of a hex given as (q, r)."""
    q, r = place
    return "abcdefg"[q + 3] + str(r + 4)


HEXES = {hex_text(place): place for place in BOARD}


class Oracle:
    """One game of Chexers."""

    def __init__(self, options, luck=None):
        if luck is None:
            self.pieces = {place: seat for seat in range(3) for place in STARTS[seat]}
            self.exits = [0, 0, 0]
            self.turn = 0
            self.turns = 0
        else:
            self.pieces = {HEXES[name]: COLOURS.index(c) for c, names in luck["pieces"].items() for name in names}
            self.exits = list(luck["exits"])
            self.turn = luck["turn"]
            self.turns = luck["turns"]
        self.winner = None
        self.seen = [self._situation()]

    def _situation(self):
        """Return what is compared for repetition: the board and the seat to move."""
        return dict(self.pieces), self.turn

    def _actions(self):
        """Return a dict from each legal move text to (what it is, from, over, to)."""
        actions = {}
        for place, owner in self.pieces.items():
            if owner != self.turn:
                continue
            if place in EXITS[self.turn]:
                actions[f"{hex_text(place)} out"] = ("exit", place, None, None)
            for dq, dr in STEPS:
                near = (place[0] + dq, place[1] + dr)
                far = (place[0] + 2 * dq, place[1] + 2 * dr)
                if near in BOARD and near not in self.pieces:
                    actions[f"{hex_text(place)}-{hex_text(near)}"] = ("move", place, None, near)
                if near in self.pieces and far in BOARD and far not in self.pieces:
                    actions[f"{hex_text(place)}x{hex_text(far)}"] = ("jump", place, near, far)
        return actions or {"pass": ("pass", None, None, None)}

    def moves(self):
        """Return the set of legal move texts."""
        return set() if self.turn is None else set(self._actions())

    def play(self, text):
        """Play a legal move."""
        if text not in self.moves():
            raise ValueError(f"{text!r} is not legal; legal are {sorted(self.moves())}")
        kind, start, over, end = self._actions()[text]
        seat = self.turn
        if kind != "pass":
            del self.pieces[start]
        if kind == "exit":
            self.exits[seat] += 1
        if kind in ("move", "jump"):
            self.pieces[end] = seat
        if kind == "jump":
            self.pieces[over] = seat
        self.turns += 1
        self.turn = (seat + 1) % 3
        self.seen.append(self._situation())
        if self.exits[seat] == EXITS_TO_WIN:
            self.winner = seat
            self.turn = None
        elif self.seen.count(self._situation()) == REPETITIONS_TO_DRAW or self.turns == TURNS_TO_DRAW:
            self.turn = None

    def payoff(self):
        """Return the payoffs of the three seats of a finished game."""
        if self.turn is not None:
            raise ValueError("the game is not over")
        if self.winner is None:
            return [1 / 3, 1 / 3, 1 / 3]
        return [1.0 if seat == self.winner else 0.0 for seat in range(3)]
