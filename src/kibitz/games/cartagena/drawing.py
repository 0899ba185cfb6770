"""The things that a picture of Cartagena is made of: signs, cards, pirates, the prison and the sloop."""

from kibitz.core.scene import Paint, Shape, box, caption, group
from kibitz.games.cartagena.passage import SIGN_NAMES
from kibitz.games.cartagena.rules import SEAT_NAMES

Moves = tuple[int, ...]

INK, FAINT = "#2f2722", "var(--faint)"
WHITE, SAND, GOLD, STEEL, WOOD = "#ffffff", "#f4e7c5", "#e2ab2e", "#b9c2cb", "#8a5a2f"
CARD_BACK, CARD_FRAME = "#7a4a35", "#e0bf8d"
LETTERS = [name[0].upper() for name in SEAT_NAMES]
COLOURS = ("#cf3b32", "#2f8f4e", "#2f6fc4", "#e8bd2f", "#8a4fb5")  # of the seats
LETTER_COLOURS = (WHITE, WHITE, WHITE, INK, WHITE)  # on them
TINTS = ("#cfe3c4", "#dedad3", "#f0cfa4", "#d9cfe3", "#c5d8e8", "#f7eab4")  # behind the signs

SMALLEST = 12.0  # the size of the smallest letters
CARD_WIDTH, CARD_HEIGHT = 38.0, 50.0
PIRATE_WIDTH, PIRATE_HEIGHT = 17.0, 28.0
BOX = 24.0  # the signs are drawn in a box of this size

BOTTLE = "M9.8 2h4.4v4.7c0 1.6 3.3 2.6 3.3 6V21c0 .9-.7 1.6-1.6 1.6H8.1c-.9 0-1.6-.7-1.6-1.6v-8.3c0-3.4 3.3-4.4 3.3-6z"
STOCK = (
    "M6 9.4h11.4c1.9 0 2.9.9 3.4 2.6l1.8 6.4c.4 1.3-.4 2.3-1.7 2.3h-2.2c-1 0-1.6-.5-1.9-1.4l-1.5-5c-.2-.7-.7-1-1.4-1H6z"
)
BRIM = "M.9 12.6c3.6-1.3 7.1 1.6 11.1 1.6s7.5-2.9 11.1-1.6c-.6 4.9-5.3 7.6-11.1 7.6S1.5 17.5.9 12.6z"
CROWN = "M5.8 14.2c-.4-6.4 2.5-10.4 6.2-10.4s6.6 4 6.2 10.4z"
SKULL = (
    "M12 1.8c-5.3 0-8.8 3.5-8.8 8.3 0 3 1.3 5.1 3.2 6.3v3.3c0 1.2.7 1.9 1.8 1.9h7.6c1.1 0 1.8-.7 1.8-1.9v-3.3c1.9-1.2 "
    "3.2-3.3 3.2-6.3 0-4.8-3.5-8.3-8.8-8.3z"
)
KEYS = (
    "M10.8 8.1a3.2 3.2 0 1 0 6.4 0a3.2 3.2 0 1 0-6.4 0zM15.5 11.2L20.3 21.1M18.4 17.1L21.3 15.7M20.2 20.7L23 19.3",
    "M6.8 8.1a3.2 3.2 0 1 0 6.4 0a3.2 3.2 0 1 0-6.4 0zM8.5 11.2L3.7 21.1M5.6 17.1L8.5 18.5M3.8 20.7L6.7 22.1",
)
SHIP = "M-30-4h60l-8 15h-44zM-1.5-6v-24h3v24zM4-28q15 8 17 20H4zM-4-26q-11 7-13 18h13z"
PIRATE = (
    "M-8.2 0v-7.5c0-4.8 2-6.6 3.8-7.2-1.3-1.5-1.5-3.2-1.1-4.7l-3.3-1c1-1.9 3-2.2 3.4-3.4.9-2.8 3-4.2 5.4-4.2s4.5 1.4 "
    "5.4 4.2c.4 1.2 2.4 1.5 3.4 3.4l-3.3 1c.4 1.5.2 3.2-1.1 4.7 1.8.6 3.8 2.4 3.8 7.2V0z"
)


def drawn(d: str, fill: str, stroke: str = INK, width: float = 1.0) -> Shape:
    """Return a path, filled and outlined."""
    at: Paint = {"d": d, "fill": fill, "stroke": stroke, "stroke-width": width, "stroke-linejoin": "round"}
    return Shape("path", {**at, "stroke-linecap": "round"})


def _dot(x: float, y: float, radius: float, fill: str, **more: float | str) -> Shape:
    return Shape("circle", {"cx": x, "cy": y, "r": radius, "fill": fill, **more})


ICONS: tuple[list[Shape], ...] = (
    [
        drawn(BOTTLE, "#2f7a45"),
        box(9.2, 0.7, 5.6, 2.8, "#c89a5a", rx=0.8, stroke=INK),
        box(6.5, 13.2, 11.0, 5.6, SAND, stroke=INK, stroke_width=0.7),
        drawn("M8.8 14.8l2 2.4m0-2.4l-2 2.4M13.2 14.8l2 2.4m0-2.4l-2 2.4", "none", INK, 0.8),
    ],
    [
        drawn(STOCK, WOOD),
        box(0.8, 6.2, 16.6, 3.8, "#77808a", rx=0.8, stroke=INK),
        drawn("M14.6 6.2l1.2-3.4 2.6.9-.9 2.5z", "#4b5057"),
        drawn("M9.6 12.9c.2 3.6 4.6 3.8 5.4.4", "none", INK, 1.3),
        drawn("M18.6 12.4l1.6 5.6", "none", GOLD, 1.2),
    ],
    [
        drawn(CROWN, "#3a3542"),
        drawn(BRIM, "#2b2733", GOLD, 1.3),
        drawn("M10.8 12.7v-1.5a2.5 2.5 0 1 1 2.4 0v1.5z", SAND, "none"),
        drawn("M11 9.1h.01M13 9.1h.01", "none", INK, 1.4),
    ],
    [
        drawn(SKULL, "#fbf8ef"),
        drawn("M8.5 10.4h.01M15.5 10.4h.01", "none", INK, 5.0),
        drawn("M12 13.2l-1.2 2.4h2.4zM9.6 18.2v3M12 18.2v3M14.4 18.2v3", INK),
    ],
    [
        drawn("M12-2l2.7 4.4v11.8H9.3V2.4z", STEEL),
        drawn("M12 2v11", "none", "#7d8891", 1.1),
        box(10.3, 15.6, 3.4, 6.6, WOOD, rx=0.6, stroke=INK),
        box(5.6, 13.6, 12.8, 2.8, GOLD, rx=1.4, stroke=INK),
        _dot(12.0, 23.2, 2.0, GOLD, stroke=INK),
    ],
    [
        *(drawn(key, "none", *stroke) for key in KEYS for stroke in ((INK, 4.4), (GOLD, 2.4))),
        _dot(12.0, 4.0, 2.6, "none", stroke=INK),
    ],
)
TURNS = (0, 0, 0, 0, 42, 0)  # degrees by which a sign is turned


def sign_at(sign: int, x: float, y: float, size: float) -> Shape:
    """Return a sign around a point."""
    scale = size / BOX
    place = f"translate({x - size / 2:g} {y - size / 2:g}) scale({scale:g}) rotate({TURNS[sign]} 12 12)"
    return Shape("g", {"transform": place}, parts=tuple(ICONS[sign]))


def pirate(seat: int, x: float, y: float, where: str, moves: Moves = ()) -> Shape:
    """Return a pirate whose feet are at a point."""
    name = f"{SEAT_NAMES[seat]} pirate"
    parts = [
        drawn(PIRATE, COLOURS[seat]),
        Shape("ellipse", {"cx": 0.0, "cy": -16.6, "rx": 4.3, "ry": 3.2, "fill": "#f3cfa7"}),
        drawn("M-5.4 -19.6q5.4 -1.6 10.8 0", "none", INK, 1.2),
        _dot(1.8, -17.0, 1.3, INK),
        caption(LETTERS[seat], 0.0, -6.2, SMALLEST, LETTER_COLOURS[seat], text_anchor="middle", font_weight="bold"),
    ]
    return group(x, y, parts, f"{name} {where}", moves, name)


def card(sign: int, x: float, y: float, title: str, n: int = 1, moves: Moves = ()) -> Shape:
    """Return a card with its left upper corner at a point; n is written on it if it stands for several."""
    edge: Paint = {"rx": 5.0, "stroke": INK}
    parts = [box(0.0, 0.0, CARD_WIDTH, CARD_HEIGHT, TINTS[sign], **edge)]
    parts.append(sign_at(sign, CARD_WIDTH / 2, CARD_HEIGHT / 2 - (5.0 if n > 1 else 0.0), 28.0))
    if n > 1:
        parts.append(
            caption(f"×{n}", CARD_WIDTH - 4, CARD_HEIGHT - 8, 13.0, INK, text_anchor="end", font_weight="bold")
        )
    return group(x, y, parts, title, moves, f"card {SIGN_NAMES[sign]}")


def card_back(x: float, y: float, title: str, words: str = "") -> Shape:
    """Return a card face down with its left upper corner at a point."""
    frame: Paint = {"rx": 3.0, "stroke": CARD_FRAME, "stroke_width": 1.2}
    parts = [
        box(0.0, 0.0, CARD_WIDTH, CARD_HEIGHT, CARD_BACK, rx=5.0, stroke=INK),
        box(4.0, 4.0, CARD_WIDTH - 8, CARD_HEIGHT - 8, "none", **frame),
    ]
    if words:
        middle = {"text_anchor": "middle", "font_weight": "bold"}
        parts.append(caption(words, CARD_WIDTH / 2, CARD_HEIGHT / 2, 15.0, SAND, **middle))
    else:
        parts.append(drawn("M19 16l7 9-7 9-7-9z", CARD_FRAME, "none"))
    return group(x, y, parts, title, key="back")


def no_card(x: float, y: float) -> Shape:
    """Return the place of a card that is not there."""
    return box(x, y, CARD_WIDTH, CARD_HEIGHT, "none", rx=5.0, stroke="var(--line)", stroke_dasharray="4 4")


def sloop_mark(x: float, y: float, size: float, fill: str = FAINT) -> Shape:
    """Return a small ship around a point."""
    place = f"translate({x:g} {y + size / 6:g}) scale({size / 60:g})"
    return Shape("path", {"d": SHIP, "transform": place, "fill": fill})
