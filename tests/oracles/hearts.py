"""Hearts oracle: a slow, plain twin of the rules, written from shared/rules/shelf.md alone.

API
    Oracle(options, luck)       options {"seats": 3, 4 or 5, "passing": "left", "right", "across", "none" or "rotate",
                                         "hand": number of the first hand from 0 (only used by rotate), "target": 0};
                                luck {"deals": iterable of deals, each a list of card texts per seat}
    turn                        seat from 0, None when the game is over
    moves()                     set of legal move texts, empty when the game is over
    play(text)                  plays a legal move, raises ValueError for any other
    payoff()                    when over, see 9
    copy()                      an independent copy (of a game that needs no further deal)
    phase                       "pass", "play" or "over"
    hands, chosen               set of cards per seat; cards chosen for passing per seat, still in hand, in order
    trick, leader               list of (seat, card) of the trick on the table; who led it
    taken, totals               points taken in this hand per seat (before the moon rule); totals of finished hands
    broken                      whether a heart has been played in this hand
    view(seat)                  what the seat sees now, as a dict
    seen(seat)                  list of what the seat has seen happen since the start, as tuples
    deck(seats)                 the cards in use, low to high, clubs, diamonds, spades, hearts

Formats
    card    rank 23456789TJQKA and suit C D S H: QS, TH, 2C; a move is a card, to pass or to play

Decided here
    1. 3 seats: without 2D, 17 cards each; 4: all, 13 each; 5: without 2D and 2C, 10 each. The lowest club, 2C or with
       5 seats 3C, is led by who holds it after the passing; it is the only legal move.
    2. Three cards are passed whatever the number of seats. Left is the next seat in the order of play, right the one
       before, across two further on (4 seats only). Rotate: left, right, across, none with 4 seats by hand number
       modulo 4; left, right, none with 3 and 5 seats modulo 3.
    3. Passing is hidden and simultaneous: seat 0 chooses its three cards, one card a move and in any order, then
       seat 1, and so on. All cards change hands when the last seat has chosen its third card. Before that the others
       see only how many cards a seat has chosen; afterwards the receiver knows which cards came from whom.
    4. Follow suit if possible. First trick: a seat without clubs may not play a heart or QS unless it holds nothing
       else (a hand of hearts and QS only may play any of them).
    5. A heart may not be led before a heart has been played in this hand, unless the leader holds only hearts. QS
       does not break hearts, and who holds only hearts and QS must lead QS. QS may be led at any time.
    6. The highest card of the suit led takes the trick; its seat leads the next one.
    7. Each heart 1, QS 13. If one seat has taken all 26: 0 for it, 26 for every other.
    8. target 0: one hand is the game. Otherwise hands go on, with a new deal each and the next hand number, until some
       total is at least the target after a hand.
    9. One hand: payoff 1 - points / 26. With a target: 1 shared equally by the seats with the lowest total, others 0.
"""

from copy import deepcopy

RANKS = "23456789TJQKA"
SUITS = "CDSH"
REMOVED = {3: {"2D"}, 4: set(), 5: {"2D", "2C"}}
ROTATIONS = {3: ("left", "right", "none"), 4: ("left", "right", "across", "none"), 5: ("left", "right", "none")}
DEFAULTS = {"seats": 4, "passing": "rotate", "hand": 0, "target": 0}
PASSED = 3
MOON = 26


def deck(seats):
    """Return the cards used with so many seats."""
    return [rank + suit for suit in SUITS for rank in RANKS if rank + suit not in REMOVED[seats]]


def worth(card):
    """Return the points of a card."""
    return 13 if card == "QS" else 1 if card[1] == "H" else 0


class Oracle:
    """One game of Hearts."""

    def __init__(self, options, luck):
        options = {**DEFAULTS, **options}
        self.seats = options["seats"]
        self.passing = options["passing"]
        self.target = options["target"]
        if self.passing not in ("left", "right", "none", "rotate") and (self.passing, self.seats) != ("across", 4):
            raise ValueError(f"passing {self.passing!r} is not possible with {self.seats} seats")
        self.number = options["hand"]
        self.deals = iter(list(luck["deals"]))
        self.totals = [0] * self.seats
        self.log = []
        self._deal()

    def copy(self):
        """Return an independent copy."""
        return deepcopy(self)

    def _tell(self, public, private=None):
        """Note an event: what all see, and by seat what some see instead."""
        self.log.append((public, private or {}))

    def _deal(self):
        """Begin a hand."""
        deal = next(self.deals)
        if sorted(card for hand in deal for card in hand) != sorted(deck(self.seats)):
            raise ValueError("the deal is not the deck")
        self.hands = [set(hand) for hand in deal]
        self.chosen = [[] for _ in range(self.seats)]
        self.gave = [{} for _ in range(self.seats)]
        self.got = [{} for _ in range(self.seats)]
        self.trick = []
        self.played = []
        self.taken = [0] * self.seats
        self.broken = False
        self._tell(("dealt",), {seat: ("dealt", *sorted(hand)) for seat, hand in enumerate(self.hands)})
        if self.direction() == "none":
            self._start()
        else:
            self.phase, self.turn = "pass", 0

    def direction(self):
        """Return where cards go in this hand."""
        if self.passing != "rotate":
            return self.passing
        rotation = ROTATIONS[self.seats]
        return rotation[self.number % len(rotation)]

    def _start(self):
        """Let the holder of the lowest club lead."""
        self.phase = "play"
        self.turn = next(seat for seat, hand in enumerate(self.hands) if deck(self.seats)[0] in hand)
        self.leader = self.turn

    def moves(self):
        """Return the set of legal move texts."""
        if self.turn is None:
            return set()
        hand = self.hands[self.turn]
        if self.phase == "pass":
            return hand - set(self.chosen[self.turn])
        first = len(self.played) < self.seats
        if not self.trick:
            if first:
                return {deck(self.seats)[0]}
            others = {card for card in hand if card[1] != "H"}
            return set(hand) if self.broken or not others else others
        following = {card for card in hand if card[1] == self.trick[0][1][1]}
        if following:
            return following
        harmless = {card for card in hand if worth(card) == 0}
        return harmless if first and harmless else set(hand)

    def play(self, text):
        """Play a legal move."""
        if text not in self.moves():
            raise ValueError(f"{text!r} is not legal; legal are {sorted(self.moves())}")
        if self.phase == "pass":
            self._choose(text)
        else:
            self._play_card(text)

    def _choose(self, card):
        """Choose a card to pass."""
        seat = self.turn
        self.chosen[seat].append(card)
        self._tell(("chooses", seat), {seat: ("chooses", seat, card)})
        if len(self.chosen[seat]) < PASSED:
            return
        self.turn += 1
        if self.turn == self.seats:
            self._exchange()
            self._start()

    def _exchange(self):
        """Let all chosen cards change hands at once."""
        step = {"left": 1, "right": self.seats - 1, "across": 2}[self.direction()]
        private = {}
        for giver in range(self.seats):
            taker = (giver + step) % self.seats
            self.hands[giver] -= set(self.chosen[giver])
        for giver in range(self.seats):
            taker = (giver + step) % self.seats
            self.hands[taker] |= set(self.chosen[giver])
            self.gave[giver] = {taker: sorted(self.chosen[giver])}
            self.got[taker] = {giver: sorted(self.chosen[giver])}
            private[taker] = ("exchange", giver, *sorted(self.chosen[giver]))
        self.chosen = [[] for _ in range(self.seats)]
        self._tell(("exchange",), private)

    def _play_card(self, card):
        """Play a card to the trick."""
        seat = self.turn
        self.hands[seat].remove(card)
        self.trick.append((seat, card))
        self.played.append((seat, card))
        self.broken = self.broken or card[1] == "H"
        self._tell(("plays", seat, card))
        self.turn = (seat + 1) % self.seats
        if len(self.trick) == self.seats:
            led = [(RANKS.index(card[0]), seat) for seat, card in self.trick if card[1] == self.trick[0][1][1]]
            self.turn = self.leader = max(led)[1]
            self.taken[self.turn] += sum(worth(card) for _, card in self.trick)
            self.trick = []
            if not any(self.hands):
                self._end_hand()

    def points(self):
        """Return the points of the hand by seat, with the moon rule."""
        if MOON in self.taken:
            return [0 if taken == MOON else MOON for taken in self.taken]
        return list(self.taken)

    def _end_hand(self):
        """Count a hand that is over and deal the next one, if there is one."""
        self.totals = [total + points for total, points in zip(self.totals, self.points(), strict=True)]
        self._tell(("totals", *self.totals))
        self.number += 1
        if self.target == 0 or max(self.totals) >= self.target:
            self.phase, self.turn = "over", None
        else:
            self._deal()

    def payoff(self):
        """Return the payoffs of all seats of a finished game."""
        if self.turn is not None:
            raise ValueError("the game is not over")
        if self.target == 0:
            return [1 - total / MOON for total in self.totals]
        least = min(self.totals)
        return [1 / self.totals.count(least) if total == least else 0.0 for total in self.totals]

    def view(self, seat):
        """Return what the seat sees now, with the cards it gave and got in this hand."""
        return {
            "hand": sorted(self.hands[seat]),
            "chosen": list(self.chosen[seat]),
            "number chosen": [len(cards) for cards in self.chosen],
            "gave": dict(self.gave[seat]),
            "got": dict(self.got[seat]),
            "trick": list(self.trick),
            "played": list(self.played),
            "taken": list(self.taken),
            "totals": list(self.totals),
            "broken": self.broken,
            "turn": self.turn,
            "phase": self.phase,
        }

    def seen(self, seat):
        """Return all events as the seat saw them."""
        return [private.get(seat, public) for public, private in self.log]
