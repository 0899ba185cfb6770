"""Can't Stop oracle: a slow, plain twin of the rules, written from shared/rules/shelf.md alone.

API
    Oracle(options, luck)       options {"seats": 2, 3 or 4, "max_turns": 400};
                                luck {"rolls": iterable of rolls of four faces} and, for a position that begins with a
                                roll, "spaces": [dict from column to the seat's space, per seat], "runners": dict
                                from column to space, "turn": seat to move, "turns": turns so far
    turn                        seat from 0, None when the game is over
    moves()                     set of legal move texts, empty when the game is over
    play(text)                  plays a legal move, raises ValueError for any other
    payoff()                    when over: winner 1, others 0; 1 / seats each when max_turns ended the game
    copy()                      an independent copy (it has no further rolls)
    phase                       "choose" (a roll lies there) or "decide" (go on or stop)
    roll                        the four faces, None in "decide"
    spaces, runners             dict from column to space per seat, lasting; the same for this turn's neutral markers
    turns                       turns ended so far, by stopping or by losing
    won(seat)                   set of columns that the seat has topped

Formats
    "6 8"   advance in 6 and in 8, the lower column first; "7 7" two spaces in 7; "8" only in 8;  go;  stop

Decided here
    1. Spaces are counted from 1; column c has LENGTH[c], the last one is the top. Several seats may be on one space.
    2. A roll has three pairings. A column is playable if no seat has topped it for good, its neutral marker is not
       on the top, and there is a neutral marker in it or one of the three left to put there.
    3. Pairing with two sums: both are advanced if that is possible; there is no choice to advance only one. If one
       neutral marker is left and both sums need it, either may be chosen: two moves. If only one is playable: that one.
       If none: the pairing is no move.
    4. Both sums equal: two spaces with one neutral marker if there is room, else one.
    5. Moves that say the same are one move, whichever pairing they come from.
    6. A neutral marker starts one space above the seat's own marker in the column, or on space 1.
    7. If no pairing can be played the turn is lost at once: there is no move to make, the neutral markers come off,
       and the next seat rolls. Several seats may lose their turns in a row like that.
    8. After each advance the seat goes on (which rolls at once) or stops. Stopping is always possible, also on
       the top; going on too, even with three tops, as only stopping secures them.
    9. After stopping the neutral markers become the seat's own. A column topped thereby is closed for all; markers of
       others in it stay in `spaces` and mean nothing. Three columns topped win at once.
    10. After max_turns turns (lost ones count) the game is drawn and pays 1 / seats each. A win with the last turn
        counts.
    11. Seat 0 begins. A roll is taken from the iterator when it is needed.
"""

from copy import deepcopy

LENGTH = {2: 3, 3: 5, 4: 7, 5: 9, 6: 11, 7: 13, 8: 11, 9: 9, 10: 7, 11: 5, 12: 3}
MARKERS = 3
TO_WIN = 3
DEFAULTS = {"seats": 2, "max_turns": 400}


class Oracle:
    """One game of Can't Stop."""

    def __init__(self, options, luck):
        options = {**DEFAULTS, **options}
        self.seats = options["seats"]
        self.max_turns = options["max_turns"]
        self.rolls = iter(luck["rolls"])
        self.spaces = [dict(row) for row in luck.get("spaces", [{}] * self.seats)]
        self.runners = dict(luck.get("runners", {}))
        self.turn = luck.get("turn", 0)
        self.turns = luck.get("turns", 0)
        self.winner = None
        self._throw()

    def copy(self):
        """Return an independent copy, without further rolls."""
        rolls, self.rolls = self.rolls, None
        twin = deepcopy(self)
        self.rolls, twin.rolls = rolls, iter(())
        return twin

    def won(self, seat):
        """Return the columns that the seat has topped for good."""
        return {column for column, space in self.spaces[seat].items() if space == LENGTH[column]}

    def _throw(self):
        """Roll until there is a move or the game is over."""
        self.phase = "choose"
        while self.turn is not None:
            self.roll = tuple(next(self.rolls))
            if self._actions():
                return
            self._end_turn()

    def _end_turn(self):
        """Take the neutral markers off and let the next seat begin."""
        self.runners = {}
        self.roll = None
        self.turns += 1
        if self.winner is not None or self.turns >= self.max_turns:
            self.turn = None
        else:
            self.turn = (self.turn + 1) % self.seats

    def advanced(self, runners, column):
        """Return the neutral markers after one more step in the column, None if it is not playable."""
        if any(column in self.won(seat) for seat in range(self.seats)):
            return None
        if column not in runners and len(runners) == MARKERS:
            return None
        space = runners.get(column, self.spaces[self.turn].get(column, 0))
        if space == LENGTH[column]:
            return None
        return {**runners, column: space + 1}

    def _actions(self):
        """Return a dict from each text of an advance to the neutral markers after it."""
        a, b, c, d = self.roll
        actions = {}
        for pairing in ((a + b, c + d), (a + c, b + d), (a + d, b + c)):
            one, two = sorted(pairing)
            after_one = self.advanced(self.runners, one)
            after_two = self.advanced(self.runners, two)
            after_both = None if after_one is None else self.advanced(after_one, two)
            if after_both is not None:
                actions[f"{one} {two}"] = after_both
            else:
                if after_one is not None:
                    actions[f"{one}"] = after_one
                if after_two is not None:
                    actions[f"{two}"] = after_two
        return actions

    def moves(self):
        """Return the set of legal move texts."""
        if self.turn is None:
            return set()
        return {"go", "stop"} if self.phase == "decide" else set(self._actions())

    def play(self, text):
        """Play a legal move."""
        if text not in self.moves():
            raise ValueError(f"{text!r} is not legal; legal are {sorted(self.moves())}")
        if self.phase == "choose":
            self.runners = self._actions()[text]
            self.roll = None
            self.phase = "decide"
            return
        if text == "stop":
            self.spaces[self.turn].update(self.runners)
            if len(self.won(self.turn)) >= TO_WIN:
                self.winner = self.turn
            self._end_turn()
        self._throw()

    def payoff(self):
        """Return the payoffs of all seats of a finished game."""
        if self.turn is not None:
            raise ValueError("the game is not over")
        if self.winner is None:
            return [1 / self.seats] * self.seats
        return [1.0 if seat == self.winner else 0.0 for seat in range(self.seats)]
