"""Kitty oracle: a slow, plain twin of the card game in docs/adding-a-card-game.md, written from its rules in prose."""

from itertools import combinations

RANKS = 6
SEATS = 3
EACH = 7


class Kitty:
    """A game with everything known: three hands and the kitty, as sets of cards 0 to 23."""

    def __init__(self, hands):
        self.hands = [set(hand) for hand in hands]
        self.turn = 0
        self.trick = []  # (seat, card)
        self.won = [0, 0, 0]
        self.over = False

    def moves(self):
        """Return the legal cards of the seat to move."""
        hand = self.hands[self.turn]
        following = {card for card in hand if self.trick and card // RANKS == self.trick[0][1] // RANKS}
        return sorted(following or hand)

    def play(self, card):
        """Play a legal card."""
        if card not in self.moves():
            raise ValueError(f"{card} is not legal")
        self.hands[self.turn].remove(card)
        self.trick.append((self.turn, card))
        self.turn = (self.turn + 1) % SEATS
        if len(self.trick) == SEATS:
            led = self.trick[0][1] // RANKS
            self.turn = max((card, seat) for seat, card in self.trick if card // RANKS == led)[1]
            self.won[self.turn] += 1
            self.trick = []
            self.over = sum(self.won) == EACH

    def payoff(self):
        """Return each seat's share of the win."""
        best = [seat for seat in range(SEATS) if self.won[seat] == max(self.won)]
        return [1 / len(best) if seat in best else 0.0 for seat in range(SEATS)]


def random_play(legal, hand, card):
    """Return how likely a seat plays a card if each legal one is equally likely."""
    return 1 / len(legal)


def posterior(seat, hand, plays, model=random_play):
    """Return the probability of every deal that a seat cannot rule out, by trying all.

    `hand` are its cards now, `plays` all cards played so far. `model(legal, hand, card)` says how likely the others
    play; the argument `hand` is None where a card follows a lead. A deal is the hands that are left and the kitty.
    """
    seats = _who_played(plays)
    unseen = set(range(4 * RANKS)) - set(hand) - set(plays)
    one, two = ((seat + 1) % SEATS, (seat + 2) % SEATS)
    left = [EACH - seats.count(other) for other in (one, two)]
    found = {}
    for first in combinations(sorted(unseen), left[0]):
        for second in combinations(sorted(unseen - set(first)), left[1]):
            now = {seat: set(hand), one: set(first), two: set(second)}
            weight = _likelihood(seat, now, plays, seats, model)
            if weight > 0:
                kitty = unseen - now[one] - now[two]
                found[tuple(frozenset(cards) for cards in (now[0], now[1], now[2], kitty))] = weight
    total = sum(found.values())
    return {deal: weight / total for deal, weight in found.items()}


def _who_played(plays):
    """Return the seats that played these cards."""
    seats, leader = [], 0
    for start in range(0, len(plays), SEATS):
        trick = plays[start : start + SEATS]
        order = [(leader + k) % SEATS for k in range(len(trick))]
        seats += order
        led = trick[0] // RANKS
        leader = max((card, who) for card, who in zip(trick, order, strict=True) if card // RANKS == led)[1]
    return seats


def _likelihood(seat, now, plays, seats, model):
    """Return how likely the others played what they did, if these hands are left."""
    dealt = [now[who] | {card for card, by in zip(plays, seats, strict=True) if by == who} for who in range(SEATS)]
    game, likely = Kitty(dealt), 1.0
    for card, by in zip(plays, seats, strict=True):
        legal = game.moves()
        if card not in legal:
            return 0.0
        if by != seat:
            likely *= model(legal, None if game.trick else game.hands[by], card)
        game.play(card)
    return likely
