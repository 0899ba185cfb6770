"""The kernels that play whole games on a card: each thread plays one after another, in memory of its own."""

from collections.abc import Callable

from kibitz.batches.card_forms import all_threads, first_row
from kibitz.batches.mass_play_rows import mass_play_rows
from kibitz.batches.perft_rows import perft_rows
from kibitz.batches.playout_rows import playout_rows
from kibitz.batches.rows import BEHIND
from kibitz.core.address import CELLS, DICE, INT, NUMBERS
from kibitz.core.contract import INTACT, SIZE
from kibitz.core.dice import dice_in
from kibitz.core.native import helper
from kibitz.core.policy_games import policy_rows
from kibitz.core.scratch import scratch

GAME_TAKES = {  # what the kernels take after the number of rows
    "mass_play": (INT, NUMBERS, CELLS, DICE, INT, INT, CELLS, DICE, CELLS, CELLS, DICE),
    "policy_games": (
        CELLS, CELLS, CELLS, NUMBERS, INT, CELLS, DICE, CELLS, DICE, CELLS, INT, NUMBERS, CELLS, CELLS, CELLS, INT,
        CELLS, CELLS,
    ),
    "playouts": (NUMBERS, CELLS, INT, CELLS, INT, INT, INT, DICE, INT, NUMBERS),
    "perft": (INT, CELLS, INT, CELLS, INT, CELLS),
}  # fmt: skip


@helper
def guarded(state, size):
    """Return a state with a guard after its cells."""
    for cell in range(size, size + BEHIND):
        state[cell] = INTACT
    return state


def game_kernels(rules: tuple[int, ...], room_cells: int, policy: int) -> dict[str, Callable[..., None]]:
    """Return the kernels for a game by name; `rules` and `policy` are numbers in place of addresses."""
    size, cells = rules[SIZE], rules[SIZE] + BEHIND

    def mass_play(
        rows, by_index, weights, options, streams, opening, number, payoffs, codes, plies, ends, told
    ):  # fmt: skip
        mass_play_rows(
            rules, policy, by_index, weights, options, streams, opening, number, payoffs, codes, plies, ends, told,
            guarded(scratch(cells), size), scratch(cells), scratch(room_cells), first_row(), rows, all_threads(),
        )  # fmt: skip

    def policy_games(
        rows, options, policies, by_index, weights, width, seated, deals, keys, dice, openings, longest, payoffs,
        plies, moved, kept, most, offenders, refused,
    ):  # fmt: skip
        policy_rows(
            rules, options, policies, by_index, weights, width, seated, deals, keys, dice_in(scratch(1), 0), dice,
            openings, longest, guarded(scratch(cells), size), scratch(cells), scratch(room_cells), payoffs, plies,
            moved, kept, most, offenders, refused, first_row(), rows, all_threads(),
        )  # fmt: skip

    def perft(rows, depth, starts, width, room, stride, counts):
        perft_rows(rules, depth, starts, width, room, stride, counts, first_row(), rows, all_threads())

    def playouts(rows, weights, view, seat, turns, width, playouts, number, seeds, wins, out):
        playout_rows(
            rules, policy, weights, view, seat, turns, width, playouts, number, seeds, wins, out,
            guarded(scratch(cells), size), scratch(room_cells), first_row(), rows, all_threads(),
        )  # fmt: skip

    return {"mass_play": mass_play, "policy_games": policy_games, "perft": perft, "playouts": playouts}
