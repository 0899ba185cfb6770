"""Liar's dice oracle: a slow, plain twin of the rules, written from shared/rules/shelf.md alone.

API
    Oracle(options, luck)       options {"seats": 2 to 6, "dice": 1 to 5, "wild": 1, "loss": "one" or "difference",
                                         "spot_on": False};
                                luck {"rolls": iterable of rolls, each a list of faces per seat, [] for a seat
                                that is out}
    turn                        seat from 0, None when the game is over
    moves()                     set of legal move texts, empty when the game is over
    play(text)                  plays a legal move, raises ValueError for any other
    payoff()                    when over: winner 1, others 0
    copy()                      an independent copy (of a round, it has no further rolls)
    counts, dice                number of dice per seat; the faces that lie hidden, sorted, per seat
    bid, bidder                 (number, face) and seat of the last bid of the round, None and None before it
    view(seat)                  what the seat sees now, as a dict
    seen(seat)                  list of what the seat has seen happen since the start, as tuples

Formats
    3x5 a bid of three fives;  liar  a challenge;  spot on

Decided here
    1. Faces 1 to 6. wild is the face that counts as every face (1, or any other; 0 for none). A bid on the wild face
       itself counts only that face. Ones are the lowest face in the order of bids, wild or not, and may be bid.
    2. A bid is higher with more dice, of any face, or with as many dice of a higher face. At most as many dice may be
       bid as lie on the table. The first move of a round is a bid; after it a seat may bid higher, challenge or, if the
       option says so, call spot on. After the highest bid of all only the latter two remain.
    3. Only the seat to move may challenge or call, and only the last bid. Order of play is by seat number, leaving
       out seats without dice.
    4. Challenge: if fewer dice than bid show the face, the bidder loses, else the challenger. Loss one: one die. Loss
       difference: as many as the bid is off, at least one, at most all that are left.
    5. Spot on: if exactly as many dice as bid show the face, every other seat with dice loses one die, the bidder
       too; else the caller loses one die. One die in either case, whatever `loss` says.
    6. After it all dice have been shown to all. The seat that lost the challenge begins the next round; after spot on
       the caller does, right or wrong. If it has no dice left, the next seat that has some begins.
    7. The game ends when one seat has dice left. Seat 0 begins the first round. A seat that is out stays out.
    8. A roll is taken from the iterator when a round begins. The order of the dice of a seat means nothing.
"""

from copy import deepcopy

SIDES = 6
DEFAULTS = {"seats": 2, "dice": 5, "wild": 1, "loss": "one", "spot_on": False}


class Oracle:
    """One game of liar's dice."""

    def __init__(self, options, luck):
        options = {**DEFAULTS, **options}
        self.seats = options["seats"]
        self.wild = options["wild"]
        self.loss = options["loss"]
        self.spot_on = options["spot_on"]
        self.counts = [options["dice"]] * self.seats
        self.rolls = iter(luck["rolls"])
        self.log = []
        self._roll(0)

    def copy(self):
        """Return an independent copy, without further rolls."""
        rolls, self.rolls = self.rolls, None
        twin = deepcopy(self)
        self.rolls, twin.rolls = rolls, iter(())
        return twin

    def _roll(self, beginner):
        """Begin a round with the given seat, or the next one that has dice."""
        roll = next(self.rolls)
        if [len(faces) for faces in roll] != self.counts:
            raise ValueError(f"{roll} is not a roll of {self.counts} dice")
        self.dice = [sorted(faces) for faces in roll]
        self.bid = self.bidder = None
        self.turn = beginner if self.counts[beginner] else self._after(beginner)
        private = {seat: ("rolls", seat, *faces) for seat, faces in enumerate(self.dice) if faces}
        self.log.append((("rolls",), private))

    def _after(self, seat):
        """Return the next seat that has dice."""
        seat = (seat + 1) % self.seats
        return seat if self.counts[seat] else self._after(seat)

    def moves(self):
        """Return the set of legal move texts."""
        if self.turn is None:
            return set()
        bids = [(number, face) for number in range(1, sum(self.counts) + 1) for face in range(1, SIDES + 1)]
        found = {f"{number}x{face}" for number, face in bids if self.bid is None or (number, face) > self.bid}
        if self.bid is not None:
            found.add("liar")
            if self.spot_on:
                found.add("spot on")
        return found

    def actual(self):
        """Return how many dice show the face of the last bid."""
        return sum(face in (self.bid[1], self.wild) for faces in self.dice for face in faces)

    def play(self, text):
        """Play a legal move."""
        if text not in self.moves():
            raise ValueError(f"{text!r} is not legal; legal are {sorted(self.moves())}")
        seat = self.turn
        self.log.append(((text, seat), {}))
        if text not in ("liar", "spot on"):
            self.bid = tuple(int(part) for part in text.split("x"))
            self.bidder = seat
            self.turn = self._after(seat)
            return
        lost = [0] * self.seats
        off = abs(self.actual() - self.bid[0])
        if text == "liar":
            beginner = self.bidder if self.actual() < self.bid[0] else seat
            lost[beginner] = max(off, 1) if self.loss == "difference" else 1
        else:
            beginner = seat
            for other in range(self.seats):
                if (off == 0 and other != seat) or (off > 0 and other == seat):
                    lost[other] = 1
        self.log.append((("shown", *(tuple(faces) for faces in self.dice)), {}))
        self.counts = [max(count - less, 0) for count, less in zip(self.counts, lost, strict=True)]
        self.log.append((("left", *self.counts), {}))
        if self.counts.count(0) == self.seats - 1:
            self.turn = None
        else:
            self._roll(beginner)

    def payoff(self):
        """Return the payoffs of all seats of a finished game."""
        if self.turn is not None:
            raise ValueError("the game is not over")
        return [1.0 if count else 0.0 for count in self.counts]

    def view(self, seat):
        """Return what the seat sees now."""
        return {
            "dice": list(self.dice[seat]),
            "counts": list(self.counts),
            "bid": self.bid,
            "bidder": self.bidder,
            "turn": self.turn,
        }

    def seen(self, seat):
        """Return all events as the seat saw them."""
        return [private.get(seat, public) for public, private in self.log]
