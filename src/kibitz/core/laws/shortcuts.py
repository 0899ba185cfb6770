"""Laws on optional rules and hints, which make a game faster or easier to search: they agree with the other rules."""

from collections.abc import Callable

import numpy as np

from kibitz.core.arrays import Floats, Int64s
from kibitz.core.contract import CHANCE, OVER
from kibitz.core.dice import dice, roll
from kibitz.core.game import Game
from kibitz.core.heuristics import RANDOM
from kibitz.core.laws.law import Broken, DoesNotApply, law, mover_in_words, some_of
from kibitz.core.laws.walk import (
    PLIES,
    dice_to_move,
    extent_of,
    first_difference,
    fresh_table,
    key_of,
    make_move,
    normal_key_of,
    played_out,
    roomy,
    roomy_list,
    safe_moves_of,
    step,
    walk,
)
from kibitz.core.playout import (
    hand_turn,
    legal_moves,
    look,
    look_of,
    pick_once,
    progress_of,
    settle,
    still_in,
    turns_left_in,
    who,
)
from kibitz.core.table import Table

GARBAGE = 1_234_567  # what unused cells may hold


def _require(game: Game, rule: str) -> None:
    if not game.has(rule):
        raise DoesNotApply(f"the game has no {rule}")


@law
def sampling_equals_listing_and_choosing(game: Game, seed: int) -> None:
    """The rule sample returns the entry of moves that the dice choose."""
    _require(game, "sample")
    room = roomy_list(game)
    for table in walk(game, seed):
        moves, view = table.moves(), roomy(game, table.view(table.turn))
        wanted = moves[roll(dice(table.ply), len(moves))]
        picked = pick_once(game.rules, RANDOM.handle, RANDOM.weights, view, dice(table.ply), room)
        if picked != wanted:
            raise Broken(f"sample returns {picked} where the dice choose {wanted} of {some_of(moves)}", table)


@law
def cells_behind_the_extent_mean_nothing(game: Game, seed: int) -> None:
    """A position copied as far as the rule extent says has the same moves and leads to the same positions."""
    _require(game, "extent")
    room = roomy_list(game)
    for table in walk(game, seed):
        plain, cut = roomy(game, table.copy_of_truth()), _cut(game, table)
        if not 1 <= extent_of(game.rules, plain) <= game.size:
            raise Broken(f"extent is {extent_of(game.rules, plain)} of {game.size} cells", table)
        moves = table.moves()
        if room[: legal_moves(game.rules, cut, room)].tolist() != moves:
            raise Broken("the moves depend on cells behind the extent", table)
        make_move(game.rules, plain, moves[-1])
        make_move(game.rules, cut, moves[-1])
        used = int(extent_of(game.rules, plain))
        plain[used : game.size] = cut[used : game.size]
        name = first_difference(game, plain, cut)
        if name:
            raise Broken(f"after move {moves[-1]} {name} depends on cells behind the extent", table)


def _cut(game: Game, table: Table) -> Int64s:
    """Return the position with garbage in all unused cells."""
    state = roomy(game, table.copy_of_truth())
    state[int(extent_of(game.rules, state)) : game.size] = GARBAGE
    return state


@law
def equal_positions_have_equal_keys(game: Game, seed: int) -> None:
    """The key of a position depends on its cells in use only, and positions with equal keys have the same moves."""
    known: dict[int, tuple[int, list[int]]] = {}
    for table in walk(game, seed):
        state = roomy(game, table.copy_of_truth())
        found = int(key_of(game.rules, state))
        if found != key_of(game.rules, _cut(game, table)):
            raise Broken("two copies of the position have different keys", table)
        if known.setdefault(found, (table.turn, table.moves())) != (table.turn, table.moves()):
            raise Broken("the key is that of an earlier position with other moves", table)


@law
def progress_never_falls(game: Game, seed: int) -> None:
    """The rule progress never returns less than before."""
    _require(game, "progress")
    last = None
    for table in walk(game, seed):
        now = int(progress_of(game.rules, roomy(game, table.copy_of_truth())))
        if last is not None and now < last:
            raise Broken(f"progress falls from {last} to {now}", table)
        last = now


@law
def a_finished_game_stays_finished_when_handed_over(game: Game, seed: int) -> None:
    """Handing the turn to a seat changes nothing in a game that is over."""
    _require(game, "hand_over")
    table = played_out(game, seed)
    for seat in range(game.seats):
        handed = roomy(game, table.copy_of_truth())
        hand_turn(game.rules, handed, seat)
        if (handed[: game.size] != table.copy_of_truth()).any():
            raise Broken(f"the game is over, and handing the turn to seat {seat + 1} changes it", table)


@law
def the_turn_goes_to_the_seat_it_is_handed_to(game: Game, seed: int) -> None:
    """Handing the turn to a seat makes that seat the one to move, or ends the game."""
    _require(game, "hand_over")
    for table in walk(game, seed):
        for seat in range(game.seats):
            handed = roomy(game, table.copy_of_truth())
            hand_turn(game.rules, handed, seat)
            turn = who(game.rules, handed)
            if turn not in (seat, OVER):
                raise Broken(f"handed to seat {seat + 1}, {mover_in_words(turn)} is to move", table)


@law
def a_seat_that_is_out_of_the_game_only_passes(game: Game, seed: int) -> None:
    """A seat that the hint alive does not name never comes back and has one move at each of its turns."""
    _require(game, "alive")
    out = 0
    for table in walk(game, seed):
        alive = int(still_in(game.rules, roomy(game, table.view(table.turn))))
        if out & alive:
            raise Broken("a seat that was out of the game is alive again", table)
        if out >> table.turn & 1 and len(table.moves()) > 1:
            raise Broken(f"seat {table.turn + 1} is out of the game and has a choice of moves", table)
        out |= (1 << game.seats) - 1 - alive


@law
def the_game_is_over_after_the_turns_left(game: Game, seed: int) -> None:
    """The game does not go on for more turns than the hint turns_left says."""
    _require(game, "turns_left")
    turns, seat, latest = 0, None, None
    for table in walk(game, seed):
        turns += table.turn != seat
        seat = table.turn
        left = int(turns_left_in(game.rules, roomy(game, table.copy_of_truth())))
        latest = turns + left if latest is None else min(latest, turns + left)
        if turns >= latest:
            raise Broken("the game goes on, and by turns_left it would be over", table)


@law
def a_move_that_is_not_safe_lets_another_seat_win(game: Game, seed: int) -> None:
    """After a legal move that the hint safe_moves does not list, another seat is to move and has a move that wins."""
    _require(game, "safe_moves")
    room = roomy_list(game)
    for table in walk(game, seed):
        n = int(safe_moves_of(game.rules, roomy(game, table.copy_of_truth()), room))
        moves = table.moves()
        safe = moves if n < 0 else room[:n].tolist()
        if safe != [move for move in moves if move in safe]:
            raise Broken(f"safe_moves lists {safe}; the moves are {some_of(moves)}", table)
        for move in set(moves) - set(safe):
            after = roomy(game, table.copy_of_truth())
            make_move(game.rules, after, move)
            if who(game.rules, after) in (OVER, CHANCE, table.turn) or not _can_win(game, after):
                raise Broken(f"safe_moves leaves out {move}, which does not lose at once", table)


def _can_win(game: Game, state: Int64s) -> bool:
    """Return whether the seat to move has a move that wins."""
    room, earned, seat = roomy_list(game), np.zeros(game.seats + 1), int(who(game.rules, state))
    for move in room[: legal_moves(game.rules, state, room)].tolist():
        after = state.copy()
        make_move(game.rules, after, move)
        if who(game.rules, after) == OVER:
            settle(game.rules, after, earned)
            if earned[seat] == game.scoring.most:
                return True
    return False


@law
def positions_with_equal_normal_keys_are_alike(game: Game, seed: int) -> None:
    """Positions to which the hint normal_key gives the same hash have the same seat to move and as many moves."""
    _require(game, "normal_key")
    known: dict[int, tuple[int, int]] = {}
    for table in walk(game, seed):
        found = int(normal_key_of(game.rules, roomy(game, table.copy_of_truth())))
        like = (table.turn, len(table.moves()))
        if found and known.setdefault(found, like) != like:
            raise Broken("the normal key is that of an earlier position that is not alike", table)


@law
def only_play_changes_a_state(game: Game, seed: int) -> None:
    """Rules that answer questions do not change the state."""
    table, rng = fresh_table(game, seed), dice_to_move(seed)
    room, view, earned = roomy_list(game), game.new_state(), np.zeros(game.seats + 1)
    while True:
        state = roomy(game, table.copy_of_truth())
        before = state.copy()
        for rule, ask in _questions(game, state, table, room, view, earned):
            ask()
            name = first_difference(game, state, before)
            if name:
                raise Broken(f"the rule {rule} changes {name}; only play may", table)
        if table.over or table.ply >= PLIES:
            return
        step(table, rng)


def _questions(
    game: Game, state: Int64s, table: Table, room: Int64s, view: Int64s, earned: Floats
) -> list[tuple[str, Callable[[], object]]]:
    """Return calls of the rules that answer questions about a position, by name."""
    rules = game.rules
    always: list[tuple[str, Callable[[], object]]] = [
        ("progress", lambda: progress_of(rules, state)),
        ("extent", lambda: extent_of(rules, state)),
        ("key", lambda: key_of(rules, state)),
        *(("view", lambda seat=seat: look(rules, state, seat, view)) for seat in range(game.seats)),
    ]
    if table.over:
        return [*always, ("payoff", lambda: settle(rules, state, earned))]
    legal_moves(rules, roomy(game, table.copy_of_truth()), room)
    move = int(room[0])
    hints: list[tuple[str, Callable[[], object]]] = [
        ("turns_left", lambda: turns_left_in(rules, state)),
        ("safe_moves", lambda: safe_moves_of(rules, state, room)),
        ("normal_key", lambda: normal_key_of(rules, state)),
    ]
    return [
        *always,
        *((name, ask) for name, ask in hints if game.has(name)),
        ("moves", lambda: legal_moves(rules, state, room)),
        ("alive", lambda: still_in(rules, state)),
        ("sample", lambda: pick_once(rules, RANDOM.handle, RANDOM.weights, state, dice(1), room)),
        *(("seen", lambda seat=seat: look_of(rules, state, move, seat)) for seat in range(game.seats)),
    ]
