"""Games that break one law each: `python -m tests.laws.faults FOLDER` writes them there and prints what is found.

They are copies of the small game that `kibitz new game` writes. The laws are tried interpreted, without compiling.
"""

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from kibitz import games
from kibitz.cli.new_command import start_game
from kibitz.core.laws import LAWS, Broken
from kibitz.core.laws.law import Failed

COPY = "    for i in range(ALL_CELLS):\n        out[i] = state[i]\n"
GUESS = "view[NUMBER] = view[LOW] + below(rng, view[HIGH] - view[LOW] + 1)"
PLAY = "def play(state, move):\n"
PAYOFF = "def payoff(state, out):\n"
MOVES = "def moves(state, out):\n"
FACE_DOWN = (
    "    if state[HIGH] == 9:\n        state[NUMBER] = move\n        state[SEAT] = 1 - state[SEAT]\n        return\n"
)
COUNTER = "    TIMES.append(1)\n    state[WINNER] = len(TIMES)\n"
TIMES = ("ALL_CELLS =", "TIMES = []\nALL_CELLS =")
LUCKY = ("1 + below(rng, state[HIGH])", "1 + 2 * len(TIMES) % 9")
UNHIDDEN = ("@rule\ndef guess(", "def unused(")
LIKE_NEXT = "state[LOW] + 1 if move == state[LOW] and state[NUMBER] > 5 else move"
RULE = "\n\n@rule\ndef {}:\n    return {}\n"
ODDS = """

@rule
def odds(state, out):
    for at in range(state[HIGH]):
        out[at] = 1
    return state[HIGH]{}
"""
ROLLED = "= 0\n        return"
DICE = [  # chance moves first: it may do as much as there are numbers
    ("import OVER,", "import CHANCE, OVER,"),
    ("    state[LOW] = 1\n", "    state[LOW] = 1\n    state[SEAT] = CHANCE\n"),
    (PLAY, f"{PLAY}    if state[SEAT] == CHANCE:\n        state[SEAT] = 0\n        return\n"),
]
HINT = "from kibitz.rules import hint\nfrom .rules import SEAT\n\n\n@hint\ndef {}:\n    {}\n"
HAND_OVER = HINT.format("hand_over(state, seat)", "state[SEAT] = {}")
VALUE = "from kibitz.rules import value\n\n\n@value({})\ndef wrong(state, weights, seat):\n    return {}\n"
POLICY = "from kibitz.rules import policy\n\n\n@policy()\ndef wrong(view, weights, rng):\n    return 99\n"
NOTATION = "def write(view, move):\n    return {}\n\n\ndef fold(text):\n    return {}\n"
DRAWN = NOTATION.format("str(move)", "text.strip()") + "\n\ndef drawn_by(view):\n    return 'x' * 99\n"
ENCODING = """from kibitz.rules import encoding, symmetry

from .rules import NUMBER, SEAT


@encoding(length=9, most=2)
def wrong(view, seat, out):
    out[0] = {}
    return 1


@symmetry
def turned(state, out):
    out[SEAT] = 1 - state[SEAT]
"""
NUMBERING = "from kibitz.rules import numbering\n\n\n@numbering\ndef wrong(move, seat):\n    return 0\n"
ACTIONS = """from kibitz.rules import actions


def always(view):
    return 0


@actions(length=2, parts=1, part=always)
def wrong(view, unit):
    return 99
"""
SCENE = """from kibitz.rules import Panel, Scene, Shape


def text(view):
    return {}


def picture(view, legal):
    return Scene('', [Panel('board', 1, 1, [{}])])
"""
SHAPE = "Shape('g', {}, moves=tuple(legal))"
NESTED = "Shape('g', {}, title='all', moves=tuple(legal), parts=(Shape('g', {}, title='all', moves=tuple(legal)),))"
ENDLESS = "Shape('rect', {'x': float('inf')})"
NEEDS_A_MOVE = "Shape('rect', {'x': legal[0]})"

FIELDS = """TIMES = []


def fields(view, seat):
    return {{'x': {}}}


def texts(view, legal):
    return ['x' for move in legal]
"""

# For each law: another file with its text, if any; what is replaced in rules.py, by what, what is added at its end.
FAULTS = {
    "a_game_ends": [(PLAY, f"{PLAY}    state[SEAT] = 1 - state[SEAT]\n    return\n")],
    "payoffs_lie_in_their_range": [("= 1.0", "= 1.5")],
    "shared_payoffs_are_equal": [
        ("from kibitz.rules import ", "from kibitz.rules import Payoff, "),
        ("MOST_MOVES =", "PAYOFF = Payoff('points', 0, 1)\nSHARED = True\nMOST_MOVES ="),
    ],
    "payoffs_sum_up_to_what_is_declared": [("MOST_MOVES =", "PAYOFF_SUM = 2\nMOST_MOVES =")],
    "moves_ascend": [("out[n] = number", "out[n] = state[HIGH] - n")],
    "moves_lie_below_what_is_declared": [("MOST_MOVES =", "MOVES_BELOW = 3\nMOST_MOVES =")],
    "the_same_seed_gives_the_same_game": [TIMES, ("    state[LOW] = 1\n", f"    state[LOW] = 1\n{COUNTER}")],
    "play_is_deterministic": [TIMES, (PLAY, f"{PLAY}{COUNTER}")],
    "illegal_moves_change_nothing": [(MOVES, f"{MOVES}    state[WINNER] += 1\n")],
    "a_record_replays": [TIMES, LUCKY, ("[LOW] = 1\n", f"[LOW] = 1\n{COUNTER}")],
    "moves_can_be_taken_back": [TIMES, ("    state[LOW] = 1\n", f"    state[LOW] = 1\n{COUNTER}")],
    "the_text_of_a_game_names_it": [("Option(9, ", "Option(9.5, ")],
    "states_are_large_enough": [(PLAY, f"{PLAY}    state[ALL_CELLS] = 1\n")],
    "views_are_large_enough": [(COPY, f"{COPY}    out[ALL_CELLS] = 1\n")],
    "lists_of_moves_are_large_enough": [(MOVES, f"{MOVES}    out[MOST_MOVES] = 1\n")],
    "payoffs_are_written_for_the_seats_only": [(PAYOFF, f"{PAYOFF}    out[SEATS] = 1\n")],
    "every_outcome_has_its_odds": [*DICE, ("", ODDS.format(" - 1"))],
    "everybody_sees_a_roll": [*DICE, ("", ODDS.format("")), (COPY, f"{COPY}    out[HIGH] = out[HIGH] - seat\n")],
    "an_outcome_leads_to_one_position": [
        *DICE, TIMES, ("", ODDS.format("")),
        (ROLLED, "= 0\n        TIMES.append(1)\n        state[WINNER] = len(TIMES)\n        return"),
    ],
    "deals_are_listed_in_full": [("", "\n\ndef deals(options, dealt):\n    yield 1, dealt\n")],
    "the_seat_to_move_finds_its_moves_in_its_view": [(COPY, f"{COPY}    out[HIGH] = out[LOW]\n")],
    "a_view_is_the_same_again": [TIMES, (COPY, f"{COPY}    TIMES.append(1)\n    out[WINNER] = len(TIMES)\n")],
    "what_is_hidden_can_be_guessed": [UNHIDDEN],
    "a_guess_fills_every_unknown": [(GUESS, "pass")],
    "a_guess_keeps_what_is_known": [(GUESS, f"{GUESS}\n        view[WINNER] = 7")],
    "a_guessed_world_looks_the_same": [(COPY, f"{COPY}    out[WINNER] = state[NUMBER]\n")],
    "a_guessed_world_can_be_played_to_its_end": [(GUESS, "view[NUMBER] = 99")],
    "what_a_seat_is_told_holds_in_all_its_worlds": [("", RULE.format("seen(state, move, seat)", LIKE_NEXT))],
    "moves_look_alike_to_a_seat_whose_view_does_not_tell_them_apart": [(PLAY, f"{PLAY}{FACE_DOWN}")],
    "without_secrets_everyone_is_told_every_move": [UNHIDDEN, ("", RULE.format("seen(state, move, seat)", "-1"))],
    "sampling_equals_listing_and_choosing": [("", RULE.format("sample(state, rng)", "state[LOW]"))],
    "cells_behind_the_extent_mean_nothing": [("", RULE.format("extent(state)", "NUMBER"))],
    "equal_positions_have_equal_keys": [("", RULE.format("key(state)", "1"))],
    "progress_never_falls": [("", RULE.format("progress(state)", "state[HIGH]"))],
    "a_finished_game_stays_finished_when_handed_over": ["hints.py", HAND_OVER.format("seat")],
    "the_turn_goes_to_the_seat_it_is_handed_to": ["hints.py", HAND_OVER.format("0")],
    "a_seat_that_is_out_of_the_game_only_passes": ["hints.py", HINT.format("alive(state)", "return 1 << state[SEAT]")],
    "the_game_is_over_after_the_turns_left": ["hints.py", HINT.format("turns_left(state)", "return 1")],
    "a_move_that_is_not_safe_lets_another_seat_win": ["hints.py", HINT.format("safe_moves(state, out)", "return 0")],
    "positions_with_equal_normal_keys_are_alike": ["hints.py", HINT.format("normal_key(state)", "return 1")],
    "only_play_changes_a_state": [(COPY, f"{COPY}    state[WINNER] = seat\n")],
    "the_text_of_a_move_reads_back": ["notation.py", NOTATION.format("f'Nr{move}'", "text.strip()")],
    "nonsense_is_refused_with_the_choices": ["notation.py", NOTATION.format("'x'", "'x'")],
    "scenes_offer_legal_moves_only": ["scene.py", SCENE.format("'board'", "Shape('rect', {}, moves=(-7,))")],
    "scenes_can_be_drawn_for_everyone": ["scene.py", SCENE.format("'board'", NEEDS_A_MOVE)],
    "targets_have_titles": ["scene.py", SCENE.format("'board'", SHAPE)],
    "targets_lie_apart": ["scene.py", SCENE.format("'board'", NESTED)],
    "panels_have_names_of_their_own": ["scene.py", SCENE.format("'board'", "]), Panel('board', 1, 1, [")],
    "shapes_have_plain_finite_numbers": ["scene.py", SCENE.format("'board'", ENDLESS)],
    "everyone_hears_the_same_of_a_draw": ["notation.py", DRAWN, ("= 1.0", "= 0.0")],
    "lines_of_text_fit_a_terminal": ["scene.py", SCENE.format("'x' * 99", "")],
    "fields_are_plain_data": ["fields.py", FIELDS.format("view[0]")],
    "fields_tell_nothing_but_the_view": ["fields.py", FIELDS.format("TIMES.append(1) or len(TIMES)")],
    "texts_in_bulk_are_the_texts": ["fields.py", FIELDS.format("1")],
    "values_are_numbers": ["values.py", VALUE.format("", "float('nan')")],
    "values_stay_within_their_total": ["values.py", VALUE.format("total=1.0", "5.0")],
    "policies_pick_legal_moves": ["policies.py", POLICY],
    "encodings_keep_to_their_length": ["features.py", ENCODING.format("9")],
    "encodings_leave_the_position_as_it_was": [
        "features.py", ENCODING.format("0\n    view[SEAT] = 1 - view[SEAT]")
    ],
    "encodings_show_only_what_a_seat_sees": ["features.py", ENCODING.format("abs(view[NUMBER]) % 9")],
    "encodings_turn_with_the_seats": ["features.py", ENCODING.format("seat")],
    "numberings_tell_moves_apart": ["features.py", NUMBERING],
    "actions_stand_for_legal_moves": ["features.py", ACTIONS],
}  # fmt: skip


OPTIONS = {"the_text_of_a_game_names_it": "(highest=9.123456789)"}


def write_game(law: str, folder: Path) -> Path:
    """Write the game that breaks a law, under the law's name, and return where."""
    start_game(law, folder)
    place = folder / law
    fault = FAULTS[law]
    if isinstance(fault[0], str):
        (place / fault[0]).write_text(fault[1])
        fault = fault[2:]
    text = (place / "rules.py").read_text()
    for old, new in fault:
        assert old in text, law
        text = text.replace(old, new) if old else text + new
    (place / "rules.py").write_text(text)
    return place


def found(law: str, game: str) -> dict[str, Any]:
    """Return what a law finds in a game, as plain data."""
    check = next(check for check in LAWS if check.__name__ == law)
    try:
        for seed in range(1, 4):
            check(games.find(game), seed)
    except Broken as error:
        where = error.position
        place = {"text": str(where), **asdict(where)} if where else None
        return {"sentence": error.sentence, "meant": not isinstance(error, Failed), "position": place}
    return {"sentence": "nothing"}


if __name__ == "__main__":
    place = Path(sys.argv[1])
    print(json.dumps({law: found(law, f"{write_game(law, place)}{OPTIONS.get(law, '')}") for law in FAULTS}))
