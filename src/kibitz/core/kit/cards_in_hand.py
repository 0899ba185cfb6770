"""Cards: the usual 52 or any named ones, in hands and on the table, face up and face down."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from textwrap import wrap

from kibitz.core.arrays import Int64s
from kibitz.core.cells import Cells
from kibitz.core.contract import UNKNOWN
from kibitz.core.errors import BadGame, UnknownName
from kibitz.core.kit.pieces import SEAT_COLOURS
from kibitz.core.kit.scene_part import (
    BOARD_WIDTH,
    LETTER_WIDTH,
    SEAT_WIDTH,
    SMALL,
    Block,
    Ends,
    Moves,
    ScenePart,
    Source,
    ViewedPosition,
    bits_of,
    carried,
    part,
    place_of,
)
from kibitz.core.scene import Shape, box, caption, group, label

SUITS = {"♣": "clubs", "♦": "diamonds", "♥": "hearts", "♠": "spades"}
RANKS = {"2": "2", "3": "3", "4": "4", "5": "5", "6": "6", "7": "7", "8": "8", "9": "9", "T": "10", "J": "jack",
         "Q": "queen", "K": "king", "A": "ace"}  # fmt: skip
TWO = {"♣": "#22222a", "♦": "#bb1f2a", "♥": "#bb1f2a", "♠": "#22222a"}  # colours of the suits
FOUR = {"♣": "#14703a", "♦": "#1a5fb4", "♥": "#bb1f2a", "♠": "#22222a"}
FACE, INK, EDGE, BACK, BACK_LINE = "#fffdf7", "#22222a", "#6b6152", "#4a5a78", "#c7d0e0"

WIDE, HIGH = 40.0, 56.0  # of a card face up in a hand
NAMED_WIDE = 74.0  # of one that bears a name
ON_TABLE = 1.35  # how much larger cards on the table are
GAP, PAD = 4.0, 4.0
SMALL_WIDE, SMALL_HIGH, SMALL_STEP = 24.0, 34.0, 15.0  # of a card face down, in a row that overlaps
MOST_BACKS = 13
NAME_SIZES, NAME_LINES = (13.0, 11.0), 3  # the smaller one for long words
MOST_TOLD = 4  # cards of a move that are told by name


@dataclass(frozen=True)
class Card:
    """A card: its name, the short words at its corner, a sign in its middle, and a colour."""

    name: str
    words: str = ""
    sign: str = ""
    colour: str = INK

    @property
    def short(self) -> str:
        """The card in a few letters, or its name."""
        return f"{self.words}{self.sign}" or self.name


def french_cards(
    ranks: str = "23456789TJQKA", suits: str = "♣♦♥♠", by: str = "suit", four_colours: bool = True
) -> tuple[Card, ...]:
    """Return the usual 52 cards, or fewer ranks of them, in the order in which the game numbers them.

    `by` says what comes first in the number of a card: "suit" (suit * ranks + rank) or "rank" (rank * suits + suit).
    """
    for given, known, what in ((ranks, RANKS, "rank"), (suits, SUITS, "suit")):
        for each in given:
            if each not in known:
                raise UnknownName(f"{what} of a card", each, known)
    if by not in ("suit", "rank"):
        raise UnknownName("order of cards", by, ("suit", "rank"))
    colours = FOUR if four_colours else TWO
    pairs = [(rank, suit) for suit in suits for rank in ranks]
    if by == "rank":
        pairs = [(rank, suit) for rank in ranks for suit in suits]
    return tuple(
        Card(f"{RANKS[rank]} of {SUITS[suit]}", "10" if rank == "T" else rank, suit, colours[suit])
        for rank, suit in pairs
    )


FRENCH = french_cards()
_SIGNS = {name[0]: sign for sign, name in SUITS.items()}
_RANK = "10|[2-9tjqka]"
_SUIT = f"[{''.join(SUITS)}{''.join(_SIGNS)}]"


def fold_card(text: str) -> str:
    """Return a typed card in one form, so that 10♣, 10c, Tc and c10 are equal; any other text in small letters."""
    text = text.strip().lower()
    found = re.fullmatch(f"(?P<rank>{_RANK})(?P<suit>{_SUIT})|(?P<suit_first>{_SUIT})(?P<rank_last>{_RANK})", text)
    if not found:
        return text
    rank, suit = found["rank"] or found["rank_last"], found["suit"] or found["suit_first"]
    return f"{'10' if rank == 't' else rank}{_SIGNS.get(suit, suit)}"


class CardPlace(ScenePart):
    """Where cards lie: cells that hold their numbers, or bit masks of them."""

    source: Source
    cards: Sequence[Card | str]
    bits: bool
    none: int
    moves: Ends | str | None

    MOVE_WORDS = ("card",)

    def card(self, number: int) -> Card:
        """Return a card by its number."""
        if 0 <= number < len(self.cards):
            found = self.cards[number]
            return found if isinstance(found, Card) else Card(found, colour=SEAT_COLOURS[number % 6])
        return Card(f"card {number}", str(number))  # of a scene that is guessed, which knows no names

    def held(self, values: Iterable[int]) -> tuple[list[int], int | None]:
        """Return the cards that values stand for, and how many are face down; None for a mask that is hidden.

        A card that has no name is refused.
        """
        seen: list[int] = []
        hidden: int | None = 0
        for value in values:
            if value == UNKNOWN:
                hidden = None if self.bits or hidden is None else hidden + 1
            elif self.bits:
                seen += bits_of(value)
            elif value != self.none and value >= 0:
                seen.append(value)
        nameless = [number for number in seen if number >= len(self.cards)] if self.cards else []
        if nameless:
            known = f"names {len(self.cards)} cards, 0 to {len(self.cards) - 1}"
            raise BadGame(f"{type(self).__name__} {self.label} shows card {nameless[0]}, but its pack {known}")
        return seen, hidden

    @property
    def _wide(self) -> float:
        return WIDE if all(isinstance(card, Card) and card.short != card.name for card in self.cards) else NAMED_WIDE

    def row(
        self, at: ViewedPosition, seen: Sequence[int], hidden: int | None, top: float, width: float, whose: str,
        scale: float = 1.0, left: float = PAD,
    ) -> Block:  # fmt: skip
        """Draw cards in rows: those face up large, those face down small, with their number."""
        ends = self.ends(at, max([len(self.cards), *(card + 1 for card in seen), 1]), "card")
        wide, high = scale * self._wide + GAP, scale * HIGH + GAP
        across = max(1, int((width - 2 * left + GAP) / wide))
        shapes = [
            self._face(number, left + k % across * wide, top + 2 + k // across * high, carried(ends, number), scale)
            for k, number in enumerate(seen)
        ]
        lines = -(-len(seen) // across)
        height = lines * high + (2 if lines else 0)
        if hidden is None or hidden > 0:
            backs = self._backs(hidden, top + height + 2, whose, left)
            return Block([*shapes, *backs.shapes], height + backs.height)
        return Block(shapes, height)

    def _face(self, number: int, x: float, y: float, moves: Moves = (), scale: float = 1.0) -> Shape:
        card, wide, high = self.card(number), scale * self._wide, scale * HIGH
        parts = [box(0.0, 0.0, wide, high, FACE, rx=5.0 * scale, stroke=EDGE)]
        if card.words and card.sign:
            parts.append(caption(card.words, 5 * scale, 13 * scale, 17 * scale, card.colour, font_weight="bold"))
            parts.append(label(card.sign, wide / 2 + 3 * scale, 0.68 * high, 27 * scale, fill=card.colour))
        elif card.words or card.sign:
            size = min(27.0, 1.5 * self._wide / len(card.words or card.sign)) * scale
            parts.append(label(card.words or card.sign, wide / 2, high / 2, size, fill=card.colour))
        else:
            parts += self._name(card, wide, high)
        return group(x, y, parts, card.name, moves, f"card {card.name}")

    def _name(self, card: Card, wide: float, high: float) -> list[Shape]:
        longest = max(map(len, card.name.split()), default=0)
        size = NAME_SIZES[longest * NAME_SIZES[0] * LETTER_WIDTH > wide - 4]
        lines = wrap(card.name, int((wide - 4) / (size * LETTER_WIDTH)))[:NAME_LINES]
        first = high / 2 + 5 - (len(lines) - 1) * (size + 1) / 2
        band = box(1.0, 1.0, wide - 2, 9.0, card.colour, rx=4.0)
        words = [
            label(line, wide / 2, first + k * (size + 1), size, fill=INK, **{"font-weight": "bold"})
            for k, line in enumerate(lines)
        ]
        return [band, *words]

    def _backs(self, count: int | None, top: float, whose: str, left: float) -> Block:
        shown = 1 if count is None else min(count, MOST_BACKS)
        title = "cards face down" if count is None else f"{_cards(count)} face down"
        shapes = [
            group(left + k * SMALL_STEP, top, _back(), f"{title}, {whose}", key=f"{self.label} {whose} back {k}")
            for k in range(shown)
        ]
        x = left + (shown - 1) * SMALL_STEP + SMALL_WIDE + 8
        words = "?" if count is None else f"×{count}"
        number = [] if count == 1 else [caption(words, x, top + SMALL_HIGH / 2, SMALL + 1)]
        return Block([*shapes, *number], SMALL_HIGH + 6)

    def in_words(self, seen: Sequence[int], hidden: int | None) -> str:
        """Return cards in words."""
        words = " ".join(self.card(number).short for number in seen)
        if all(self.card(number).short == self.card(number).name for number in seen):
            words = ", ".join(self.card(number).name for number in seen)
        back = "hidden cards" if hidden is None else f"{hidden} hidden" if hidden else ""
        return ", ".join(filter(None, (words, back))) or "no cards"

    def exchanged(
        self, then: tuple[list[int], int | None], now: tuple[list[int], int | None]
    ) -> tuple[list[int], list[int]] | None:
        """Return which cards came and which went; None if some were or are hidden."""
        if then[1] != 0 or now[1] != 0:
            return None
        come, gone = [*now[0]], []
        for number in then[0]:
            if number in come:
                come.remove(number)
            else:
                gone.append(number)
        return come, gone


@part
@dataclass(frozen=True)
class Hands(CardPlace):
    """The cards that each seat holds, beside the seat: `each` cells of card numbers for a seat, or with `bits` a mask.

    `cards` names the cards by number. `counts` are the cells with the number of cards of each seat, for masks that are
    hidden. A cell that holds `none`, or a number below 0, holds no card. `moves` maps a move to a card; "card" says
    that its number is one. `tells=False` keeps hands from saying what came and went.
    """

    source: Source
    cards: Sequence[Card | str] = FRENCH
    each: int = 1
    bits: bool = False
    counts: Source = ""
    none: int = -1
    moves: Ends | str | None = None
    tells: bool = True

    def sources(self) -> Iterable[Source]:
        """Yield the cells with cards and those with their numbers."""
        return [self.source, *([self.counts] if self.counts else [])]

    def check(self, cells: Cells) -> None:
        """Refuse a number of cells that cannot be shared out among the seats."""
        super().check(cells)
        if isinstance(self.source, str) and len(place_of(cells, self.source)) % self.each:
            size = len(place_of(cells, self.source))
            raise BadGame(f"Hands {self.source} has {size} cells, which are no hands of each={self.each}")

    def _of(self, at: ViewedPosition, seat: int) -> tuple[list[int], int | None]:
        values = at.read(self.source)[seat * self.each : (seat + 1) * self.each]
        if len(values) < self.each:
            size = len(at.read(self.source))
            raise BadGame(f"Hands {self.label} has {size} cells; {at.seats} seats need {at.seats * self.each}")
        seen, hidden = self.held(values)
        if hidden is None and self.counts:
            number = at.read(self.counts)[seat]
            hidden = None if number == UNKNOWN else max(number - len(seen), 0)
        return seen, hidden

    def seat(self, at: ViewedPosition, seat: int, top: float) -> Block:
        """Draw the hand of a seat; clicks play from the hand of the seat to move only."""
        seen, hidden = self._of(at, seat)
        mine = int(at.view[at.cells["SEAT"]]) == seat
        known = at if mine else ViewedPosition(at.cells, at.seat_names, at.view)
        if not seen and hidden == 0:
            return Block([caption("no cards", PAD, top + 14, SMALL, "var(--faint)")], 28.0)
        return self.row(known, seen, hidden, top, SEAT_WIDTH, at.seat_names[seat])

    def lines(self, at: ViewedPosition) -> list[str]:
        """Return the hand of each seat."""
        return [f"{at.seat_names[seat]}: {self.in_words(*self._of(at, seat))}" for seat in range(at.seats)]

    def changes(self, before: ViewedPosition, after: ViewedPosition) -> list[str]:
        """Return who got which cards, and who has how many."""
        lines = []
        for seat, name in enumerate(after.seat_names if self.tells else ()):
            then, now = self._of(before, seat), self._of(after, seat)
            old, new = _number_of(then), _number_of(now)
            come, _ = self.exchanged(then, now) or ([], [])
            if 0 < len(come) <= MOST_TOLD:
                lines.append(f"{name} gets {self.in_words(come, 0)}")
            elif old is not None and new is not None and old != new:
                lines.append(f"{name} has {_cards(new)}{' left' if new < old else ''}")
        return lines


@part
@dataclass(frozen=True)
class Cards(CardPlace):
    """Cards on the table: cells of card numbers, or with `bits` masks; `counts` alone is a pile face down.

    With `owners` the cell of number k is that of seat k, whose name stands with the card; `led_by` is a cell with the
    seat that played first, or a function of the view that returns it. A whole trick is told to be taken by the seat
    that moves next. `tells=False` keeps cards from saying what came and went.
    """

    source: Source = ""
    cards: Sequence[Card | str] = FRENCH
    title: str = ""
    bits: bool = False
    counts: Source = ""
    owners: bool = False
    led_by: str | Callable[[Int64s], int] = ""
    none: int = -1
    moves: Ends | str | None = None
    tells: bool = True

    def sources(self) -> Iterable[Source]:
        """Yield the cells with cards and those with their numbers."""
        if self.led_by and not self.owners:
            raise BadGame(f"Cards {self.label} has led_by, which is for cards with owners=True")
        if not self.source and not self.counts:
            raise BadGame(
                'Cards shows no cells; write Cards("TRICK", …), or Cards(counts="STOCK") for a pile face down'
            )
        led_by = self.led_by if isinstance(self.led_by, str) else ""
        return [source for source in (self.source, self.counts, led_by) if source]

    @property
    def _called(self) -> str:
        return self.title or (self.label if self.source else str(self.counts).lower())

    def _here(self, at: ViewedPosition) -> tuple[list[int], int | None]:
        seen, hidden = self.held(at.read(self.source)) if self.source else (list[int](), None)
        if hidden is None and self.counts:
            number = at.read(self.counts)[0]
            hidden = None if number == UNKNOWN else max(number - len(seen), 0)
        return seen, hidden

    def board(self, at: ViewedPosition, top: float) -> Block:
        """Draw a heading, and the cards below it."""
        seen, hidden = self._here(at)
        if not self.source:
            return self._pile(hidden, top)
        heading = caption(self._called, 2 * PAD, top + 14, SMALL, "var(--faint)")
        if self.owners:
            return Block([heading, *self._places(at, top + 26)], ON_TABLE * HIGH + (66 if self.led_by else 52))
        rows = self.row(at, seen, hidden, top + 24, BOARD_WIDTH, self._called, ON_TABLE, 2 * PAD)
        return Block([heading, *rows.shapes], max(rows.height, ON_TABLE * HIGH) + 30)

    def _places(self, at: ViewedPosition, top: float) -> Iterable[Shape]:
        """Yield the card of each seat, or the place for it, with the name of the seat below."""
        values, leader = at.read(self.source)[: at.seats], self._leader(at)
        wide, high = ON_TABLE * self._wide, ON_TABLE * HIGH
        longest = max(map(len, at.seat_names)) * SMALL * LETTER_WIDTH
        step = min((BOARD_WIDTH - 2 * PAD) / len(values), max(1.5 * wide, longest + 2 * PAD))
        ends = self.ends(at, max([len(self.cards), *(value + 1 for value in values), 1]), "card")
        for seat, value in enumerate(values):
            x = BOARD_WIDTH / 2 + (seat - (len(values) - 1) / 2) * step - wide / 2
            seen, hidden = self.held([value])
            if seen:
                yield self._face(seen[0], x, top, carried(ends, seen[0]), ON_TABLE)
            elif hidden:
                yield group(x, top, _back(wide, high), f"a card face down, {at.seat_names[seat]}")
            else:
                yield box(x, top, wide, high, "none", rx=7.0, stroke="var(--line)", stroke_dasharray="4 4")
            yield label(at.seat_names[seat], x + wide / 2, top + high + 11, SMALL, fill="var(--faint)")
            if seat == leader and (seen or hidden):
                yield label("led", x + wide / 2, top + high + 25, SMALL, fill="var(--faint)")

    def _leader(self, at: ViewedPosition) -> int:
        """Return the seat that played first; -1 if nobody says."""
        if callable(self.led_by):
            return int(self.led_by(at.view))
        return at.read(self.led_by)[0] if self.led_by else -1

    def _by_owner(self, at: ViewedPosition) -> str:
        """Return the card of each seat in words, in order from the one that led."""
        values, leader = at.read(self.source)[: at.seats], self._leader(at)
        words = []
        for seat in (number % len(values) for number in range(max(leader, 0), max(leader, 0) + len(values))):
            held = self.held([values[seat]])
            if _number_of(held):
                verb = " led" if seat == leader else ""
                words.append(f"{at.seat_names[seat]}{verb} {self.in_words(*held)}")
        return ", ".join(words) or "no cards"

    def _taken(self, at: ViewedPosition, now: tuple[list[int], int | None]) -> list[str]:
        """Return who takes a trick in which every seat has played: in games with led_by, the seat that moves next."""
        seat = int(at.view[at.cells["SEAT"]])
        whole = self.owners and self.led_by and _number_of(now) == at.seats
        return [f"{at.seat_names[seat]} takes the trick"] if whole and seat >= 0 else []

    def _pile(self, count: int | None, top: float) -> Block:
        """Draw a pile face down with its number."""
        words = caption(f"{self._called}:", 2 * PAD, top + SMALL_HIGH / 2 + 6, SMALL, "var(--faint)")
        left, number = 2 * PAD + (len(self._called) + 1) * SMALL * LETTER_WIDTH + 8, "?" if count is None else count
        pile = [
            group(left + 2 * k, top + 6 - k, _back(), f"{self._called}: {number}", key=f"{self._called} {k}")
            for k in range(1 if count is None else min(count, 3))
        ]
        told = caption(f"×{number}", left + SMALL_WIDE + 14, top + SMALL_HIGH / 2 + 6, SMALL + 1)
        return Block([words, *pile, told], SMALL_HIGH + 14)

    def lines(self, at: ViewedPosition) -> list[str]:
        """Return the cards."""
        seen, hidden = self._here(at)
        if not self.source:
            return [f"{self._called}: {'?' if hidden is None else hidden}"]
        return [f"{self._called}: {self._by_owner(at) if self.owners else self.in_words(seen, hidden)}"]

    def changes(self, before: ViewedPosition, after: ViewedPosition) -> list[str]:
        """Return which cards came and went."""
        if not self.source or not self.tells:
            return []
        then, now = self._here(before), self._here(after)
        old, new = _number_of(then), _number_of(now)
        exchanged = self.exchanged(then, now)
        if exchanged is None:
            if old is None or new is None or old == new:
                return []
            return [f"{self._called}: {_cards(new)} ({new - old:+})"]
        come, gone = exchanged
        if max(len(come), len(gone)) > MOST_TOLD:
            return [f"{self._called}: {_cards(len(now[0]))}"]
        if come:
            instead = f" in place of {self.in_words(gone, 0)}" if gone and not self.owners else ""
            return [f"{self._called}: {self.in_words(come, 0)}{instead}", *self._taken(after, now)]
        return [f"{self._called}: {self.in_words(gone, 0)} cleared away"] if gone else []


def _number_of(held: tuple[list[int], int | None]) -> int | None:
    """Return how many cards there are, face up and face down."""
    seen, hidden = held
    return None if hidden is None else len(seen) + hidden


def _cards(number: int) -> str:
    return f"{number} card{'s' if number != 1 else ''}"


def _back(wide: float = SMALL_WIDE, high: float = SMALL_HIGH) -> list[Shape]:
    """Return a card face down."""
    inner = box(3.5, 3.5, wide - 7, high - 7, "none", rx=2.0, stroke=BACK_LINE)
    return [box(0.0, 0.0, wide, high, BACK, rx=4.0, stroke=BACK_LINE), inner]
