"""The kernels of a batch: each thread takes every so many rows; what it does with a row is in batches/rows.py."""

from collections.abc import Callable

from kibitz.batches.card_forms import all_threads, first_row
from kibitz.batches.card_game_kernels import GAME_TAKES, game_kernels
from kibitz.batches.card_runs import run_taken_rows
from kibitz.batches.rows import (
    BEHIND,
    deal_rows,
    encode_rows,
    guard_rows,
    guess_rows,
    legal_rows,
    payoff_rows,
    play_rows,
    sample_rows,
    turn_rows,
    value_rows,
    view_rows,
)
from kibitz.core.address import BYTES, CELLS, DICE, FLOATS, INT, NUMBERS
from kibitz.core.contract import SIZE
from kibitz.core.scratch import scratch
from kibitz.networks.encoding import MOST_ON

IN_PLACE = "run_in_place"  # as `run`, but a thread works on the row itself, not on a copy in memory of its own
TAKES = {  # what the kernels take after the number of rows
    "deal": (CELLS, CELLS, DICE, CELLS, CELLS, INT, CELLS),
    "turn": (CELLS, INT, CELLS),
    "legal": (INT, INT, CELLS, INT, BYTES),
    "play": (INT, CELLS, CELLS, CELLS, INT, CELLS, CELLS),
    "sample": (INT, DICE, CELLS, INT, CELLS),
    "run": (NUMBERS, INT, DICE, CELLS, CELLS, INT, CELLS, CELLS, CELLS),
    "view": (CELLS, CELLS, INT, CELLS),
    "guess": (CELLS, DICE, CELLS, INT),
    "payoff": (CELLS, INT, NUMBERS),
    "value": (NUMBERS, CELLS, INT, NUMBERS),
    "features": (CELLS, CELLS, INT, FLOATS),
    "guard": (CELLS, INT, CELLS),
    **GAME_TAKES,
    IN_PLACE: (NUMBERS, INT, DICE, CELLS, CELLS, INT, CELLS, CELLS, CELLS),
}


def kernel_of(what: str, rules: tuple[int, ...], room_cells: int, asked: tuple[int, ...]) -> Callable[..., None]:
    """Return a kernel for a game: `rules` and `asked`, what it calls, hold numbers in place of addresses."""
    cells, policy, in_place = rules[SIZE] + BEHIND, asked[0], what == IN_PLACE

    def deal(rows, options, chosen, deals, keys, states, width, plies):
        first, step = first_row(), all_threads()
        deal_rows(rules, options, chosen, deals, keys, states, width, plies, scratch(room_cells), first, rows, step)

    def turn(rows, states, width, out):
        turn_rows(rules, states, width, out, first_row(), rows, all_threads())

    def legal(rows, by_move, actions, states, width, out):
        legal_rows(rules, by_move, actions, states, width, out, scratch(room_cells), first_row(), rows, all_threads())

    def play(rows, by_move, chosen, keys, states, width, plies, faults):
        play_rows(
            rules, by_move, chosen, keys, states, width, plies, faults, scratch(room_cells), first_row(), rows,
            all_threads(),
        )  # fmt: skip

    def sample(rows, by_move, dice, states, width, out):
        sample_rows(rules, by_move, dice, states, width, out, scratch(room_cells), first_row(), rows, all_threads())

    def run(rows, weights, most, dice, keys, states, width, plies, faults, taken):
        # `cells` is `width` as a constant, by which the copies of small states become registers
        run_taken_rows(
            rules, in_place, policy, weights, most, dice, keys, states, cells, plies, faults, taken, scratch(cells),
            scratch(cells), scratch(room_cells), first_row(), rows, all_threads(),
        )  # fmt: skip

    def view(rows, seats, states, width, out):
        view_rows(rules, seats, states, width, out, first_row(), rows, all_threads())

    def guess(rows, seats, dice, views, width):
        guess_rows(rules, seats, dice, views, width, first_row(), rows, all_threads())

    def payoff(rows, states, width, out):
        payoff_rows(rules, states, width, out, first_row(), rows, all_threads())

    def value_of(rows, weights, states, width, out):
        value_rows(rules, asked, weights, states, width, out, first_row(), rows, all_threads())

    def features(rows, seats, states, width, out):
        encode_rows(
            rules, *asked, seats, states, width, scratch(cells), scratch(MOST_ON), out, first_row(), rows,
            all_threads(),
        )  # fmt: skip

    def guard(rows, states, width, out):
        guard_rows(rules, states, width, out, first_row(), rows, all_threads())

    made: dict[str, Callable[..., None]] = {
        "deal": deal, "turn": turn, "legal": legal, "play": play, "sample": sample, "run": run, "view": view,
        "guess": guess, "payoff": payoff, "value": value_of, "features": features, "guard": guard, IN_PLACE: run,
        **game_kernels(rules, room_cells, policy),
    }  # fmt: skip
    return made[what]
