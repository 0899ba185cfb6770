"""Chinese Checkers against its naive twin: the same games, move by move, with all options and from positions."""

from collections import Counter
from random import Random

import pytest

from kibitz import games
from kibitz.core.perft import perft
from kibitz.core.table import Table
from kibitz.games.chinese_checkers.notation import NAMES, owners
from kibitz.games.chinese_checkers.rules import BOARD, SEAT_NAMES, TURNS, WINNER
from tests.oracles.chinese_checkers import Oracle

VARIANTS = [(seats, fields) for fields in (73, 121) for seats in (2, 3, 4, 6)]


def both(seats, fields, pieces=None, turns=0):
    """A table and the oracle, at the start or in a position: the names of the fields of each seat."""
    text = f"chinese_checkers(seats={seats}, fields={fields}"
    if pieces is None:
        return Table(games.find(f"{text})"), 1), Oracle({"seats": seats, "fields": fields})
    listed = [" ".join([colour, *own]) for colour, own in zip(SEAT_NAMES, pieces, strict=False)]
    turn = turns % seats
    words = "; ".join([*listed, f"{SEAT_NAMES[turn]} to move after {turns} turns"])
    start = {"pieces": pieces, "turn": turn, "turns": turns}
    return Table(games.find(f'{text}, position="{words}")'), 1), Oracle({"seats": seats, "fields": fields}, start)


def agree(table, oracle):
    """Compare whose turn it is, the moves, the pieces, the turns, and who has won."""
    state = table.copy_of_truth()
    found = {NAMES[state[BOARD]][field]: seat for field, seat in owners(state).items()}
    assert found == {oracle.texts[field]: seat for field, seat in oracle.pieces.items()}
    assert state[TURNS] == oracle.turns
    assert (table.turn if not table.over else None, max(state[WINNER], -1)) == (
        oracle.turn, -1 if oracle.winner is None else oracle.winner)  # fmt: skip
    texts = [] if table.over else table.moves_text()
    assert len(texts) == len(set(texts))
    assert set(texts) == oracle.moves()
    if table.over:
        assert table.payoff() == pytest.approx(oracle.payoff())
    return texts


def walk(table, oracle, rng, most, seen):
    """Play both for `most` turns, into any goal if possible, and compare them at every turn; count what was `seen`."""
    goals = {oracle.texts[field] for goal in oracle.goals for field in goal}
    for _ in range(most):
        texts = agree(table, oracle)
        if not texts:
            break
        arriving = [text for text in texts if text.split("-")[-1] in goals and text.split("-")[0] not in goals]
        text = rng.choice(sorted(arriving or texts))
        seen["pass"] += text == "pass"
        mover = table.turn
        table.play(table.read(text))
        oracle.play(text)
        if table.over:
            winner = oracle.winner
            seen["limit" if winner is None else "win" if winner == mover else "win by another's move"] += 1


@pytest.mark.parametrize(("seats", "fields"), VARIANTS)
def test_random_games_from_the_start_agree_with_the_oracle(seats, fields):
    walk(*both(seats, fields), Random(seats), 30, Counter())


def nearly_home(rng, seats):
    """A position near its end: each goal lacks a field or two, whoever stands in it."""
    oracle = Oracle({"seats": seats})
    pieces, left = [[] for _ in range(seats)], [6] * seats
    for goal in oracle.goals:
        for name in rng.sample(sorted(oracle.texts[field] for field in goal), 4 if seats == 6 else 5):
            seat = rng.choice([seat for seat in range(seats) if left[seat]])
            pieces[seat].append(name)
            left[seat] -= 1
    goals = {oracle.texts[field] for goal in oracle.goals for field in goal}
    free = sorted(set(oracle.names) - goals)
    for seat in range(seats):
        for _ in range(left[seat]):
            pieces[seat].append(free.pop(rng.randrange(len(free))))
    return pieces


def test_games_from_nearly_full_goals_agree_with_the_oracle_on_wins():
    rng, seen = Random(2), Counter()
    for _ in range(30):
        seats = rng.choice([2, 3, 4, 6])
        walk(*both(seats, 73, nearly_home(rng, seats)), rng, 25, seen)
    assert min(seen["win"], seen["win by another's move"]) >= 2, seen


def test_games_at_the_limit_agree_with_the_oracle():
    rng, seen = Random(3), Counter()
    for seats in (2, 3, 4, 6):
        for _ in range(4):
            walk(*both(seats, 73, nearly_home(rng, seats), 200 * seats - 3), rng, 5, seen)
    assert seen["limit"] >= 4, seen


def test_a_crowd_in_a_tip_agrees_with_the_oracle_on_passing():
    rng, seen = Random(4), Counter()
    for _ in range(6):
        walk(*both(2, 73, [["d10"], ["d8", "d9", "e9", "f8"]]), rng, 8, seen)
    assert seen["pass"] >= 6, seen


def paths(oracle, depth):
    """Count the sequences of `depth` moves."""
    if depth == 0:
        return 1
    total = 0
    for text in oracle.moves():
        after = oracle.copy()
        after.play(text)
        total += paths(after, depth - 1)
    return total


@pytest.mark.parametrize(("seats", "fields"), [(2, 73), (6, 73), (2, 121)])
def test_both_count_the_same_sequences_of_moves(seats, fields):
    table, oracle = both(seats, fields)
    assert perft(table, 2) == paths(oracle, 2)
