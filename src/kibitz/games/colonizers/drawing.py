"""The things that a picture of Colonizers is made of: modules, card backs, colonists, Omnium and points."""

from kibitz.core.scene import Paint, Shape, box, caption, group
from kibitz.games.colonizers.cards import COLOUR_NAMES, MODULES

Moves = tuple[int, ...]

THEME_INK, FAINT, LINE, PAPER = "var(--ink)", "var(--faint)", "var(--line)", "var(--paper)"
INK, WHITE, CREAM, GOLD, SOFT = "#2b2119", "#ffffff", "#fbf3e4", "#f0bc3c", "#6f6254"
COLOURS = ("#34774a", "#2f62a0", "#a93c33", "#6e665e")  # of the modules
LETTERS = [name[0].upper() for name in COLOUR_NAMES]
BACK, BACK_FRAME = "#7a3b26", "#d99a6c"

SMALLEST = 12.0  # the size of the smallest letters
CARD_WIDTH, CARD_HEIGHT = 101.0, 64.0  # of a card to be read
CHIP_WIDTH, CHIP_HEIGHT = 36.0, 46.0  # of a small one
BUILT_HEIGHT = 32.0  # of a module in a colony, which is as wide as a small card
BOX = 24.0  # glyphs are drawn in a box of this size

NAMES = (  # of the modules, in at most two lines of a card
    ("Oxygen", "generator"), ("Water", "reservoir"), ("Hydroponics", "facility"), ("Eco-dome",),
    ("Marketplace",), ("Warehouse",), ("Quarry",), ("Omnium", "purification"),
    ("Garrison",), ("Barracks",), ("Military", "academy"), ("Planetary", "defense"),
    ("Housing", "unit"), ("Spaceport",), ("Research", "lab"), ("Mass", "relay"),
)  # fmt: skip


def _ring(x: float, y: float, radius: float) -> str:
    half = f"a{radius:g} {radius:g} 0 1 0"
    return f"M{x - radius:g} {y:g}{half} {2 * radius:g} 0{half} {-2 * radius:g} 0z"


# A shape within another is a hole in it.
STAR = "M12 1.5l3.1 6.7 7.3.9-5.4 5 1.4 7.2L12 17.7l-6.4 3.6L7 14.1 1.6 9.1l7.3-.9z"
LEAF = "M21.5 2.5C9 2 2.5 7.5 3 14.5c.1 1.7.6 3 1.5 4.1L2 21.2 3.8 23l2.7-2.7c1.2.6 2.6.9 4 .8 7.5-.4 11.5-7.6 11-18.6z"
PICKAXE = "M2 9.5c5.5-8.6 14.5-8.6 20 0-3.6-2.7-5.6-3.4-8.2-3.6V22.5h-3.6V5.9C7.6 6.1 5.6 6.8 2 9.5z"
GLYPHS = (
    _ring(8.5, 9, 7) + _ring(8.5, 9, 3.8) + _ring(17.5, 17.5, 5) + _ring(17.5, 17.5, 2.4),
    "M12 1.5c4.2 5.8 7.3 9.4 7.3 13.5a7.3 7.3 0 0 1-14.6 0c0-4.1 3.1-7.7 7.3-13.5z",
    "M10.6 22.5v-8.3C5.4 14 2.3 11 2 5c5.4.1 8.5 2.3 9.8 6C12.8 6.5 16 3.5 22 3c0 7-3.2 10.7-8.4 11.2v8.3z",
    "M2.5 17a9.5 11 0 0 1 19 0zM1 18.5h22V22H1zM12 9l4 7H8z",
    "M3.5 3h17l2.5 7H1zM3 11.5h18V22h-7v-6.5h-4V22H3z",
    "M1.5 10L12 2.5 22.5 10v12H18v-8.5H6V22H1.5zM8 15h8v2.8H8zM8 19.2h8V22H8z",
    PICKAXE,
    "M6.5 2.5h11L23 9 12 22.5 1 9zM8 9.5h8l-4 7.5z",
    "M5 1.5h2.8v1.8L20.5 7 7.8 11.8v10.7H5z",
    "M12 2.5l11 19h-8l-3-7.5-3 7.5H1z",
    STAR,
    "M12 1.5l9 3.2v7c0 5.3-3.8 9-9 10.8-5.2-1.8-9-5.5-9-10.8v-7zM12 5.2v13.5c3.5-1.5 5.8-3.8 5.8-7.2V7.2z",
    "M12 2.5L22.8 12h-3.3v9.5H14V15h-4v6.5H4.5V12H1.2z",
    "M12 .8c4 3.2 5.2 7 5 11.2l3.5 4.2V21L15 18.5H9L3.5 21v-4.8L7 12c-.2-4.2 1-8 5-11.2zM10 20h4l-2 3.5z"
    + _ring(12, 9, 2),
    "M8.5 1.5h7V4h-1.3v5l6.3 10c1 1.8 0 3.5-2 3.5H5.5c-2 0-3-1.7-2-3.5L9.8 9V4H8.5zM8.2 15.5h7.6l2.2 4H6z",
    _ring(12, 12, 11) + _ring(12, 12, 8.2) + _ring(12, 12, 5.6) + _ring(12, 12, 2.4),
)
COLONIST_GLYPHS = (
    "M.5 12c5.5-9 17.5-9 23 0-5.5 9-17.5 9-23 0z" + _ring(12, 12, 5) + _ring(12, 12, 2.6),
    LEAF,
    PICKAXE,
    STAR,
    "M8.5 1.5h7L13.8 6c5 2 7.7 6.5 7.7 10.3 0 4.2-3.5 6.2-9.5 6.2s-9.5-2-9.5-6.2C2.5 12.5 5.2 8 10.2 6z"
    + _ring(12, 15, 3.6),
    "M7 2h10l1.6 7H23v2.6H1V9h4.4z"
    + _ring(6.8, 17.2, 4.6)
    + _ring(6.8, 17.2, 2.4)
    + _ring(17.2, 17.2, 4.6)
    + _ring(17.2, 17.2, 2.4),
)
COLONIST_COLOURS = ("#70488f", COLOURS[0], COLOURS[1], COLOURS[2], "#a06a10", "#3f4a55")


def middle(words: str, x: float, y: float, size: float, fill: str) -> Shape:
    """Return bold words around a point."""
    return caption(words, x, y, size, fill, text_anchor="middle", font_weight="bold")


def glyph(d: str, x: float, y: float, size: float, fill: str) -> Shape:
    """Return a glyph around a point."""
    place = f"translate({x - size / 2:g} {y - size / 2:g}) scale({size / BOX:g})"
    return Shape("path", {"d": d, "transform": place, "fill": fill, "fill-rule": "evenodd"})


def omnium(x: float, y: float, words: str, radius: float = 10.0) -> list[Shape]:
    """Return a coin with words on it."""
    rim: Paint = {"cx": x, "cy": y, "r": radius, "fill": GOLD, "stroke": INK}
    return [Shape("circle", rim), *([middle(words, x, y + 0.5, 1.3 * radius, INK)] if words else [])]


def worth(x: float, y: float, words: str, size: float = 26.0) -> list[Shape]:
    """Return a shield with points on it."""
    shield = f"M{-size / 2:g} {-size / 2:g}h{size:g}v{size * 0.55:g}q0 {size * 0.35:g} {-size / 2:g} {size * 0.45:g}"
    shield += f"q{-size / 2:g} {-size * 0.1:g} {-size / 2:g} {-size * 0.45:g}z"
    at: Paint = {"d": shield, "transform": f"translate({x:g} {y:g})", "fill": CREAM, "stroke": INK}
    return [Shape("path", at), *([middle(words, x, y - 0.5, size * 0.54, INK)] if words else [])]


def described(kind: int) -> str:
    """Return a module in words."""
    module = MODULES[kind]
    return f"{module.name}: {COLOUR_NAMES[kind // 4]}, cost {module.cost}, value {module.value}"


def module_card(kind: int, x: float, y: float, moves: Moves = (), width: float = CARD_WIDTH) -> Shape:
    """Return a module to be read: colour, name, what it costs and what it is worth."""
    module, colour, foot = MODULES[kind], kind // 4, CARD_HEIGHT - 16
    lines = NAMES[kind]
    parts = [box(0.0, 0.0, width, CARD_HEIGHT, COLOURS[colour], rx=6.0, stroke=INK)]
    for k, line in enumerate(lines):
        parts.append(
            caption(line, 6.0, (12.0 if len(lines) > 1 else 24.0) + 14 * k, SMALLEST, WHITE, font_weight="bold")
        )
    beside = 1 if len(lines) > 1 and len(lines[0]) > len(lines[1]) else 0  # the shorter line leaves room for it
    parts.append(middle(LETTERS[colour], width - 11, 12.0 + 14 * beside, SMALLEST, CREAM))
    parts += omnium(16.0, foot, str(module.cost))
    parts.append(glyph(GLYPHS[kind], width / 2, foot, 22.0, CREAM))
    parts += worth(width - 18, foot, str(module.value), 24.0)
    return group(x, y, parts, described(kind), moves, MODULES[kind].name)


def module_chip(kind: int, x: float, y: float, moves: Moves = ()) -> Shape:
    """Return a module in a hand as a small card: the letter of its colour, its glyph, what it costs and is worth."""
    colour, module = kind // 4, MODULES[kind]
    parts = [
        box(0.0, 0.0, CHIP_WIDTH, CHIP_HEIGHT, COLOURS[colour], rx=5.0, stroke=INK),
        middle(LETTERS[colour], 8.0, 10.0, SMALLEST, CREAM),
        glyph(GLYPHS[kind], CHIP_WIDTH / 2 + 3, 21.0, 18.0, CREAM),
        middle(str(module.value), CHIP_WIDTH - 10, CHIP_HEIGHT - 9, 13.0, WHITE),
        middle(str(module.cost), 10.0, CHIP_HEIGHT - 9, SMALLEST, GOLD),
    ]
    return group(x, y, parts, described(kind), moves, module.name)


def built_module(kind: int, x: float, y: float) -> Shape:
    """Return a module in a colony: the letter of its colour, its glyph and its worth."""
    colour, module = kind // 4, MODULES[kind]
    parts = [
        box(0.0, 0.0, CHIP_WIDTH, BUILT_HEIGHT, COLOURS[colour], rx=5.0, stroke=INK),
        middle(LETTERS[colour], 8.5, 9.0, SMALLEST, CREAM),
        middle(str(module.value), 10.0, BUILT_HEIGHT - 9, 13.0, WHITE),
        glyph(GLYPHS[kind], CHIP_WIDTH - 11, BUILT_HEIGHT / 2, 17.0, CREAM),
    ]
    return group(x, y, parts, described(kind), (), module.name)


def card_back(x: float, y: float, title: str = "a card face down") -> Shape:
    """Return a small card face down."""
    parts = [
        box(0.0, 0.0, CHIP_WIDTH, CHIP_HEIGHT, BACK, rx=5.0, stroke=INK),
        box(4.0, 4.0, CHIP_WIDTH - 8, CHIP_HEIGHT - 8, "none", rx=3.0, stroke=BACK_FRAME),
        glyph(_ring(12, 12, 9) + _ring(12, 12, 5.5), CHIP_WIDTH / 2, CHIP_HEIGHT / 2, 20.0, BACK_FRAME),
    ]
    return group(x, y, parts, title, key="back")


def no_module(x: float, y: float) -> Shape:
    """Return the place in a colony of a module that is not there."""
    return box(x, y, CHIP_WIDTH, BUILT_HEIGHT, "none", rx=5.0, stroke=LINE, stroke_dasharray="4 4")


def colonist_mark(colonist: int, x: float, y: float, radius: float) -> list[Shape]:
    """Return a colonist's sign around a point."""
    disc: Paint = {"cx": x, "cy": y, "r": radius, "fill": COLONIST_COLOURS[colonist], "stroke": INK}
    return [Shape("circle", disc), glyph(COLONIST_GLYPHS[colonist], x, y, 1.25 * radius, CREAM)]
