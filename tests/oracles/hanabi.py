"""Hanabi oracle: a slow, plain twin of the rules, written from shared/rules/shelf.md alone.

API
    Oracle(options, luck)       options seats, colours, copies, hand, tokens, lives, no_lives (see DEFAULTS);
                                luck {"deck": [card texts, the first to be dealt first]}
    turn                        seat from 0, None when the game is over
    moves()                     set of legal move texts, empty when the game is over
    play(text)                  plays a legal move, raises ValueError for any other
    score(), payoff()           points; when over: score / (colours x ranks) for every seat
    copy()                      an independent copy
    hands, told                 per seat a list of cards, oldest first; of the same shape: what is known of each card
                                to everybody, a dict of "colours" and "ranks" that it can be by the hints
                                (texts in order) and "colour" and "rank" if it was named, else None
    stacks, discards            height per colour; cards in the order in which they were laid off
    deck, tokens, lives         cards left, next one first; information tokens; lives
    left                        turns left, None before the last card was drawn
    view(seat)                  what the seat sees now, as a dict: everything but its own cards and the deck
    seen(seat)                  list of what the seat has seen happen since the start, as tuples

Formats
    card    colour letter R Y G W B, rank 1 to 5: G3
    play 2, discard 1     the number of a card in the own hand, 1 is the oldest
    hint 3 R, hint 0 4    to seat 3: all red cards; to seat 0: all fours

Decided here
    1. copies says how often each rank occurs in each colour: (3, 2, 2, 2, 1); its length is the highest rank, which
       completes a colour. Small variants have fewer colours (the first letters), ranks or cards in hand.
    2. hand 0 stands for 5 cards with 2 and 3 seats and 4 cards with 4 and 5. Seat 0 is dealt its whole hand first, then
       seat 1, and so on. A new card goes to the end of the hand, the cards after a gap move up. Seat 0 begins.
    3. A hint names at least one card, costs a token and is not possible without one. It may be given if it tells
       nothing new. Nobody hints himself. Discarding needs fewer tokens than at the start and brings one back.
    4. A card that cannot be played is laid off and costs a life. A highest card that is played brings back a token
       if one is missing. A played or discarded card is replaced at once while there is a deck.
    5. The game ends at once with the last life, or when all colours are complete. After the last card of the deck
       was drawn every seat has one more turn, the one that drew it too. If the deal uses up the deck, every
       seat has one turn. It does not end early when no more points are possible.
    6. no_lives: "zero" (default) scores 0 when the last life is lost, "stacks" counts the stacks. The card that cost
       the last life is laid off and not replaced.
    7. What is told of a card stays with the card as it moves up: named cards keep that colour or rank, the others of
       the hand rule it out. The number of copies left is not taken into account.
    8. The owner sees the card that it played or laid off, as all do; the card that a seat draws is seen by all others.
"""

from copy import deepcopy

COLOURS = "RYGWB"
DEFAULTS = {
    "seats": 2,
    "colours": 5,
    "copies": (3, 2, 2, 2, 1),
    "hand": 0,
    "tokens": 8,
    "lives": 3,
    "no_lives": "zero",
}


def cards(colours, copies):
    """Return all cards in order."""
    return [colour + str(rank) for colour in COLOURS[:colours] for rank, n in enumerate(copies, 1) for _ in range(n)]


class Oracle:
    """One game of Hanabi."""

    def __init__(self, options, luck):
        options = {**DEFAULTS, **options}
        self.seats = options["seats"]
        self.colours = COLOURS[: options["colours"]]
        self.ranks = "12345"[: len(options["copies"])]
        self.most = options["tokens"]
        self.no_lives = options["no_lives"]
        size = options["hand"] or (5 if self.seats <= 3 else 4)
        if sorted(luck["deck"]) != sorted(cards(options["colours"], options["copies"])):
            raise ValueError("the deck is not complete")
        if len(luck["deck"]) < size * self.seats:
            raise ValueError(f"{len(luck['deck'])} cards are too few for {self.seats} hands of {size}")
        self.deck = list(luck["deck"])
        self.hands = [[] for _ in range(self.seats)]
        self.told = [[] for _ in range(self.seats)]
        self.stacks = dict.fromkeys(self.colours, 0)
        self.discards = []
        self.tokens = options["tokens"]
        self.lives = options["lives"]
        self.left = None
        self.log = []
        self.turn = 0
        for seat in range(self.seats):
            for _ in range(size):
                self._draw(seat)
        if not self.deck:
            self.left = self.seats

    def copy(self):
        """Return an independent copy."""
        return deepcopy(self)

    def _draw(self, seat):
        """Let a seat draw a card that it does not see."""
        card = self.deck.pop(0)
        self.hands[seat].append(card)
        self.told[seat].append({"colours": self.colours, "ranks": self.ranks, "colour": None, "rank": None})
        self.log.append((("draws", seat, card), {seat: ("draws", seat)}))

    def moves(self):
        """Return the set of legal move texts."""
        if self.turn is None:
            return set()
        numbers = range(1, len(self.hands[self.turn]) + 1)
        found = {f"play {number}" for number in numbers}
        if self.tokens < self.most:
            found |= {f"discard {number}" for number in numbers}
        if self.tokens > 0:
            for seat in range(self.seats):
                if seat != self.turn:
                    found |= {f"hint {seat} {sign}" for card in self.hands[seat] for sign in card}
        return found

    def play(self, text):
        """Play a legal move."""
        if text not in self.moves():
            raise ValueError(f"{text!r} is not legal; legal are {sorted(self.moves())}")
        seat = self.turn
        verb, *rest = text.split()
        last_round = self.left is not None
        if verb == "hint":
            self._hint(int(rest[0]), rest[1])
        else:
            card = self.hands[seat].pop(int(rest[0]) - 1)
            self.told[seat].pop(int(rest[0]) - 1)
            self._lay(card, verb)
            if self.deck and self.lives > 0 and not self._complete():
                self._draw(seat)
                if not self.deck:
                    self.left = self.seats
        if last_round:
            self.left -= 1
        over = self.lives == 0 or self._complete() or self.left == 0
        self.turn = None if over else (seat + 1) % self.seats

    def _hint(self, seat, sign):
        """Tell a seat which of its cards have a colour or a rank."""
        self.tokens -= 1
        what, which = ("colour", "colours") if sign in self.colours else ("rank", "ranks")
        numbers = []
        for number, (card, told) in enumerate(zip(self.hands[seat], self.told[seat], strict=True), 1):
            if sign in card:
                told[what] = told[which] = sign
                numbers.append(number)
            else:
                told[which] = told[which].replace(sign, "")
        self.log.append((("hints", self.turn, seat, sign, *numbers), {}))

    def _lay(self, card, verb):
        """Play or discard a card that has left the hand."""
        colour, rank = card[0], int(card[1])
        if verb == "discard":
            self.discards.append(card)
            self.tokens += 1
        elif self.stacks[colour] == rank - 1:
            self.stacks[colour] = rank
            if rank == len(self.ranks) and self.tokens < self.most:
                self.tokens += 1
        else:
            self.discards.append(card)
            self.lives -= 1
        self.log.append(((f"{verb}s", self.turn, card), {}))

    def _complete(self):
        """Return whether all colours are complete."""
        return all(height == len(self.ranks) for height in self.stacks.values())

    def score(self):
        """Return the points so far."""
        if self.lives == 0 and self.no_lives == "zero":
            return 0
        return sum(self.stacks.values())

    def payoff(self):
        """Return the payoffs of all seats of a finished game."""
        if self.turn is not None:
            raise ValueError("the game is not over")
        return [self.score() / (len(self.colours) * len(self.ranks))] * self.seats

    def view(self, seat):
        """Return what the seat sees now."""
        return {
            "hands": [None if other == seat else list(hand) for other, hand in enumerate(self.hands)],
            "sizes": [len(hand) for hand in self.hands],
            "told": deepcopy(self.told),
            "stacks": dict(self.stacks),
            "discards": list(self.discards),
            "deck": len(self.deck),
            "tokens": self.tokens,
            "lives": self.lives,
            "left": self.left,
            "turn": self.turn,
        }

    def seen(self, seat):
        """Return all events as the seat saw them."""
        return [private.get(seat, public) for public, private in self.log]
