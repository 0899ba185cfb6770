"""The board of Cartagena as a picture: the prison, the passage winding down to the sloop, and the pirates."""

from collections.abc import Sequence

import numpy as np

from kibitz.core.scene import Paint, Panel, Shape, box, caption, group
from kibitz.games.cartagena.cells import ACTIONS, ACTIONS_A_TURN, MAX_TURNS, NONE, SEAT, SEAT_COUNT, TURNS, WINNER
from kibitz.games.cartagena.drawing import (
    COLOURS,
    FAINT,
    INK,
    LETTERS,
    PIRATE_HEIGHT,
    PIRATE_WIDTH,
    SMALLEST,
    TINTS,
    drawn,
    pirate,
    sign_at,
)
from kibitz.games.cartagena.passage import PIRATES, SIGN_NAMES, SLOOP, SPACES, START
from kibitz.games.cartagena.reader import crowd, goal_of, origin_of, pirates, sign_of
from kibitz.games.cartagena.rules import SEAT_NAMES

Goals = dict[int, int | None]  # where each legal move takes a pirate

WIDTH, EDGE = 360.0, 9.0
INNER = WIDTH - 2 * EDGE
BAR = 28.0  # the height of the line above the board
PRISON_HEIGHT, SLOOP_HEIGHT = 74.0, 100.0
COLUMNS = 6
ROWS = SPACES // COLUMNS
PITCH, TILE = INNER / COLUMNS, 53.0
PRISON_TOP = BAR + EDGE
PASSAGE_TOP = PRISON_TOP + PRISON_HEIGHT + 4
SLOOP_TOP = PASSAGE_TOP + ROWS * PITCH + 4
HEIGHT = SLOOP_TOP + SLOOP_HEIGHT + EDGE
BERTHS = 3  # pirates of a seat side by side at the start and on the sloop

ROCK, ROAD, STONE, JOINT, NUMBER = "#57504a", "#c9b386", "#a59d94", "#857d75", "#6b5f52"
SEA, WAVE, HULL, DECK, PLANK = "#4f8fa8", "#83b8ca", "#6b421f", "#d3a76f", "#b98d57"


def board(view: np.ndarray, legal: Sequence[int]) -> Panel:
    """Return the panel of the board; a pirate carries its moves, and a space those that lead there."""
    goals = {move: goal_of(view, move) for move in legal}
    ground = box(0.0, BAR, WIDTH, HEIGHT - BAR, ROCK, rx=14.0)
    shapes = [*_bar(view), ground, _road(), *_prison(view), _sloop(view, goals)]
    figures: list[Shape] = []
    for space in range(1, SPACES + 1):
        here = crowd(view, space)
        shapes.append(_tile(view, goals, space, here))
        figures += _figures_on(view, goals, space, here)
    for space in (START, SLOOP):
        figures += _figures_at(view, goals, space)
    return Panel("board", WIDTH, HEIGHT, [*shapes, *figures])


def standing(view: np.ndarray) -> str:
    """Return in a few words who is to move or has won."""
    if view[SEAT] >= 0:
        return f"{SEAT_NAMES[view[SEAT]]} to move"
    return "a draw" if view[WINNER] == NONE else f"{SEAT_NAMES[view[WINNER]]} has won"


def letters(view: np.ndarray, space: int) -> str:
    """Return the pirates on a space by the letters of their seats."""
    numbers = [pirates(view, seat, space) for seat in range(view[SEAT_COUNT])]
    return "  ".join(LETTERS[seat] * n for seat, n in enumerate(numbers) if n)


def _bar(view: np.ndarray) -> list[Shape]:
    """Draw whose turn it is, and a pip for each action of the turn, filled if it is still to be had."""
    seat, mid = int(view[SEAT]), BAR / 2 - 2
    if seat < 0:
        return [caption(standing(view).capitalize(), EDGE, mid, 15.0, font_weight="bold")]
    left = ACTIONS_A_TURN - int(view[ACTIONS])
    turn = caption(f"Turn {view[TURNS] + 1} of {view[MAX_TURNS]}", EDGE, mid, 12.0, FAINT)
    name = caption(f"{SEAT_NAMES[seat].capitalize()}: actions left", WIDTH - 72, mid, text_anchor="end")
    pips = []
    for k in range(ACTIONS_A_TURN):
        fill, edge = (COLOURS[seat], INK) if k < left else ("none", FAINT)
        at: Paint = {"cx": WIDTH - 56 + 20.0 * k, "cy": mid, "r": 7.0, "fill": fill, "stroke": edge}
        pips.append(Shape("circle", {**at, "stroke-width": 1.5}))
    return [turn, name, group(0.0, 0.0, pips, f"{left} of {ACTIONS_A_TURN} actions left")]


def _middle(space: int) -> tuple[float, float]:
    """Return the middle of a space; the passage winds to the right and to the left in turn."""
    row, along = divmod(space - 1, COLUMNS)
    column = COLUMNS - 1 - along if row % 2 else along
    return EDGE + (column + 0.5) * PITCH, PASSAGE_TOP + (row + 0.5) * PITCH


def _going_to(goals: Goals, space: int) -> tuple[int, ...]:
    return tuple(move for move, goal in goals.items() if goal == space)


def _coming_from(view: np.ndarray, goals: Goals, seat: int, space: int) -> tuple[int, ...]:
    return tuple(move for move in goals if origin_of(move) == space) if seat == view[SEAT] else ()


def _road() -> Shape:
    turns = [_middle(COLUMNS * row + k) for row in range(ROWS) for k in (1, COLUMNS)]
    points = [(turns[0][0], PASSAGE_TOP - 12), *turns, (turns[-1][0], SLOOP_TOP + 10)]
    path = "M" + "L".join(f"{x:g} {y:g}" for x, y in points)
    return Shape("path", {"d": path, "fill": "none", "stroke": ROAD, "stroke-width": 24.0, "stroke-linejoin": "round"})


def _prison(view: np.ndarray) -> list[Shape]:
    """Draw the wall of the prison, with a gate to the passage."""
    x, top, foot = EDGE, PRISON_TOP, PRISON_TOP + PRISON_HEIGHT
    merlon = INNER / 21
    battlement = "".join(f"h{merlon:g}v{-7 if k % 2 else 7}" for k in range(20))
    courses = "".join(f"M{x:g} {top + y:g}h{INNER:g}" for y in (22, 39, 56))
    joints = "".join(f"M{x + 28 * k + 14 * (y % 2):g} {top + y:g}v17" for y in (22, 39, 56) for k in range(1, 12))
    gate = f"M{x + PITCH / 2 - 13:g} {foot:g}v-8q13-16 26 0v8z"
    here = letters(view, START)
    return [
        Shape(
            "path",
            {"d": f"M{x:g} {foot:g}V{top:g}{battlement}h{merlon:g}V{foot:g}z", "fill": STONE, "stroke": INK},
            title=f"the prison, where pirates start: {here or 'nobody'}",
        ),
        Shape("path", {"d": courses + joints, "fill": "none", "stroke": JOINT}),
        Shape("path", {"d": gate, "fill": INK}),
        caption("0", x + 4, top + 16, SMALLEST, NUMBER),
    ]


def _sloop(view: np.ndarray, goals: Goals) -> Shape:
    """Draw the sloop from above, with a place for every pirate."""
    waves = "".join(f"M{x} {y}q5-4 10 0t10 0" for y, shift in ((7, 70), (96, 12)) for x in range(shift, 320, 42))
    bow = INNER - 6
    rail = f"M16 12H{bow - 70:g}q48 4 70 38q-22 34-70 38H16Q8 88 8 80V20Q8 12 16 12z"
    planks = "".join(f"M9 {y}H{bow - 26:g}" for y in (27, 42, 58, 73))
    parts = [
        box(0.0, 0.0, INNER, SLOOP_HEIGHT, SEA, rx=10.0, stroke=INK),
        drawn(waves, "none", WAVE, 1.8),
        drawn(rail, DECK, HULL, 5.0),
        drawn(planks, "none", PLANK, 1.0),
        box(PITCH / 2 - 11, 1.0, 22.0, 15.0, ROAD, stroke=HULL),
    ]
    for seat in range(view[SEAT_COUNT]):
        for k in range(PIRATES):
            x, y = _berth(view, SLOOP, seat, k)
            at: Paint = {"cx": x - EDGE, "cy": y - SLOOP_TOP - 2, "rx": 7.5, "ry": 3.5, "stroke": COLOURS[seat]}
            parts.append(Shape("ellipse", {**at, "fill": HULL, "stroke-width": 2.0}))
    title = f"the sloop: {letters(view, SLOOP) or 'nobody'}"
    return group(EDGE, SLOOP_TOP, parts, title, _going_to(goals, SLOOP), "sloop")


def _berth(view: np.ndarray, space: int, seat: int, k: int) -> tuple[float, float]:
    """Return where the feet of pirate k of a seat are, at the start or on the sloop."""
    foot = SLOOP_TOP + 45 if space == SLOOP else PRISON_TOP + PRISON_HEIGHT - PIRATE_HEIGHT - 4
    block = (INNER - 44) / int(view[SEAT_COUNT])  # less wide than the deck, for the bow is narrow
    row, column = divmod(k, BERTHS)
    return EDGE + 12 + block * (seat + 0.5) + (column - 1) * (PIRATE_WIDTH + 2), foot + row * (PIRATE_HEIGHT + 2)


def _figures_at(view: np.ndarray, goals: Goals, space: int) -> list[Shape]:
    """Draw the pirates at the start or on the sloop."""
    where, figures = "in the prison" if space == START else "on the sloop", []
    for seat in range(view[SEAT_COUNT]):
        moves = _coming_from(view, goals, seat, space)
        for k in range(pirates(view, seat, space)):
            x, y = _berth(view, space, seat, k)
            figures.append(pirate(seat, x, y, where, moves))
    return figures


def _tile(view: np.ndarray, goals: Goals, space: int, here: list[int]) -> Shape:
    """Draw a space; its sign makes room for the pirates on it."""
    x, y = _middle(space)
    sign, half = sign_of(view, space), TILE / 2
    title = f"space {space}, {SIGN_NAMES[sign]}{': ' if here else ''}{', '.join(SEAT_NAMES[seat] for seat in here)}"
    parts = [
        box(-half, -half, TILE, TILE, TINTS[sign], rx=9.0, stroke=INK),
        sign_at(sign, 4.0, -14.0, 22.0) if here else sign_at(sign, 3.0, 2.0, 36.0),
        caption(str(space), 4 - half, 9 - half, SMALLEST, NUMBER),
    ]
    return group(x, y, parts, title, _going_to(goals, space), f"space {space}")


def _figures_on(view: np.ndarray, goals: Goals, space: int, here: list[int]) -> list[Shape]:
    """Draw the pirates on a space of the passage, side by side."""
    x, y = _middle(space)
    figures = []
    for k, seat in enumerate(here):
        across = x + (k - (len(here) - 1) / 2) * PIRATE_WIDTH
        figures.append(
            pirate(seat, across, y + TILE / 2 - 1, f"on space {space}", _coming_from(view, goals, seat, space))
        )
    return figures
