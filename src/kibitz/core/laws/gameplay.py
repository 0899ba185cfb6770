"""Laws on the course of a game: moves, turns, ends, payoffs, and that it can be played again."""

from math import isclose
from typing import Any

import numpy as np

from kibitz.core.errors import BadMove, BadRecord
from kibitz.core.game import Game
from kibitz.core.laws.law import Broken, DoesNotApply, Position, law
from kibitz.core.laws.walk import SPARE, fresh_table, make_move, played_out, roomy, walk
from kibitz.core.playout import settle
from kibitz.core.record import read_line, record_of
from kibitz.core.spec import Spec, parse

NO_MOVES: tuple[Any, ...] = (-1, 10**6, 2**63, 2**200, None, "no such move", 1.5, [1])
UNDONE = 30  # plies played and taken back
ENDS, STRIDE = 30, 1000  # games whose payoffs are looked at, and how far apart their seeds are


@law
def a_game_ends(game: Game, seed: int) -> None:
    """Every game of random moves ends, and then there are no moves."""
    table = played_out(game, seed)
    if table.moves():
        raise Broken("the game is over and yet has moves", Position.of(table))


@law
def payoffs_lie_between_0_and_1(game: Game, seed: int) -> None:
    """At the end the rule payoff writes a number from 0 to 1 for every seat."""
    for again in range(ENDS):
        table, out = played_out(game, seed + again * STRIDE), np.zeros(game.seats + SPARE)
        settle(game.rules, roomy(game, table.copy_of_truth()), out)
        for seat, earned in enumerate(out[: game.seats].tolist()):
            if not 0 <= earned <= 1:
                raise Broken(
                    f"the payoff of seat {seat + 1} is {earned}; it must lie between 0 and 1", Position.of(table)
                )


@law
def payoffs_sum_up_to_what_is_declared(game: Game, seed: int) -> None:
    """In a game that declares PAYOFF_SUM, the seats together always earn so much."""
    if game.payoff_sum is None:
        raise DoesNotApply("the game does not declare PAYOFF_SUM")
    for again in range(ENDS):
        table = played_out(game, seed + again * STRIDE)
        if not isclose(sum(table.payoff()), game.payoff_sum, abs_tol=1e-9):
            raise Broken(f"the payoffs are {table.payoff()}; PAYOFF_SUM is {game.payoff_sum}", Position.of(table))


@law
def moves_ascend(game: Game, seed: int) -> None:
    """Legal moves ascend without repeats, at least one while the game goes on and at most MOST_MOVES."""
    for table in walk(game, seed):
        moves = table.moves()
        if moves != sorted(set(moves)):
            raise Broken(f"the moves {moves} do not ascend, or one is listed twice", Position.of(table))
        if not 1 <= len(moves) <= game.most_moves:
            raise Broken(f"there are {len(moves)} moves; MOST_MOVES is {game.most_moves}", Position.of(table))


@law
def moves_lie_below_what_is_declared(game: Game, seed: int) -> None:
    """In a game that declares MOVES_BELOW, every move is a number from 0 to one less."""
    if game.moves_below is None:
        raise DoesNotApply("the game does not declare MOVES_BELOW")
    for table in walk(game, seed):
        moves = table.moves()
        if not 0 <= moves[0] <= moves[-1] < game.moves_below:
            raise Broken(f"the moves are {moves}; MOVES_BELOW is {game.moves_below}", Position.of(table))


@law
def the_same_seed_gives_the_same_game(game: Game, seed: int) -> None:
    """Dealt and played with the same seed, a game is the same again."""
    for one, other in zip(walk(game, seed), walk(game, seed), strict=True):
        differing = np.flatnonzero(one.copy_of_truth() != other.copy_of_truth())
        if len(differing):
            name = game.cells.name_of(int(differing[0]))
            raise Broken(f"{name} differs when the game is dealt and played again", Position.of(one))


@law
def play_is_deterministic(game: Game, seed: int) -> None:
    """The same move from the same position leads to the same position: all luck is hidden state."""
    for table in walk(game, seed):
        truth, moves = table.copy_of_truth(), table.moves()
        for move in (moves[0], moves[-1]):
            one, other = roomy(game, truth), roomy(game, truth)
            make_move(game.rules, one, move)
            make_move(game.rules, other, move)
            differing = np.flatnonzero(one[: game.size] != other[: game.size])
            if len(differing):
                name = game.cells.name_of(int(differing[0]))
                raise Broken(f"move {move} played twice leads to different values of {name}", Position.of(table))


@law
def illegal_moves_change_nothing(game: Game, seed: int) -> None:
    """What is no legal move is refused and changes nothing."""
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
            raise Broken(f"{wrong!r}, which is not listed, was played", Position.of(table))
    if (table.copy_of_truth() != before).any():
        raise Broken("a move that was refused changed the state", Position.of(table))


@law
def a_record_replays(game: Game, seed: int) -> None:
    """The record of a game, written and read, leads to the same end."""
    table = played_out(game, seed)
    record = read_line(record_of(table, ["anyone"] * game.seats).line())
    try:
        again = record.replay(lambda spec: _again(game, spec))
    except BadRecord as error:
        raise Broken(f"the record of the game does not replay: {error}", Position.of(table)) from error
    if again.payoff() != table.payoff() or (again.copy_of_truth() != table.copy_of_truth()).any():
        raise Broken("the record of the game leads to another end", Position.of(table))


@law
def moves_can_be_taken_back(game: Game, seed: int) -> None:
    """Taking back moves leads to the positions there were."""
    before, last = [], None
    for table in walk(game, seed, UNDONE):
        before.append(table.copy_of_truth())
        last = table
    while last is not None and last.ply:
        last.undo()
        if (last.copy_of_truth() != before[last.ply]).any():
            raise Broken("taking back a move leads to another position than there was", Position.of(last))


@law
def the_text_of_a_game_names_it(game: Game, seed: int) -> None:
    """The text of a game with its options names the same game again."""
    again = _again(game, parse(str(game)))
    if (again.options, again.seats) != (game.options, game.seats):
        raise Broken(f"the text {game} names a game with other options: {again.options}, {again.seats} seats")


def _again(game: Game, spec: Spec | str) -> Game:
    return Game(game._package, spec if isinstance(spec, Spec) else parse(spec))
