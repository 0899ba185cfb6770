"""Colonizers oracle: a slow, plain twin of the rules, written from shared/rules/colonizers.md (and Table 2.1) alone.

API
    Oracle(options, luck)       options {"bonus": "exact" or "flat", "payoff": "win", "rank" or "points",
                                         "max_rounds": 500};
                                luck {"deck": [module names, top first],
                                      "rounds": iterable of the six colonists in shuffled order, the first put away}
    turn                        seat 0..3, None when the game is over
    moves()                     set of legal move texts, empty when the game is over
    play(text)                  plays a legal move, raises ValueError for any other
    payoff()                    payoffs of the four seats when over
    points(), ranks()           final points and ranks 1..4 (all 0 when the deck was exhausted)
    allows(seat, world)         whether the seat, remembering all it could observe, cannot rule out the world
                                {"hands": [names per seat], "deck": [names, top first],
                                 "colonists": [name or None per seat], "away": name}
    phase                       "pick", "draw", "discard", "power", "build" or "over"
    hands, deck                 sorted names per seat; names, top first
    colonies, omnium            names per seat, in the order built; Omnium per seat
    colonists, away             colonist per seat (None before the pick of this round); the one put away
    revealed                    whether the colonist of each seat is known to all

Formats
    modules     as in Table 2.1 of seed 004 in lower case with hyphens for spaces: oxygen-generator, eco-dome, ...
    colonists   ecologist, general, miner, opportunist, spy, visionary
    pick        miner
    draw        omnium, modules
    discard     keep quarry
    power       name miner, nothing
    build       build quarry, nothing

Interpretations
    * Rounds are taken from the iterator one at a time, when they begin.
    * A phase without any choice in the rules is skipped: Discard unless modules were drawn, Power unless the colonist
      is Opportunist or Spy. Draw and Build are always asked for, even when `omnium` or `nothing` is the only move.
      Two cards of the same name on offer are one move.
    * `modules` depends only on the hand before the passive; it is legal with an empty deck too, and then ends the game.
    * Until one is kept, the two cards on offer are the two top cards of the deck, in `deck` and in worlds. A seat
      that chooses knows which two they are, but not in which order they lay: worlds with either order are allowed.
    * A module may be built more than once in a colony. Any of the 5 other colonists may be named, seen or not.
    * The first to 8 modules is the one who built its eighth first. Exhausted deck: points, ranks and all payoffs
      are 0, whatever the payoff option. Payoff by rank is 1, 0.2, 0.1, 0. Points are divided by 100,
      with a ten-thousandth of a point for every seat left behind, since ties go to the lower seat.
    * The deck given need not be the full one (useful for small tests); what it contains is known to all.
    * After max_rounds rounds (an addition to the rules) the game ends as if a colony were full.
    * Knowledge. Public: the structure of play, all Omnium, colonies, sizes of hands and deck, when a card is drawn,
      offered, put at the bottom or out of the game, revealed colonists, which colonist is named by whom, and what that
      visibly does: Omnium that is stolen, hands that are swapped. Stealing 0 Omnium from its holder and swapping two
      empty hands cannot be told from naming a colonist that nobody holds. In a swap only the two seats see the cards.
      A colonist is revealed between the draw choice and its passive. What a seat would sensibly do is no knowledge:
      only what cannot have happened is ruled out.
    * A seat that has received its packet in this round (or has it in front of it) knows that the colonist put away
      and those of the earlier seats are just the ones not in it. Seats that have not picked have None in worlds.
"""

from collections import Counter

TABLE = """
oxygen-generator 4 4 green 4
water-reservoir 5 6 green 4
hydroponics-facility 6 8 green 4
eco-dome 8 11 green 1
marketplace 2 2 blue 4
warehouse 3 3 blue 4
quarry 5 6 blue 4
omnium-purification-plant 8 10 blue 1
garrison 1 1 red 4
barracks 2 2 red 4
military-academy 3 3 red 4
planetary-defense-system 6 7 red 1
housing-unit 1 1 none 4
spaceport 4 5 none 4
research-lab 6 8 none 4
mass-relay 12 16 none 1
"""
ROWS = [line.split() for line in TABLE.split("\n") if line]
COST = {name: int(cost) for name, cost, _, _, _ in ROWS}
VALUE = {name: int(value) for name, _, value, _, _ in ROWS}
COLOUR = {name: colour for name, _, _, colour, _ in ROWS}
DECK = [name for name, _, _, _, quantity in ROWS for _ in range(int(quantity))]
COLONISTS = ("ecologist", "general", "miner", "opportunist", "spy", "visionary")
INCOME = {"ecologist": "green", "miner": "blue", "general": "red"}
SEATS = 4
HAND_LIMIT = 5
COLONY_FULL = 8
TAKE = 2
STEAL = 2
OFFER = 2
FIRST_BONUS = 4
OTHER_BONUS = 2
RANK_PAYOFF = {0: 0.0, 1: 1.0, 2: 0.2, 3: 0.1, 4: 0.0}
UNSEEN = "?"


class Oracle:
    """One game of Colonizers."""

    def __init__(self, options, luck):
        self.bonus = options.get("bonus", "exact")
        self.payoff_kind = options.get("payoff", "win")
        self.rounds_left = options.get("max_rounds", 500)
        self.deck = list(luck["deck"])
        self.contents = Counter(self.deck)
        self.rounds = iter(luck["rounds"])
        self.hands = [[] for _ in range(SEATS)]
        self.colonies = [[] for _ in range(SEATS)]
        self.omnium = [0] * SEATS
        self.first_full = None
        self.exhausted = False
        self.story = []
        self.tracks = [_Track(seat, len(self.deck)) for seat in range(SEATS)]
        self._begin_round()

    def _begin_round(self):
        """Put one colonist away and let seat 0 pick."""
        self.rounds_left -= 1
        order = list(next(self.rounds))
        if sorted(order) != sorted(COLONISTS):
            raise ValueError(f"{order} is not an order of the six colonists")
        self.away = order[0]
        self.packet = set(order[1:])
        self.packets = [None] * SEATS
        self.packets[0] = set(self.packet)
        self.colonists = [None] * SEATS
        self.revealed = [False] * SEATS
        self.named = []
        self.phase = "pick"
        self.turn = 0

    def moves(self):
        """Return the set of legal move texts."""
        if self.phase == "pick":
            return set(self.packet)
        if self.phase == "draw":
            return {"omnium", "modules"} if len(self.hands[self.turn]) < HAND_LIMIT else {"omnium"}
        if self.phase == "discard":
            return {f"keep {name}" for name in self.deck[:OFFER]}
        if self.phase == "power":
            return {"nothing"} | {f"name {name}" for name in COLONISTS if name != self.colonists[self.turn]}
        if self.phase == "build":
            hand = self.hands[self.turn]
            return {"nothing"} | {f"build {name}" for name in hand if COST[name] <= self.omnium[self.turn]}
        return set()

    def play(self, text):
        """Play a legal move."""
        if text not in self.moves():
            raise ValueError(f"{text!r} is not legal; legal are {sorted(self.moves())}")
        words = text.split()
        if self.phase == "pick":
            self._pick(text)
        elif self.phase == "draw":
            self._draw(text)
        elif self.phase == "discard":
            self._keep(words[1])
        elif self.phase == "power":
            if text != "nothing":
                self._name(words[1])
            self.phase = "build"
        else:
            if text != "nothing":
                self._build(words[1])
            self._end_turn()

    def _pick(self, name):
        """Take a colonist and pass the packet on, or begin the turns."""
        self.colonists[self.turn] = name
        self.packet.remove(name)
        if self.turn < SEATS - 1:
            self.turn += 1
            self.packets[self.turn] = set(self.packet)
        else:
            self.turn = 0
            self.phase = "draw"

    def _draw(self, choice):
        """Reveal the colonist, run its passive, then the chosen action."""
        seat = self.turn
        self.revealed[seat] = True
        colonist = self.colonists[seat]
        if colonist in INCOME:
            self.omnium[seat] += sum(COLOUR[name] == INCOME[colonist] for name in self.colonies[seat])
        if colonist == "visionary" and len(self.hands[seat]) < HAND_LIMIT and self.deck:
            card = self.deck.pop(0)
            self._add_to_hand(seat, card)
            self.story.append(("top", seat, card))
        if choice == "omnium":
            self.omnium[seat] += TAKE
            self._after_draw()
        elif len(self.deck) < OFFER:
            self.exhausted = True
            self._finish()
        else:
            self.story.append(("look", seat, self.deck[:OFFER]))
            self.phase = "discard"

    def _after_draw(self):
        """Go on to Power if the colonist has one, else to Build."""
        self.phase = "power" if self.colonists[self.turn] in ("opportunist", "spy") else "build"

    def _add_to_hand(self, seat, card):
        """Add a card to a hand, which stays sorted."""
        self.hands[seat] = sorted([*self.hands[seat], card])

    def _keep(self, kept):
        """Keep one of the two top cards and put the other at the bottom."""
        offer = [self.deck.pop(0) for _ in range(OFFER)]
        offer.remove(kept)
        self.deck += offer
        full = len(self.hands[self.turn]) == HAND_LIMIT
        if not full:
            self._add_to_hand(self.turn, kept)
        self.story.append(("keep", self.turn, kept, full))
        self._after_draw()

    def _name(self, name):
        """Steal from, or swap hands with, the seat that holds the named colonist."""
        seat = self.turn
        holder = self.colonists.index(name) if name in self.colonists else None
        others = [other for other in range(SEATS) if other != seat]
        if self.colonists[seat] == "opportunist":
            unnoticed = [other for other in others if self.omnium[other] == 0]
            if holder is not None:
                loot = min(STEAL, self.omnium[holder])
                self.omnium[holder] -= loot
                self.omnium[seat] += loot
        else:
            unnoticed = [other for other in others if not self.hands[other] and not self.hands[seat]]
            if holder is not None:
                self.story.append(("swap", seat, holder, tuple(self.hands[seat]), tuple(self.hands[holder])))
                self.hands[seat], self.hands[holder] = self.hands[holder], self.hands[seat]
        seen = None if holder in unnoticed else holder
        self.named.append((name, seen, unnoticed))

    def _build(self, name):
        """Pay for a module and move it from the hand to the colony."""
        seat = self.turn
        self.omnium[seat] -= COST[name]
        self.hands[seat].remove(name)
        self.colonies[seat].append(name)
        self.story.append(("build", seat, name))
        if len(self.colonies[seat]) == COLONY_FULL and self.first_full is None:
            self.first_full = seat

    def _end_turn(self):
        """Pass the turn to the next seat, begin a new round or finish the game."""
        if self.turn < SEATS - 1:
            self.turn += 1
            self.phase = "draw"
        elif self.first_full is not None or self.rounds_left == 0:
            self._finish()
        else:
            self._begin_round()

    def _finish(self):
        """End the game."""
        self.phase = "over"
        self.turn = None

    def points(self):
        """Return the points of all seats of a finished game."""
        if self.phase != "over":
            raise ValueError("the game is not over")
        if self.exhausted:
            return [0] * SEATS
        points = [sum(VALUE[name] for name in colony) for colony in self.colonies]
        for seat in range(SEATS):
            if len(self.colonies[seat]) >= COLONY_FULL:
                points[seat] += FIRST_BONUS if seat == self.first_full or self.bonus == "flat" else OTHER_BONUS
        return points

    def ranks(self):
        """Return the rank, 1 to 4, of all seats of a finished game, or 0 for all if the deck was exhausted."""
        points = self.points()
        if self.exhausted:
            return [0] * SEATS
        order = sorted(range(SEATS), key=lambda seat: (-points[seat], seat))
        return [order.index(seat) + 1 for seat in range(SEATS)]

    def payoff(self):
        """Return the payoffs of all seats of a finished game."""
        if self.payoff_kind == "points":
            behind = [SEATS - rank if rank else 0 for rank in self.ranks()]
            return [(points + seats / 10_000) / 100 for points, seats in zip(self.points(), behind, strict=True)]
        if self.payoff_kind == "rank":
            return [RANK_PAYOFF[rank] for rank in self.ranks()]
        return [1.0 if rank == 1 else 0.0 for rank in self.ranks()]

    def allows(self, seat, world):
        """Return whether a seat that remembers all it could observe cannot rule out this world."""
        return self._allows_colonists(seat, world["colonists"], world["away"]) and self._allows_cards(seat, world)

    def _allows_colonists(self, seat, colonists, away):
        """Return whether a seat cannot rule out that these are the colonists of this round and the one put away."""
        picked = [name for name in colonists if name is not None]
        if [name is None for name in colonists] != [name is None for name in self.colonists]:
            return False
        if len({away, *picked}) != 1 + len(picked) or not {away, *picked} <= set(COLONISTS):
            return False
        for other in range(SEATS):
            if (self.revealed[other] or other == seat) and colonists[other] != self.colonists[other]:
                return False
        packet = self.packets[seat]
        if packet is not None and {away, *colonists[:seat]} != set(COLONISTS) - packet:
            return False
        for name, seen, unnoticed in self.named:
            holder = colonists.index(name) if name in colonists else None
            if holder != seen and not (seen is None and holder in unnoticed):
                return False
        return True

    def _allows_cards(self, seat, world):
        """Return whether a seat cannot rule out these hands and this deck."""
        hands = [sorted(hand) for hand in world["hands"]]
        if [len(hand) for hand in hands] != [len(hand) for hand in self.hands] or len(world["deck"]) != len(self.deck):
            return False
        out = Counter(self.contents)
        for cards in [*hands, world["deck"], *self.colonies]:
            out.subtract(cards)
        if min(out.values()) < 0:
            return False
        return self.tracks[seat].allows(self.story, hands, tuple(world["deck"]), list(out.elements()))


class _Track:
    """All that a seat thinks possible about the cards, as a set of patterns.

    A pattern is (deck, hands, out): the names of the cards in the deck, in the hands and out of the game, with UNSEEN
    for a card the seat has never seen. Any cards not seen yet can be the UNSEEN ones, in any order, since the
    deck was shuffled and nothing distinguishes them. There are several patterns because a card the seat has seen
    may have been kept or put back by others, and a module built may be a seen card or an unseen one of that name.
    """

    def __init__(self, seat, size):
        self.seat = seat
        self.patterns = {((UNSEEN,) * size, ((),) * SEATS, ())}
        self.told = 0

    def allows(self, story, hands, deck, out):
        """Return whether some pattern, brought up to date with the story, fits these cards."""
        for event in story[self.told :]:
            self.patterns = {after for pattern in self.patterns for after in self._follow(pattern, event)}
        self.told = len(story)
        for known_deck, known_hands, known_out in self.patterns:
            fits_deck = all(known in (UNSEEN, card) for known, card in zip(known_deck, deck, strict=True))
            fits_hands = all(_fits(known, hand) for known, hand in zip(known_hands, hands, strict=True))
            if fits_deck and fits_hands and _fits(known_out, out):
                return True
        return False

    def _follow(self, pattern, event):
        """Return the patterns that one pattern may become through an event."""
        kind, seat, *details = event
        follow = {"top": _top, "look": _look, "keep": _keep, "build": _build, "swap": _swap}[kind]
        return follow(pattern, seat, self.seat, *details)


def _fits(known, cards):
    """Return whether the cards can be those known, UNSEEN being any card; both are lists in no special order."""
    return len(known) == len(cards) and not Counter(name for name in known if name != UNSEEN) - Counter(cards)


def _with_hand(hands, seat, hand):
    """Return the hands with one replaced, sorted so that equal patterns are equal values."""
    return tuple(tuple(sorted(hand)) if other == seat else hands[other] for other in range(SEATS))


def _without(cards, name):
    """Return the cards without one card of this name."""
    left = list(cards)
    left.remove(name)
    return left


def _top(pattern, seat, observer, card):
    """Visionary: the top card goes to the hand, seen only by its seat."""
    deck, hands, out = pattern
    known = deck[0]
    if seat == observer:
        if known not in (UNSEEN, card):
            return []
        known = card
    return [(deck[1:], _with_hand(hands, seat, [*hands[seat], known]), out)]


def _look(pattern, seat, observer, offer):
    """A seat sees the two top cards, but not their order."""
    deck, hands, out = pattern
    if seat != observer:
        return [pattern]
    orders = [(offer[0], offer[1]), (offer[1], offer[0])]
    return [
        ((*order, *deck[OFFER:]), hands, out)
        for order in orders
        if all(known in (UNSEEN, card) for known, card in zip(deck, order, strict=False))
    ]


def _keep(pattern, seat, observer, kept, full):
    """One of the two top cards is kept, or leaves the game if the hand is full; the other goes to the bottom."""
    deck, hands, out = pattern
    after = []
    for stays, goes in [(deck[0], deck[1]), (deck[1], deck[0])]:
        if seat == observer and stays != kept:
            continue
        if full:
            after.append(((*deck[OFFER:], goes), hands, tuple(sorted([*out, stays]))))
        else:
            after.append(((*deck[OFFER:], goes), _with_hand(hands, seat, [*hands[seat], stays]), out))
    return after


def _build(pattern, seat, observer, name):
    """A card of the hand is built: one known to be of this name, or one not seen yet."""
    deck, hands, out = pattern
    return [
        (deck, _with_hand(hands, seat, _without(hands[seat], used)), out)
        for used in (name, UNSEEN)
        if used in hands[seat]
    ]


def _swap(pattern, seat, observer, other, given, received):
    """Two seats swap hands and see what they get."""
    deck, hands, out = pattern
    mine, theirs = hands[seat], hands[other]
    if observer in (seat, other):
        if not _fits(mine, given) or not _fits(theirs, received):
            return []
        mine, theirs = given, received
    return [(deck, _with_hand(_with_hand(hands, seat, theirs), other, mine), out)]
