"""Laws on the course of a game: moves, turns, ends, payoffs, replays, and buffers that are large enough."""

from math import isclose
from typing import Any

import numpy as np

from kibitz.core.address import caller
from kibitz.core.arrays import Int64s
from kibitz.core.contract import AT, INTACT, SIGNATURES
from kibitz.core.dice import roll
from kibitz.core.errors import BadMove, BadRecord
from kibitz.core.game import Game
from kibitz.core.laws.law import Broken, DoesNotApply, examine, law, some_of
from kibitz.core.laws.walk import (
    SPARE,
    dice_to_guess,
    dice_to_move,
    first_difference,
    fresh_table,
    make_move,
    played_out,
    roomy,
    roomy_list,
    walk,
)
from kibitz.core.native import compiled, pointer
from kibitz.core.playout import deal_table, guess_world, look, settle
from kibitz.core.record import read_line, record_of
from kibitz.core.spec import parse
from kibitz.core.table import Table

NO_MOVES: tuple[Any, ...] = (-1, 10**6, 2**63, 2**200, None, "no such move", 1.5, [1])
UNDONE = 30  # plies played and taken back
ENDS, STRIDE = 30, 1000  # games whose payoffs are checked, and how far apart their seeds are
_MOVES = AT["moves"]
_call_moves = caller(SIGNATURES["moves"])  # without the check that core/calls.py makes


@compiled
def _list_moves(rules, state, out):
    return _call_moves(rules[_MOVES], pointer(state), pointer(out))


@law
def a_game_ends(game: Game, seed: int) -> None:
    """Every game of random moves ends, and then there are no moves."""
    table = played_out(game, seed)
    if table.moves():
        raise Broken("the game is over and yet has moves", table)


@law
def payoffs_lie_in_their_range(game: Game, seed: int) -> None:
    """At the end the rule payoff writes a number for every seat, from 0 to 1 or in the range of PAYOFF."""
    for again in range(ENDS):
        table, out = played_out(game, seed + again * STRIDE), np.zeros(game.seats + SPARE)
        settle(game.rules, roomy(game, table.copy_of_truth()), out)
        for seat, earned in enumerate(out[: game.seats].tolist()):
            if not game.scoring.fits([earned]):
                raise Broken(f"the payoff of seat {seat + 1} is {earned}; {game.scoring.demand}", table)


@law
def shared_payoffs_are_equal(game: Game, seed: int) -> None:
    """In a game that declares SHARED, all seats earn the same."""
    if not game.scoring.shared:
        raise DoesNotApply("the game does not declare SHARED")
    for again in range(ENDS):
        table, out = played_out(game, seed + again * STRIDE), np.zeros(game.seats + SPARE)
        settle(game.rules, roomy(game, table.copy_of_truth()), out)
        if len(set(out[: game.seats].tolist())) > 1:
            raise Broken(f"the payoffs are {out[: game.seats].tolist()}; SHARED says that they are equal", table)


@law
def payoffs_sum_up_to_what_is_declared(game: Game, seed: int) -> None:
    """In a game that declares PAYOFF_SUM, that is what all seats earn together."""
    total = game.scoring.total
    if total is None:
        raise DoesNotApply("the game does not declare PAYOFF_SUM")
    for again in range(ENDS):
        table = played_out(game, seed + again * STRIDE)
        if not isclose(sum(table.payoff()), total, abs_tol=1e-9):
            raise Broken(f"the payoffs are {table.payoff()}; PAYOFF_SUM is {total}", table)


@law
def moves_ascend(game: Game, seed: int) -> None:
    """Legal moves ascend without repeats, at least one while the game goes on and at most MOST_MOVES."""
    for table in walk(game, seed):
        moves = table.moves()
        if moves != sorted(set(moves)):
            raise Broken(f"the moves {some_of(moves)} do not ascend, or one is listed twice", table)
        if not 1 <= len(moves) <= game.most_moves:
            raise Broken(f"there are {len(moves)} moves; MOST_MOVES is {game.most_moves}", table)


@law
def moves_lie_below_what_is_declared(game: Game, seed: int) -> None:
    """In a game that declares MOVES_BELOW, every move is a number from 0 to one less."""
    if game.moves_below is None:
        raise DoesNotApply("the game does not declare MOVES_BELOW")
    for table in walk(game, seed):
        moves = table.moves()
        wrong = next((move for move in moves if not 0 <= move < game.moves_below), None)
        if wrong is not None:
            allowed = f"MOVES_BELOW = {game.moves_below} allows 0 to {game.moves_below - 1}"
            raise Broken(f"{wrong} is one of the moves; {allowed}", table)


@law
def the_same_seed_gives_the_same_game(game: Game, seed: int) -> None:
    """Dealt and played with the same seed, a game is the same again."""
    for one, other in zip(walk(game, seed), walk(game, seed), strict=True):
        name = first_difference(game, one.copy_of_truth(), other.copy_of_truth())
        if name:
            raise Broken(f"{name} differs when the game is dealt and played again", one)


@law
def play_is_deterministic(game: Game, seed: int) -> None:
    """The same move from the same position leads to the same position: all luck is hidden state."""
    for table in walk(game, seed):
        truth, moves = table.copy_of_truth(), table.moves()
        for move in (moves[0], moves[-1]):
            one, other = roomy(game, truth), roomy(game, truth)
            make_move(game.rules, one, move)
            make_move(game.rules, other, move)
            name = first_difference(game, one, other)
            if name:
                raise Broken(f"move {move} played twice leads to different values of {name}", table)


@law
def illegal_moves_change_nothing(game: Game, seed: int) -> None:
    """An illegal move is refused and changes nothing."""
    table = fresh_table(game, seed)
    before = table.copy_of_truth()
    for wrong in NO_MOVES:
        if wrong in table.moves():
            continue
        try:
            table.play(wrong)
        except BadMove:
            pass
        else:
            raise Broken(f"{wrong!r}, which is not listed, was played", table)
    if (table.copy_of_truth() != before).any():
        raise Broken("a move that was refused changed the state", table)


@law
def a_record_replays(game: Game, seed: int) -> None:
    """The record of a game, written and read, leads to the same end."""
    table = played_out(game, seed)
    record = read_line(record_of(table, ["anyone"] * game.seats).line())
    try:
        again = record.replay(lambda spec: Game(game._package, spec))
    except BadRecord as error:
        raise Broken(f"the record of the game does not replay: {error}", table) from error
    if again.payoff() != table.payoff() or (again.copy_of_truth() != table.copy_of_truth()).any():
        raise Broken("the record of the game leads to another end", table)


@law
def moves_can_be_taken_back(game: Game, seed: int) -> None:
    """Undoing moves leads back to the earlier positions."""
    before, last = {}, None
    for table in walk(game, seed, UNDONE):
        before[table.ply] = table.copy_of_truth()
        last = table
    while last is not None and last.ply > min(before):
        last.undo()
        if (last.copy_of_truth() != before[last.ply]).any():
            raise Broken("taking back a move leads to another position than there was", last)


@law
def the_text_of_a_game_names_it(game: Game, seed: int) -> None:
    """The text of a game with its options names the same game again."""
    again = Game(game._package, parse(str(game)))
    if (again.options, again.seats) != (game.options, game.seats):
        raise Broken(f"the text {game} names a game with other options: {again.options}, {again.seats} seats")


def _check_guard(game: Game, rule: str, state: Int64s, table: Table | None) -> None:
    """Refuse a buffer if a rule has written past its end."""
    written = np.flatnonzero(state[game.size :] != INTACT)
    if len(written):
        cell = game.size + int(written[0])
        raise Broken(f"the rule {rule} writes to {game.cells.name_of(cell)}", table)


@law
def states_are_large_enough(game: Game, seed: int) -> None:
    """No rule writes behind the last cell of the state."""
    state, rng = roomy(game, np.zeros(game.size, dtype=np.int64)), dice_to_move(seed)
    deal_table(game.rules, state, game.encoded_options, rng)
    _check_guard(game, "deal", state, None)
    for table in walk(game, seed):
        state = roomy(game, table.copy_of_truth())
        listed = table.moves()
        make_move(game.rules, state, listed[roll(rng, len(listed))])
        _check_guard(game, "play", state, table)


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
            _check_guard(game, "view", out, table)
            examine(table, seat)
            guess_world(game.rules, out, seat, rng)
            _check_guard(game, "guess", out, table)
            examine(table)


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
                table,
            )


@law
def payoffs_are_written_for_the_seats_only(game: Game, seed: int) -> None:
    """The rule payoff writes one number for every seat and no more."""
    table = played_out(game, seed)
    out = np.full(game.seats + SPARE, np.nan)
    settle(game.rules, roomy(game, table.copy_of_truth()), out)
    missing = np.flatnonzero(np.isnan(out[: game.seats]))
    if len(missing):
        raise Broken(f"the rule payoff writes nothing for seat {missing[0] + 1}", table)
    written = np.flatnonzero(~np.isnan(out[game.seats :]))
    if len(written):
        beyond = game.seats + int(written[0])
        raise Broken(f"the rule payoff writes entry {beyond}; the seats are 0 to {game.seats - 1}", table)
