"""Cartagena oracle: a slow, plain twin of the rules, written from shared/rules/cartagena.md alone.

API
    Oracle(options, luck)       options seats, version, board, cards, row, refill, sloop_back, max_turns (see DEFAULTS);
                                luck {"board": [36 signs], "hands": [[six counts] per seat],
                                      "stock": [signs, next one first], "row": [signs, next one first; [] in Jamaica]}
    turn                        seat from 0, None when the game is over
    moves()                     set of legal move texts, empty when the game is over
    play(text, reshuffled=None) plays a legal move; `reshuffled` is the new stock, next card first, given exactly when
                                the move makes the discards be shuffled; ValueError for anything else
    to_shuffle(text)            sorted signs that the move would shuffle into a new stock, None if it shuffles nothing
    payoff()                    when over: winner 1, others 0; 1 / seats each when max_turns ended the game
    allows(seat, world)         whether the seat, remembering all it could observe, cannot rule out the world
                                {"hands": [[six counts] per seat], "stock": [signs, next one first]}
    board, hands, stock, row    as in luck, as they are now
    discards, pirates           list of signs; sorted list of six spaces per seat
    actions_left, turns         actions left in this turn (3, 2, 1); turns ended so far

Formats
    signs   bottle pistol hat skull dagger key = 0..5; spaces 0 (start), 1..36, 37 (sloop)
    "3 hat"     the pirate on space 3 goes forward with a hat
    "back 14"   the pirate on space 14 goes back
    "stop"      end the turn after 1 or 2 actions
    "draw"      the only move when no action is possible at the start of a turn

Interpretations
    * Seat 0 begins. Pirates of one seat on one space are the same move. The third action ends the turn by itself.
      After the first action `stop` is always legal and has to be played even if it is the only legal move.
    * The first seat with 6 pirates on the sloop wins at once, also on the last turn before max_turns.
    * `draw` is legal (and draws nothing) even if there is no card left anywhere.
    * The stock is renewed only when a card has to come from it and it is empty: then all discards are shuffled into
      it. That happens at most once in a move, as no move that draws also discards. Cards drawn one by one: of two
      cards the first may be the last of the old stock, the second the first of the new one.
    * Tortuga, refill=empty: as soon as the last card of the row is taken, even between two cards of one action, a new
      row is laid out. refill=always: after every single card taken the row is filled up to its length at its end.
    * Laying out or filling up goes card by card from the stock, shuffling the discards when it is empty; when both are
      empty the row stays short (perhaps empty). It is not filled up when discards appear later, but at the next
      draw: before taking a card if the row is empty, after taking it by the rule of `refill`.
    * The first row is shorter than `row` if the deal leaves fewer cards.
    * Knowledge: the stock is never seen, so no order of it can be ruled out. In Tortuga all else is open, so exactly
      the true hands and the true contents of the stock are allowed. In Jamaica a seat knows its own hand and every
      card it ever drew, what was discarded by whom and when, how many cards were drawn by whom from which stock, and
      the contents of every stock at the moment it was shuffled. Legality betrays no more: any card can be played with
      any pirate that is not on the sloop, so a seat that must `draw` has an empty hand, which its size shows anyway.
      The time taken grows with the number of reshuffles: milliseconds for a few, seconds for dozens with tiny decks.
"""

from copy import deepcopy
from itertools import combinations

SIGNS = ("bottle", "pistol", "hat", "skull", "dagger", "key")
SEGMENTS = (
    ("bottle", "pistol", "hat", "skull", "dagger", "key"),
    ("dagger", "bottle", "key", "pistol", "hat", "skull"),
    ("hat", "key", "pistol", "bottle", "skull", "dagger"),
    ("key", "bottle", "skull", "dagger", "hat", "pistol"),
    ("pistol", "key", "dagger", "hat", "skull", "bottle"),
    ("hat", "dagger", "key", "bottle", "pistol", "skull"),
)
SLOOP = 37
PIRATES = 6
HAND = 6
ACTIONS = 3
LOOK_BACK = 4
SIGN_SETS = [signs for size in range(1, 7) for signs in combinations(range(6), size)]
DEFAULTS = {
    "seats": 3,
    "version": "tortuga",
    "board": "standard",
    "cards": 17,
    "row": 12,
    "refill": "empty",
    "sloop_back": False,
    "max_turns": None,
}


class ReshuffleNeededError(ValueError):
    """The discards have to be shuffled and no new stock was given."""

    def __init__(self, cards):
        super().__init__(f"the new stock must be given, in its order; it consists of {cards}")
        self.cards = cards


def counts(cards):
    """Return how many cards there are of each sign."""
    found = list(cards)
    return [found.count(sign) for sign in range(6)]


def standard_board():
    """Return the signs of spaces 1..36 of the standard board."""
    return [SIGNS.index(name) for segment in SEGMENTS for name in segment]


def is_random_board(board):
    """Return whether a board is made of the six segments in some order and directions."""
    parts = [tuple(SIGNS[sign] for sign in board[i : i + 6]) for i in range(0, 36, 6)]
    return sorted(min(part, part[::-1]) for part in parts) == sorted(min(s, s[::-1]) for s in SEGMENTS)


class Oracle:
    """One game of Cartagena."""

    def __init__(self, options, luck):
        unknown = set(options) - set(DEFAULTS)
        if unknown:
            raise ValueError(f"unknown options {sorted(unknown)}; known are {sorted(DEFAULTS)}")
        self.options = {**DEFAULTS, **options}
        self.seats = self.options["seats"]
        self.jamaica = self.options["version"] == "jamaica"
        self.board = list(luck["board"])
        self.hands = [list(hand) for hand in luck["hands"]]
        self.stock = list(luck["stock"])
        self.row = list(luck["row"])
        self._check_luck()
        self.discards = []
        self.pirates = [[0] * PIRATES for _ in range(self.seats)]
        self.turn = 0
        self.actions_left = ACTIONS
        self.turns = 0
        self.winner = None
        self.reshuffled = None
        self.decks = [[self.options["cards"]] * 6]
        self.story = [("take", seat, sign, 0) for seat in range(self.seats) for sign in self._hand_cards(seat)]

    def _hand_cards(self, seat):
        """Return the cards in the hand of a seat as a list of signs."""
        return [sign for sign in range(6) for _ in range(self.hands[seat][sign])]

    def _check_luck(self):
        """Raise ValueError if the luck does not fit the options."""
        cards = self.stock + self.row + [sign for seat in range(len(self.hands)) for sign in self._hand_cards(seat)]
        row = 0 if self.jamaica else min(self.options["row"], len(self.stock + self.row))
        if self.options["board"] == "standard" and self.board != standard_board():
            raise ValueError("the board is not the standard one")
        if not is_random_board(self.board):
            raise ValueError("the board is not made of the six segments")
        if [sum(hand) for hand in self.hands] != [HAND] * self.seats:
            raise ValueError(f"each of the {self.seats} seats must be dealt {HAND} cards")
        if len(self.row) != row:
            raise ValueError(f"the row must have {row} cards, not {len(self.row)}")
        if counts(cards) != [self.options["cards"]] * 6:
            raise ValueError(f"there must be {self.options['cards']} cards of each sign, not {counts(cards)}")

    def _pirates_on(self, space):
        """Return how many pirates, of all seats, stand on a space."""
        return sum(pirates.count(space) for pirates in self.pirates)

    def _forward(self, start, sign):
        """Return the space a pirate on `start` reaches with a card of this sign."""
        for space in range(start + 1, SLOOP):
            if self.board[space - 1] == sign and self._pirates_on(space) == 0:
                return space
        return SLOOP

    def _backward(self, start):
        """Return the space a pirate on `start` goes back to, or None if there is none."""
        if start == SLOOP and not self.options["sloop_back"]:
            return None
        for space in range(start - 1, 0, -1):
            if self._pirates_on(space) in (1, 2):
                return space
        return None

    def _actions(self):
        """Return a dict from the text of each possible action to (from, to, sign played or None)."""
        actions = {}
        for start in self.pirates[self.turn]:
            for sign in range(6):
                if start != SLOOP and self.hands[self.turn][sign] > 0:
                    actions[f"{start} {SIGNS[sign]}"] = (start, self._forward(start, sign), sign)
            if self._backward(start) is not None:
                actions[f"back {start}"] = (start, self._backward(start), None)
        return actions

    def moves(self):
        """Return the set of legal move texts."""
        if self.turn is None:
            return set()
        actions = set(self._actions())
        if self.actions_left < ACTIONS:
            return actions | {"stop"}
        return actions or {"draw"}

    def to_shuffle(self, text):
        """Return the sorted signs that a legal move would shuffle into a new stock, or None."""
        try:
            deepcopy(self).play(text)
        except ReshuffleNeededError as error:
            return error.cards
        return None

    def play(self, text, reshuffled=None):
        """Play a legal move."""
        if text not in self.moves():
            raise ValueError(f"{text!r} is not legal; legal are {sorted(self.moves())}")
        self.reshuffled = reshuffled
        if text == "draw":
            self._draw()
            self.actions_left = 0
        elif text == "stop":
            self.actions_left = 0
        else:
            self._act(*self._actions()[text])
            self.actions_left -= 1
        if self.reshuffled is not None:
            raise ValueError(f"a new stock was given, but {text!r} shuffles nothing")
        if self.pirates[self.turn] == [SLOOP] * PIRATES:
            self.winner = self.turn
            self.turn = None
        elif self.actions_left == 0:
            self.actions_left = ACTIONS
            self.turns += 1
            self.turn = None if self.turns == self.options["max_turns"] else (self.turn + 1) % self.seats

    def _act(self, start, end, sign):
        """Move a pirate forward, discarding a card, or backward, drawing cards."""
        cards = self._pirates_on(end)
        self.pirates[self.turn].remove(start)
        self.pirates[self.turn].append(end)
        self.pirates[self.turn].sort()
        if sign is None:
            for _ in range(cards):
                self._draw()
        else:
            self.hands[self.turn][sign] -= 1
            self.discards.append(sign)
            self.story.append(("play", self.turn, sign, len(self.decks) - 1))

    def _draw(self):
        """Give the seat to move one card, if there is any."""
        if self.jamaica:
            card = self._next_of_stock()
        else:
            if not self.row:
                self._fill_row()
            card = self.row.pop(0) if self.row else None
            if self.options["refill"] == "always" or not self.row:
                self._fill_row()
        if card is not None:
            self.hands[self.turn][card] += 1
            self.story.append(("take", self.turn, card, len(self.decks) - 1))

    def _fill_row(self):
        """Add cards from the stock to the end of the row until it has its length."""
        while len(self.row) < self.options["row"]:
            card = self._next_of_stock()
            if card is None:
                return
            self.row.append(card)

    def _next_of_stock(self):
        """Take the next card of the stock, renewed from the discards if empty; None if both are empty."""
        if not self.stock and self.discards:
            if self.reshuffled is None:
                raise ReshuffleNeededError(sorted(self.discards))
            if sorted(self.reshuffled) != sorted(self.discards):
                raise ValueError(f"{self.reshuffled} is not an order of the discards {sorted(self.discards)}")
            self.stock = list(self.reshuffled)
            self.reshuffled = None
            self.decks.append(counts(self.discards))
            self.discards = []
        return self.stock.pop(0) if self.stock else None

    def payoff(self):
        """Return the payoffs of all seats of a finished game."""
        if self.turn is not None:
            raise ValueError("the game is not over")
        if self.winner is None:
            return [1 / self.seats] * self.seats
        return [1.0 if seat == self.winner else 0.0 for seat in range(self.seats)]

    def allows(self, seat, world):
        """Return whether a seat that remembers all it could observe cannot rule out this world."""
        if len(world["stock"]) != len(self.stock) or world["hands"][seat] != self.hands[seat]:
            return False
        if [sum(hand) for hand in world["hands"]] != [sum(hand) for hand in self.hands]:
            return False
        if not self.jamaica:
            return world["hands"] == self.hands and counts(world["stock"]) == counts(self.stock)
        supply = self._hidden_supply(seat, world["stock"])
        others = [other for other in range(self.seats) if other != seat]
        periods = [[event[:3] for event in self.story if event[3] == deck] for deck in range(len(self.decks))]
        hands = tuple(tuple(world["hands"][other]) for other in others)
        return min(map(min, supply)) >= 0 and _Past(others, periods, supply).leads_to(hands)

    def _hidden_supply(self, seat, stock):
        """Return, for each deck and sign, how many cards the other seats must have taken from that deck.

        A deck is the first one or one of the shuffled stocks. All cards of a deck but those still in the stock of the
        world were taken, and the seat knows which ones it took itself.
        """
        supply = [list(deck) for deck in self.decks]
        for sign in stock:
            supply[-1][sign] -= 1
        for what, taker, sign, deck in self.story:
            if what == "take" and taker == seat:
                supply[deck][sign] -= 1
        return supply


class _Past:
    """What a seat of Jamaica saw of the others: when they took a card of unknown sign, and which cards they played.

    A period is the time in which cards came from one deck. Of each period are known the takes and plays in their order
    and how many cards of each sign the others took together (`supply`). Going back period by period from the hands at
    its end, a *share* says how many cards of each sign a seat took in it; with what the seat played this gives
    its hand at the start of the period. A world is possible if and only if shares exist that add up to the supply,
    explain the plays in their order and lead back to empty hands before the deal.
    """

    def __init__(self, others, periods, supply):
        self.others = others
        self.periods = periods
        self.supply = supply
        self.takes = {}
        self.plays = {}
        self.events = {}
        for period, events in enumerate(periods):
            for other in others:
                self.takes[other, period] = sum(event[:2] == ("take", other) for event in events)
                self.plays[other, period] = counts(event[2] for event in events if event[:2] == ("play", other))
                self.events[other, period] = [(what, sign) for what, taker, sign in events[::-1] if taker == other]

    def leads_to(self, hands):
        """Return whether the others can have these hands (a tuple of six counts each) now.

        The search goes back in time, `trail[i]` giving hands to try for the end of the i-th period from the last.
        """
        trail = [iter([hands])]
        tried = set()
        while trail:
            period = len(self.periods) - len(trail)
            hands = next(trail[-1], None)
            if hands is None:
                trail.pop()
            elif (hands, period) not in tried:
                tried.add((hands, period))
                if period > 0:
                    trail.append(self._hands_before(hands, period, []))
                elif self._follow_the_deal(hands):
                    return True
        return False

    def _follow_the_deal(self, hands):
        """Return whether these hands at the end of the first period and the plays in it are just its supply."""
        used = [*hands, *(self.plays[other, 0] for other in self.others)]
        return [sum(cards[sign] for cards in used) for sign in range(6)] == self.supply[0]

    def _hands_before(self, hands, period, shares):
        """Yield the hands at the start of a period for all shares that begin with those given."""
        if not self._can_add_up(hands, period, shares):
            return
        index = len(shares)
        if index == len(self.others):
            yield tuple(self._hand_before(hands, period, shares, i) for i in range(index))
            return
        for share in self._choices(hands, period, shares):
            longer = [*shares, share]
            if self._in_order(self._hand_before(hands, period, longer, index), self.others[index], period):
                yield from self._hands_before(hands, period, longer)

    def _hand_before(self, hands, period, shares, index):
        """Return the hand at the start of a period of the seat with this index among the others."""
        plays = self.plays[self.others[index], period]
        return tuple(hands[index][sign] + plays[sign] - shares[index][sign] for sign in range(6))

    def _choices(self, hands, period, shares):
        """Yield every share of the next seat that its takes, its uses and what is left of the supply permit."""
        other = self.others[len(shares)]
        plays = self.plays[other, period]
        limits = []
        for sign in range(6):
            left = self.supply[period][sign] - sum(share[sign] for share in shares)
            limits.append(min(left, plays[sign] + hands[len(shares)][sign]))
        yield from _splits(self.takes[other, period], limits)

    def _in_order(self, hand, other, period):
        """Return whether a seat that starts a period with this hand can have played its cards when it did."""
        held = list(hand)
        fresh = 0
        for what, taker, sign in self.periods[period]:
            if taker != other:
                continue
            if what == "take":
                fresh += 1
            elif held[sign] > 0:
                held[sign] -= 1
            else:
                fresh -= 1
            if fresh < 0:
                return False
        return True

    def _can_add_up(self, hands, period, shares):
        """Return whether, for this and some earlier periods, the supply since its start fits the takes and uses since.

        This is only there to give up early: it holds if the rest of the shares exists. The takes that can have
        been of some signs are those that can serve later uses of these signs, one each; they must be enough for the
        supply of these signs.
        """
        ends = [period - 1 if index < len(shares) else period for index in range(len(self.others))]
        finals = [
            self._hand_before(hands, period, shares, index) if index < len(shares) else hands[index]
            for index in range(len(self.others))
        ]
        for signs in SIGN_SETS:
            needed = -sum(share[sign] for share in shares for sign in signs)
            unserved = [sum(final[sign] for sign in signs) for final in finals]
            served = 0
            for start in range(period, max(0, period - LOOK_BACK), -1):
                needed += sum(self.supply[start][sign] for sign in signs)
                for index, other in enumerate(self.others):
                    if start <= ends[index]:
                        for what, sign in self.events[other, start]:
                            if what == "play" and sign in signs:
                                unserved[index] += 1
                            elif what == "take" and unserved[index] > 0:
                                unserved[index] -= 1
                                served += 1
                if served < needed:
                    return False
        return True


def _splits(total, limits):
    """Yield every tuple of numbers that adds up to the total and exceeds no limit."""
    if not limits:
        if total == 0:
            yield ()
        return
    for first in range(min(total, limits[0]) + 1):
        for rest in _splits(total - first, limits[1:]):
            yield (first, *rest)
