"""Laws on sizes: no rule writes behind what it is given; looked for with untouched cells behind every buffer."""

import numpy as np

from kibitz.core.address import caller
from kibitz.core.contract import AT, INTACT, SIGNATURES
from kibitz.core.dice import roll
from kibitz.core.game import Game
from kibitz.core.laws.law import Broken, DoesNotApply, Position, law
from kibitz.core.laws.walk import SPARE, dice_to_guess, dice_to_move, make_move, played_out, roomy, roomy_list, walk
from kibitz.core.native import compiled, pointer
from kibitz.core.playout import deal_table, guess_world, look, settle
from kibitz.core.table import Table

_NO_PAYOFF = -7.0
_MOVES = AT["moves"]
_call_moves = caller(SIGNATURES["moves"])  # without the check that core/calls.py makes


@compiled
def _list_moves(rules, state, out):
    return _call_moves(rules[_MOVES], pointer(state), pointer(out))


def _check(game: Game, rule: str, state: np.ndarray, table: Table | None) -> None:
    """Refuse a buffer that a rule has written behind."""
    written = np.flatnonzero(state[game.size :] != INTACT)
    if len(written):
        cell = game.size + int(written[0])
        position = Position.of(table) if table else None
        raise Broken(f"the rule {rule} writes to {game.cells.name_of(cell)}", position)


@law
def states_are_large_enough(game: Game, seed: int) -> None:
    """No rule writes behind the last cell of the state."""
    state, rng = roomy(game, np.zeros(game.size, dtype=np.int64)), dice_to_move(seed)
    deal_table(game.rules, state, game.encoded_options, rng)
    _check(game, "deal", state, None)
    for table in walk(game, seed):
        state = roomy(game, table.copy_of_truth())
        listed = table.moves()
        make_move(game.rules, state, listed[roll(rng, len(listed))])
        _check(game, "play", state, table)


@law
def views_are_large_enough(game: Game, seed: int) -> None:
    """The rules view and guess write to no cell behind the last."""
    if not game.has("view"):
        raise DoesNotApply("the game hides nothing")
    rng = dice_to_guess(seed)
    for table in walk(game, seed):
        state = roomy(game, table.copy_of_truth())
        for seat in range(game.seats):
            out = roomy(game, np.zeros(game.size, dtype=np.int64))
            look(game.rules, state, seat, out)
            _check(game, "view", out, table)
            guess_world(game.rules, out, seat, rng)
            _check(game, "guess", out, table)


@law
def lists_of_moves_are_large_enough(game: Game, seed: int) -> None:
    """The rule moves writes at most MOST_MOVES entries."""
    for table in walk(game, seed):
        room = roomy_list(game)
        listed = _list_moves(game.rules, roomy(game, table.copy_of_truth()), room)
        written = np.flatnonzero(room[game.most_moves :] != INTACT)
        if len(written) or listed > game.most_moves:
            needed = max(int(listed), game.most_moves + int(written[-1]) + 1 if len(written) else 0)
            raise Broken(
                f"the rule moves lists {needed} moves; MOST_MOVES is {game.most_moves}, and must be {needed} at least",
                Position.of(table),
            )


@law
def payoffs_are_written_for_the_seats_only(game: Game, seed: int) -> None:
    """The rule payoff writes one number for every seat and no more."""
    table = played_out(game, seed)
    out = np.full(game.seats + SPARE, _NO_PAYOFF)
    settle(game.rules, roomy(game, table.copy_of_truth()), out)
    missing = np.flatnonzero(out[: game.seats] == _NO_PAYOFF)
    if len(missing):
        raise Broken(f"the rule payoff writes nothing for seat {missing[0] + 1}", Position.of(table))
    written = np.flatnonzero(out[game.seats :] != _NO_PAYOFF)
    if len(written):
        beyond = game.seats + int(written[0])
        raise Broken(f"the rule payoff writes entry {beyond}; there are {game.seats} seats, 0 to {game.seats - 1}",
                     Position.of(table))  # fmt: skip
