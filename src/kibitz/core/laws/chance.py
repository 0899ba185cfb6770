"""Laws on chance in the open: its outcomes, their odds, and that everybody sees them; deals that are listed."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from kibitz.core.arrays import Int64s
from kibitz.core.calls import MOST_ODDS
from kibitz.core.contract import CHANCE
from kibitz.core.dice import dice
from kibitz.core.game import Game
from kibitz.core.laws.law import Broken, DoesNotApply, Position, law, some_of, turn_in_words
from kibitz.core.laws.texts import alike_in_words
from kibitz.core.laws.walk import first_difference, make_move, roomy, roomy_list, walk
from kibitz.core.playout import deal_table, legal_moves, look, weights_of, who
from kibitz.core.table import Roll, Table

ODDS_GAMES, ODDS_ROLLS = 200, 20_000  # random games whose odds are summed up, and rolls at most
MOST_KINDS = 6  # of odds that are told
DEALT = 200  # deals that are looked for among those listed


def _rolls(game: Game, seed: int) -> Iterator[tuple[Table, Roll, list[int]]]:
    """Yield what chance does in a random game, with all that it could have done."""
    if not game.chance:
        raise DoesNotApply("chance does not move")
    for table in walk(game, seed):
        for roll in table.rolls:
            yield table, roll, _listed(game, roll.before)


def before(table: Table, roll: Roll) -> Position:
    """Return the position in which chance rolled."""
    after = Position.of(table)
    return replace(after, moves=after.moves[: roll.ply], texts=after.texts[: roll.ply], turn=turn_in_words(CHANCE))


def _listed(game: Game, state: Int64s) -> list[int]:
    room = roomy_list(game)
    found: list[int] = room[: legal_moves(game.rules, roomy(game, state), room)].tolist()
    return found


def _odds(game: Game, state: Int64s) -> list[int]:
    room = roomy_list(game)
    found: list[int] = room[: weights_of(game.rules, roomy(game, state), room)].tolist()
    return found


@law
def every_outcome_has_its_odds(game: Game, seed: int) -> None:
    """Where chance moves, its outcomes ascend, and the rule odds writes a weight of 1 or more for each of them."""
    for table, roll, outcomes in _rolls(game, seed):
        if outcomes != sorted(set(outcomes)):
            raise Broken(f"the outcomes {some_of(outcomes)} do not ascend, or one is listed twice", before(table, roll))
        weights = _odds(game, roll.before)
        if len(weights) != len(outcomes):
            raise Broken(f"there are {len(outcomes)} outcomes and {len(weights)} weights", before(table, roll))
        if min(weights) < 1 or sum(weights) > MOST_ODDS:
            limits = f"each must be at least 1 and their sum at most {MOST_ODDS:,}"
            raise Broken(f"the odds are {some_of(weights)}; {limits}", before(table, roll))


@law
def everybody_sees_a_roll(game: Game, seed: int) -> None:
    """Where chance moves, every seat finds in its view that it does, the same outcomes, odds and texts."""
    for table, roll, outcomes in _rolls(game, seed):
        weights = _odds(game, roll.before)
        texts = None
        for seat in range(game.seats):
            view = game.new_state()
            look(game.rules, roomy(game, roll.before), seat, view)
            if who(game.rules, view) != CHANCE:
                raise Broken(f"the view of seat {seat + 1} does not show that chance moves", before(table, roll))
            if (_listed(game, view[: game.size]), _odds(game, view[: game.size])) != (outcomes, weights):
                raise Broken(f"seat {seat + 1} finds other outcomes or odds in its view", before(table, roll))
            found = [game.write(view[: game.size].copy(), outcome) for outcome in outcomes]
            if len(set(found)) < len(found):
                raise Broken(alike_in_words(outcomes, found), before(table, roll))
            if texts not in (None, found):
                sentence = f"seat {seat + 1} reads the outcomes as {some_of(found)}, seat 1 as {some_of(texts)}"
                raise Broken(sentence, before(table, roll))
            texts = found


@law
def an_outcome_leads_to_one_position(game: Game, seed: int) -> None:
    """What chance does leads to the same position whenever it does it, and writes to no cell behind the last."""
    for table, roll, outcomes in _rolls(game, seed):
        for outcome in (outcomes[0], outcomes[-1]):
            one, other = roomy(game, roll.before), roomy(game, roll.before)
            make_move(game.rules, one, outcome)
            make_move(game.rules, other, outcome)
            name = first_difference(game, one, other)
            if name:
                raise Broken(f"outcome {outcome} leads to different values of {name}", before(table, roll))
            if np.any(one[game.size :] != roomy(game, roll.before)[game.size :]):
                raise Broken(
                    f"the rule play, called with outcome {outcome}, writes behind the last cell", before(table, roll)
                )


@law
def deals_are_listed_in_full(game: Game, seed: int) -> None:
    """A game that lists its deals lists each that the rule deal makes, once and with a weight of 1 or more."""
    listed = game.listed_deals()
    if listed is None:
        raise DoesNotApply("the game does not list its deals")
    known = {cells.tobytes() for _, cells in listed}
    if len(known) < len(listed) or any(weight < 1 for weight, _ in listed):
        raise Broken("a deal is listed twice, or with a weight below 1")
    dealt = game.new_state()
    for number in range(DEALT):
        dealt[: game.size] = 0
        deal_table(game.rules, dealt, game.encoded_options, dice(seed + number))
        if dealt[: game.size].tobytes() not in known:
            raise Broken(f"the deal of seed {seed + number} is not among the {len(listed)} that are listed")


def odds_in_words(game: Game, seed: int) -> str:
    """Return how many outcomes chance has in random games, and what their weights sum to, the commonest first."""
    found: Counter[tuple[int, int]] = Counter()
    for each in range(seed, seed + ODDS_GAMES):
        for _, roll, outcomes in _rolls(game, each):
            found[len(outcomes), sum(_odds(game, roll.before))] += 1
        if found.total() >= ODDS_ROLLS:
            break
    if not found:
        return "chance never moves in random games"
    (first, *others), rest = found.most_common(MOST_KINDS), len(found) - MOST_KINDS
    (number, total), times = first
    told = [f"{number:,} outcomes with weights that sum to {total:,} in {times:,} positions"]
    told += [f"{number:,} that sum to {total:,} in {times:,}" for (number, total), times in others]
    return ", ".join([*told, *([f"{rest:,} more kinds"] if rest > 0 else [])])
