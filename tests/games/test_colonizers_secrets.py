"""Colonizers: what a seat knows, what it cannot rule out, and how likely it should think it."""

import os
from collections import Counter, defaultdict
from itertools import permutations

import numpy as np
import pytest
from scipy.stats import chisquare

from kibitz import agents, games
from kibitz.core.contract import OVER, UNKNOWN
from kibitz.core.dice import below, dice
from kibitz.core.native import compiled, pointer
from kibitz.core.playout import deal_table, guess_world, legal_moves, look, play_legal, who
from kibitz.core.table import Table
from kibitz.games.colonizers.cards import CARDS, DECK, MODULES, unpack
from kibitz.games.colonizers.cells import (
    BUILDING,
    BUILT,
    BUNDLE,
    CHANCES,
    COLONIST,
    COLONY,
    FORESAW,
    HAND,
    HEAD,
    HELD,
    KEEP,
    LOG,
    LOGGED,
    NONE,
    OMNIUM,
    PACKET,
    PHASE,
    PICK,
    REVEALED,
    ROUND,
    SEAT,
    SEED,
    SEEN,
    TAIL,
    TAPE,
    VIEWER,
    bundle_of,
    chances_of,
    is_lost,
    what_of,
)
from kibitz.games.colonizers.posterior import CANDIDATES, guess_cards
from tests.games.colonizers_sandbox import KIND, Sandbox, colonist_in, deck_in, hand_in, put_away_in
from tests.laws.test_agents import every_mind

POSITIONS = 100_000 if os.environ.get("KIBITZ_LONG") else 400
CALIBRATED = 3_000 if os.environ.get("KIBITZ_LONG") else 100  # games
LEAST_LIKELY = 1e-3  # a chi-square test fails below this; seeds are fixed, so it passes always or never


def seen_in(worlds, what):
    """Return the set of answers that worlds give."""
    return {what(world) for world in worlds}


# What the picks tell


def picked():
    """Seats 1 to 4 hold miner, general, ecologist, opportunist; spy is put away, visionary is left over."""
    return Sandbox(away=["spy"]).play("miner, general, ecologist, opportunist")


@pytest.mark.parametrize(
    ("viewer", "other", "possible"),
    [
        (0, 1, {"visionary", "ecologist", "general", "opportunist"}),
        (0, 3, {"visionary", "ecologist", "general", "opportunist"}),
        (1, 0, {"spy", "miner"}),
        (1, 2, {"visionary", "ecologist", "opportunist"}),
        (2, 0, {"spy", "miner", "general"}),
        (2, 1, {"spy", "miner", "general"}),
        (2, 3, {"visionary", "opportunist"}),
        (3, 0, {"spy", "miner", "general", "ecologist"}),
        (3, 2, {"spy", "miner", "general", "ecologist"}),
    ],
)
def test_an_earlier_seat_holds_what_was_missing_a_later_one_what_was_passed_on(viewer, other, possible):
    worlds = picked().worlds(viewer, 300)
    assert seen_in(worlds, lambda world: colonist_in(world, other)) == possible


def test_the_first_seat_alone_knows_what_was_put_away():
    table = picked()
    assert seen_in(table.worlds(0, 50), put_away_in) == {"spy"}
    assert seen_in(table.worlds(1, 100), put_away_in) == {"spy", "miner"}
    assert seen_in(table.worlds(3, 200), put_away_in) == {"spy", "miner", "general", "ecologist"}


def test_before_its_packet_comes_a_seat_knows_nothing_of_the_picks():
    worlds = Sandbox(away=["spy"]).play("miner").worlds(2, 400)
    assert len(seen_in(worlds, lambda world: colonist_in(world, 0))) == 6
    assert seen_in(worlds, lambda world: colonist_in(world, 1)) == {"none"}


def test_no_two_seats_hold_the_same_colonist_in_any_world():
    for viewer in range(4):
        for world in picked().worlds(viewer, 100):
            held = [colonist_in(world, seat) for seat in range(4)]
            assert len({*held, put_away_in(world)}) == 5


def test_a_revealed_colonist_is_known_to_all_and_narrows_the_rest():
    table = picked().play("omnium")
    worlds = table.worlds(2, 100)
    assert seen_in(worlds, lambda world: colonist_in(world, 0)) == {"miner"}
    assert seen_in(worlds, lambda world: colonist_in(world, 1)) == {"spy", "general"}


def test_every_arrangement_of_hidden_colonists_is_equally_likely():
    worlds = picked().worlds(2, 6000)
    counts = Counter(tuple(colonist_in(world, seat) for seat in range(4)) for world in worlds)
    assert len(counts) == 12  # the first two hold two of three, the last one of two
    assert chisquare(list(counts.values())).pvalue > LEAST_LIKELY


# What naming a colonist tells


def robbers(omnium):
    """Seat 1 is opportunist, seats 2 to 4 are miner, general, ecologist with so much Omnium each."""
    table = Sandbox(away=["spy"]).play("opportunist, miner, general, ecologist")
    for seat, owned in enumerate(omnium, start=1):
        table.set(OMNIUM + seat, owned)
    return table.play("omnium")


def test_whoever_loses_omnium_is_known_to_hold_the_colonist_named():
    table = robbers([3, 3, 3]).play("name general")
    for viewer in (0, 1, 3):
        assert table.view(viewer)[COLONIST + 2] != UNKNOWN
        assert seen_in(table.worlds(viewer, 60), lambda world: colonist_in(world, 2)) == {"general"}


def test_if_nothing_happens_nobody_with_omnium_holds_the_colonist_named():
    table = robbers([3, 3, 3]).play("name visionary")
    for seat in (1, 2, 3):
        assert "visionary" not in seen_in(table.worlds(0, 100), lambda world, seat=seat: colonist_in(world, seat))


def test_if_nothing_happens_someone_without_omnium_may_hold_the_colonist_named():
    hit, missed = robbers([3, 0, 3]).play("name general"), robbers([3, 0, 3]).play("name visionary")
    assert not hit.state[REVEALED] >> 2 & 1
    assert "general" in seen_in(hit.worlds(0, 100), lambda world: colonist_in(world, 2))
    assert "visionary" in seen_in(hit.worlds(0, 100), lambda world: colonist_in(world, 2))
    assert "general" not in seen_in(hit.worlds(0, 100), lambda world: colonist_in(world, 1))
    assert "visionary" in seen_in(missed.worlds(0, 100), lambda world: colonist_in(world, 2))


def test_two_empty_hands_that_are_swapped_tell_nothing():
    table = Sandbox(away=["opportunist"]).play("spy, miner, general, ecologist").play("omnium, name miner")
    assert not table.state[REVEALED] >> 1 & 1
    assert seen_in(table.worlds(0, 100), lambda world: colonist_in(world, 1)) == {
        *("visionary", "miner", "general", "ecologist"),
    }


# What the cards tell


def swapped(then="visionary"):
    """Seat 1 kept a garrison and seat 2 a quarry; seat 3, a spy with a barracks, then swapped with seat 2."""
    table = Sandbox(["garrison", "eco-dome", "quarry", "mass relay", "barracks", "spaceport"], ["visionary", then])
    table.play("miner, general, spy, ecologist")
    return table.play("modules, keep garrison, modules, keep quarry, modules, keep barracks, name general")


def test_after_a_swap_both_seats_know_the_hand_they_gave_away_and_nobody_else_does():
    table = swapped()
    assert (table.hand(1), table.hand(2)) == (["barracks"], ["quarry"])
    assert seen_in(table.worlds(1, 40), lambda world: tuple(hand_in(world, 2))) == {("quarry",)}
    assert seen_in(table.worlds(2, 40), lambda world: tuple(hand_in(world, 1))) == {("barracks",)}
    for viewer in (0, 3):
        assert table.view(viewer)[HAND + 1] == table.view(viewer)[HAND + 2] == UNKNOWN
        assert len(seen_in(table.worlds(viewer, 100), lambda world: tuple(hand_in(world, 1)))) > 5


def test_a_known_hand_stays_among_the_cards_when_more_are_drawn():
    table = swapped(then="ecologist").play("omnium")
    table.play("general, spy, visionary, miner").play("omnium, build garrison, omnium, nothing, nothing")
    table.play("omnium, nothing")  # visionary drew a card and took Omnium
    assert table.state[HELD + 2] == 2
    assert table.view(1)[HAND + 2] == UNKNOWN
    for world in table.worlds(1, 60):
        assert "quarry" in hand_in(world, 2)
    assert any("quarry" not in hand_in(world, 2) for world in table.worlds(3, 60))


def test_a_module_built_from_a_known_hand_leaves_the_rest_known():
    table = Sandbox(["garrison", "eco-dome", "housing unit", "mass relay"], ["visionary", "visionary"])
    table.play("miner, general, ecologist, spy").play("modules, keep garrison, omnium, omnium, omnium, nothing")
    table.play("spy, miner, general, ecologist").play("modules, keep housing unit, nothing")
    table.play("omnium, omnium, omnium")
    table.play("spy, miner, general, ecologist").play("omnium, name miner, omnium, build garrison")
    assert table.hand(1) == ["housing unit"]
    assert seen_in(table.worlds(0, 40), lambda world: tuple(hand_in(world, 1))) == {("housing unit",)}


def test_a_known_hand_is_followed_when_others_swap_it():
    table = swapped().play("omnium")
    table.play("miner, general, ecologist, spy")
    table.play("omnium, build garrison, omnium, nothing, omnium, nothing, omnium, name ecologist")
    assert table.hand(3) == ["quarry"]
    assert seen_in(table.worlds(1, 40), lambda world: tuple(hand_in(world, 3))) == {("quarry",)}
    assert len(seen_in(table.worlds(0, 60), lambda world: tuple(hand_in(world, 3)))) > 5


def test_the_seat_that_put_a_card_at_the_bottom_knows_where_it_lies_and_the_others_do_not():
    table = Sandbox(["garrison", "eco-dome"]).play("miner, general, ecologist, spy").play("modules, keep garrison")
    assert seen_in(table.worlds(0, 40), lambda world: deck_in(world)[-1]) == {"eco-dome"}
    assert len(seen_in(table.worlds(1, 100), lambda world: deck_in(world)[-1])) > 8


def test_the_seat_that_discards_knows_what_left_the_game_and_the_others_do_not():
    table = Sandbox(["eco-dome", "garrison"]).burn([0])
    everywhere = [name for seat in range(4) for name in table.hand(seat)] + deck_in(table.state)
    assert "eco-dome" not in everywhere
    assert all("eco-dome" not in deck_in(world) for world in table.worlds(0, 40))
    assert any("eco-dome" in deck_in(world) for world in table.worlds(1, 40))


def last_four(by_whom):
    """The deck holds four cards; those put there by seat 1 are known to it."""
    table = Sandbox(away=["spy"]).burn([0] * 44 + by_whom)
    assert len(deck_in(table.state)) == 4
    return table


def test_a_known_card_drawn_by_another_is_in_its_hand_or_at_the_bottom_again():
    table = last_four([0, 0, 0, 0])
    first, second, third, fourth = deck_in(table.state)
    assert len({first, second, third, fourth}) > 2
    table.play("miner, general, ecologist, opportunist").play(f"omnium, modules, keep {first}")
    worlds = table.worlds(0, 2000)
    found = Counter((hand_in(world, 1)[0], deck_in(world)[-1]) for world in worlds)
    assert set(found) == {(first, second), (second, first)}
    assert chisquare(list(found.values())).pvalue > LEAST_LIKELY
    assert seen_in(worlds, lambda world: tuple(deck_in(world)[:2])) == {(third, fourth)}


def test_a_card_that_is_then_built_tells_which_one_went_to_the_bottom():
    table = last_four([0, 0, 0, 0]).set(OMNIUM + 1, 20)
    first, second, *_ = deck_in(table.state)
    assert first != second
    table.play("miner, general, ecologist, opportunist").play(f"omnium, modules, keep {first}, build {first}")
    assert seen_in(table.worlds(0, 100), lambda world: deck_in(world)[-1]) == {second}


def test_a_hidden_card_beside_a_known_one_leaves_the_known_one_in_two_places():
    table = last_four([0, 3, 0, 0])
    known = {place: name for place, name in enumerate(deck_in(table.state)) if place != 1}
    table.play("miner, general, ecologist, opportunist").play(f"omnium, modules, keep {known[0]}")
    worlds = table.worlds(0, 2000)
    hands = Counter(hand_in(world, 1)[0] == known[0] for world in worlds)
    assert all(known[0] in (hand_in(world, 1)[0], deck_in(world)[-1]) for world in worlds)
    assert hands[True] > 900
    assert hands[False] > 900


# What nobody knows


def test_nobody_sees_the_seed_of_coming_shuffles_and_every_guess_draws_another():
    table = picked()
    for viewer in range(4):
        assert table.view(viewer)[SEED] == UNKNOWN
        assert len(seen_in(table.worlds(viewer, 50), lambda world: int(world[SEED]))) == 50


def test_in_guessed_worlds_every_colonist_is_as_likely_to_be_put_away_next_round():
    table = Sandbox(away=["spy"]).play("miner, general, ecologist, opportunist, omnium, omnium, omnium, omnium")
    room = np.empty(6, dtype=np.int64)
    counts = Counter()
    for world in table.worlds(3, 3000):
        move = table.game.read(world, [62], "nothing")
        assert play_legal(table.game.rules, world, move, room)
        counts[put_away_in(world)] += 1
    assert len(counts) == 6
    assert chisquare(list(counts.values())).pvalue > LEAST_LIKELY


def test_a_hand_is_guessed_as_if_dealt_from_the_cards_not_seen():
    """Seat 1 has seen a quarry and a garrison; of the 50 cards left, those of seat 2 are any."""
    table = Sandbox(["quarry", "garrison", "eco-dome", "mass relay"]).play("miner, general, ecologist, opportunist")
    table.play("modules, keep quarry, modules, keep eco-dome")
    counts = Counter(hand_in(world, 1)[0] for world in table.worlds(0, 10_000))
    unseen = Counter(deck_in(Sandbox().state)) - Counter(["quarry", "garrison"])
    assert set(counts) == set(unseen)
    expected = [10_000 * n / 50 for n in unseen.values()]
    assert chisquare([counts[name] for name in unseen], expected).pvalue > LEAST_LIKELY


def test_a_hand_that_could_have_been_built_from_and_was_not_is_guessed_to_be_dear():
    """Seat 2 built nothing with 1 Omnium: what costs 1 would have been built half the time, anything else never."""
    table = Sandbox(["quarry", "garrison", "eco-dome", "mass relay"]).play("miner, general, ecologist, opportunist")
    table.set(OMNIUM + 1, 1).play("modules, keep quarry, modules, keep eco-dome, nothing")
    counts = Counter(hand_in(world, 1)[0] for world in table.worlds(0, 10_000))
    unseen = Counter(deck_in(Sandbox().state)) - Counter(["quarry", "garrison"])
    weights = {name: n * (0.5 if MODULES[KIND[name]].cost == 1 else 1) for name, n in unseen.items()}
    expected = [10_000 * weight / sum(weights.values()) for weight in weights.values()]
    assert chisquare([counts[name] for name in weights], expected).pvalue > LEAST_LIKELY


def test_of_many_chances_to_build_the_last_twelve_are_remembered_and_guesses_go_on():
    table = Sandbox(["eco-dome", "garrison"])
    table.play("miner, general, ecologist, opportunist").play("modules, keep eco-dome, omnium, omnium, omnium, nothing")
    for omnium in range(1, 21):
        table.play("miner, general, ecologist, opportunist").set(OMNIUM, omnium - 2)
        table.play("omnium, nothing, omnium, omnium, omnium, nothing")
    assert f"{int(table.state[CHANCES]):x}" == "9abccccccccc"
    assert len(seen_in(table.worlds(1, 200), lambda world: tuple(hand_in(world, 0)))) > 5


# The exact posterior, enumerated


def pasts(view):
    """Return every world that a view allows with its probability, by trying all deals and all hidden choices."""
    hidden = [place for place in range(CARDS) if view[TAPE + place] == UNKNOWN]
    left = Counter(DECK.tolist()) - Counter(int(kind) for kind in view[TAPE : TAPE + CARDS] if kind != UNKNOWN)
    weights = defaultdict(float)
    for kinds in set(permutations(left.elements())):
        tape = view[TAPE : TAPE + CARDS].tolist()
        for place, kind in zip(hidden, kinds, strict=True):
            tape[place] = kind
        live(view, 0, 0, tape, ((), (), (), ()), 1.0, weights)
    total = sum(weights.values())
    return {world: weight / total for world, weight in weights.items()}


def one_of(hand, chances):
    """Return how likely what was done at some chances was: each kind there was Omnium for, and nothing, are alike."""
    odds = 1.0
    while chances:
        odds /= 1 + sum(MODULES[kind].cost <= chances % 16 for kind in set(hand))
        chances //= 16
    return odds


def live(view, number, head, tape, bundles, weight, weights):
    """Follow the log from entry `number` on through every hidden choice and add up what it leads to."""
    if number == view[LOGGED]:
        for bundle in range(4):
            weight *= one_of(bundles[bundle], int(view[CHANCES + bundle]))
        hands = tuple(bundles[int(view[BUNDLE + seat])] for seat in range(4))
        weights[(*tape, hands)] += weight
        return
    logged, cards = int(view[LOG + 2 * number]), int(view[LOG + 2 * number + 1])
    mine = bundle_of(logged)
    weight *= one_of(bundles[mine], chances_of(logged))

    def go_on(drawn, tape, hand, weight):
        hand = tuple(sorted(hand))
        if what_of(logged) != BUILDING and cards != UNKNOWN and list(hand) != unpack(cards):
            return
        after = tuple(hand if bundle == mine else bundles[bundle] for bundle in range(4))
        live(view, number + 1, head + drawn, tape, after, weight, weights)

    if what_of(logged) == BUILDING:
        if cards in bundles[mine]:
            rest = list(bundles[mine])
            rest.remove(cards)
            go_on(0, tape, rest, weight)
    elif what_of(logged) == FORESAW:
        go_on(1, tape, (*bundles[mine], tape[head]), weight)
    else:
        for kept, put in ((tape[head], tape[head + 1]), (tape[head + 1], tape[head])):
            if view[TAPE + len(tape)] in (UNKNOWN, put):
                hand = bundles[mine] if is_lost(logged) else (*bundles[mine], kept)
                go_on(2, [*tape, put], hand, weight / 2)


def late_position(seed, plies):
    """Return a random state in which the deck has been through once, and its game."""
    game = games.find("colonizers")
    while True:
        table, rng = Table(game, seed), dice(seed)
        while not table.over and table.ply < plies:
            moves = table.moves()
            table.play(moves[below(rng, len(moves))])
        if not table.over and table._state[HEAD] > CARDS + 4:
            return game, table._state
        seed += 1000


def told_almost_everything(game, state, seat, seed):
    """Return the view of a seat that was also shown all of the tape but a few places."""
    rng, state = np.random.default_rng(seed), state.copy()
    tail = int(state[TAIL])
    secret = {*rng.choice(CARDS, 6, replace=False), *rng.choice(np.arange(CARDS, tail), min(20, tail - CARDS), False)}
    for place in range(tail):
        if place not in secret:
            state[SEEN + 2 * seat + place // CARDS] |= 1 << place % CARDS
    view = np.zeros(game.size, dtype=np.int64)
    look(game.rules, state, seat, view)
    return view


ONLY_LONG = pytest.mark.skipif(not os.environ.get("KIBITZ_LONG"), reason="long: KIBITZ_LONG=1")
SMALL = pytest.mark.parametrize(
    ("seed", "plies"),
    [*(pytest.param(*small, marks=ONLY_LONG) for small in ((1, 215), (2, 200), (5, 215))), (4, 185), (6, 185)],
)


@compiled
def _guess_among(view, candidates, rng):
    guess_cards(pointer(view), candidates, pointer(rng))


def compared(seed, plies, candidates, n):
    """Return how often common pasts are guessed and how often enumeration says they should be; the others as one."""
    game, state = late_position(seed, plies)
    view = told_almost_everything(game, state, seed % 4, seed)
    exact = pasts(view)
    assert len({round(chance, 9) for chance in exact.values()}) > 2, "not all worlds should be equally likely here"
    rng, counts = dice(seed), Counter()
    world = view.copy()
    for _ in range(n):
        world[:] = view
        _guess_among(world, candidates, rng)
        hands = tuple(tuple(unpack(world[HAND + other])) for other in range(4))
        counts[(*world[TAPE : TAPE + world[TAIL]].tolist(), hands)] += 1
    assert set(counts) <= set(exact)
    common = [past for past, chance in exact.items() if chance * n >= 8]
    rare = 1 - sum(exact[past] for past in common)
    observed = [*(counts[past] for past in common), n - sum(counts[past] for past in common)]
    expected = [*(n * exact[past] for past in common), n * rare]
    if expected[-1] < 8:
        observed[-2:], expected[-2:] = [sum(observed[-2:])], [sum(expected[-2:])]
    return np.array(observed), np.array(expected)


@SMALL
def test_with_many_candidates_guesses_have_the_distribution_that_enumeration_gives(seed, plies):
    observed, expected = compared(seed, plies, candidates=300, n=8_000)
    assert chisquare(observed, expected, sum_check=False).pvalue > LEAST_LIKELY


@SMALL
def test_with_the_usual_candidates_guesses_are_not_far_from_that(seed, plies):
    observed, expected = compared(seed, plies, CANDIDATES, n=8_000)
    excess = chisquare(observed, expected, sum_check=False).statistic - len(expected) + 1
    assert excess / observed.sum() < 0.03, "chi-square distance, less what chance makes of it"


def test_a_past_that_cannot_have_been_is_given_up_before_its_cards_are_looked_at():
    game, state = late_position(22, 215)
    view, rng = told_almost_everything(game, state, 2, 22), dice(22)
    for _ in range(300):
        world = view.copy()
        guess_world(game.rules, world, 2, rng)
        assert (world[view != UNKNOWN] == view[view != UNKNOWN]).all()


# Calibration: what is hidden is worth as much in guesses as in truth


def costs_of_hidden(seed, mind=None):
    """Return what others' hidden cards cost on average in truth and in guesses, in three positions of a game."""
    story, rng, pick = Story(seed, mind), dice(seed), np.random.default_rng(seed)
    found = []
    for ply in pick.integers(20, 220, 3):
        seat = int(pick.integers(4))
        state = story.states[min(ply, len(story.moves) - 1)]
        view = np.zeros_like(state)
        look(story.game.rules, state, seat, view)
        hidden = [other for other in range(4) if view[HAND + other] == UNKNOWN]
        worlds = [view.copy() for _ in range(4)]
        for world in worlds:
            guess_world(story.game.rules, world, seat, rng)
        if hidden:
            found.append([cost_in([state], hidden), cost_in(worlds, hidden)])
    return np.mean(found, axis=0) if found else None


def cost_in(worlds, seats):
    """Return the mean cost of the cards that seats hold in worlds."""
    return np.mean([MODULES[kind].cost for world in worlds for seat in seats for kind in unpack(world[HAND + seat])])


def calibration(mind=None):
    """Return the mean cost in truth, in guesses, and how many standard errors they are apart."""
    found = [costs_of_hidden(seed, mind) for seed in range(CALIBRATED)]
    truth, guessed = np.array([costs for costs in found if costs is not None]).T
    apart = truth - guessed
    return truth.mean(), guessed.mean(), apart.mean() / (apart.std(ddof=1) / np.sqrt(len(apart)))


def test_in_random_play_hidden_cards_cost_as_much_in_guesses_as_in_truth():
    truth, guessed, z = calibration()
    print(f"random: {truth:.3f} in truth, {guessed:.3f} in guesses, z = {z:.1f}")
    assert abs(z) < 4


def test_in_heuristic_play_hidden_cards_cost_nearly_as_much_in_guesses_as_in_truth():
    truth, guessed, z = calibration(agents.build("heuristic", games.find("colonizers"), 5))
    print(f"heuristic: {truth:.3f} in truth, {guessed:.3f} in guesses, z = {z:.1f}")
    assert abs(truth - guessed) < 0.35


# Every guessed world has a past that shows the seat what it saw


PUBLIC = [
    *(SEAT, PHASE, ROUND),
    *(cell + seat for cell in (OMNIUM, HELD, BUILT, COLONY) for seat in range(4)),
]


def witness(states, seat):
    """Return row by row what the rules let a seat see of states, no more, written without `view`."""
    rows = np.arange(len(states))
    shown = states[:, [REVEALED]] >> np.arange(4) & 1
    choosing = (states[:, SEAT] == seat) & (states[:, PHASE] == KEEP)
    two = np.sort(np.stack([states[rows, TAPE + states[:, HEAD] + i] for i in range(2)], axis=1), axis=1)
    return np.hstack(
        [
            states[:, PUBLIC],
            states[:, [TAIL]] - states[:, [HEAD]],
            states[:, [HAND + seat, COLONIST + seat, PACKET + seat]],
            np.where(shown, states[:, COLONIST : COLONIST + 4], NONE),
            np.where(choosing[:, None], two, NONE),
        ]
    )


class Story:
    """A game played at random or by a mind, with every state it went through."""

    def __init__(self, seed, mind=None):
        self.game = games.find("colonizers")
        self.seed = seed
        self.room = np.empty(self.game.most_moves, dtype=np.int64)
        table, rng = Table(self.game, seed), dice(seed)
        states, self.moves = [table._state.copy()], []
        while not table.over:
            legal = table.moves()
            move = mind.decide(table.view(table.turn)).move if mind else legal[below(rng, len(legal))]
            table.play(move)
            self.moves.append(move)
            states.append(table._state.copy())
        self.states = np.array(states)
        self.phases, self.seats, self.rounds = (self.states[:, cell].tolist() for cell in (PHASE, SEAT, ROUND))

    def retell(self, world, ply, seat):
        """Play the past that a world tells; return its end, and whether the seat saw the same all along."""
        state = np.zeros(self.game.size, dtype=np.int64)
        deal_table(self.game.rules, state, self.game.encoded_options, dice(self.seed))
        state[TAPE : TAPE + CARDS] = world[TAPE : TAPE + CARDS]
        told = np.zeros((ply + 1, self.game.size), dtype=np.int64)
        draws = 0
        for number in range(ply + 1):
            now = self.rounds[number] == world[ROUND]
            if self.phases[number] == PICK and self.seats[number] == 0:
                state[PACKET] = (world if now else self.states[number])[PACKET]
            told[number] = state
            if number == ply:
                break
            move = self.moves[number]
            if self.phases[number] == PICK and now:
                move = int(world[COLONIST + self.seats[number]])
            elif self.phases[number] == KEEP:
                top = TAPE + int(state[HEAD])
                move = 4 * int(state[top] + state[top + 1] - world[TAPE + CARDS + draws])
                draws += 1
            if not play_legal(self.game.rules, state, move, self.room):
                return state, False
        return state, bool((witness(told, seat) == witness(self.states[: ply + 1], seat)).all())


def test_the_past_of_every_guessed_world_shows_the_seat_exactly_what_it_saw():
    heuristic = agents.build("heuristic", games.find("colonizers"), 5)
    rng, pick, checked, seed = dice(11), np.random.default_rng(11), 0, 0
    while checked < POSITIONS:
        seed += 1
        story = Story(seed, heuristic if seed % 2 else None)
        for _ in range(100):
            ply, seat = int(pick.integers(len(story.moves))), int(pick.integers(4))
            world = np.zeros_like(story.states[0])
            look(story.game.rules, story.states[ply], seat, world)
            guess_world(story.game.rules, world, seat, rng)
            end, same = story.retell(world, ply, seat)
            assert same, (seed, ply, seat)
            end[SEED], end[VIEWER] = world[SEED], world[VIEWER]
            assert (end == world).all(), (seed, ply, seat)
            checked += 1


# Two states that look the same


def twins(seed, ply, seat):
    """Return two states with the seat on move that it cannot tell apart, about that ply of two different games."""
    story = Story(seed)
    ply = min((at for at, mover in enumerate(story.seats) if mover == seat), key=lambda at: abs(at - ply))
    world = np.zeros_like(story.states[0])
    look(story.game.rules, story.states[ply], seat, world)
    guess_world(story.game.rules, world, seat, dice(seed))
    other, same = story.retell(world, ply, seat)
    assert same
    return story.game, story.states[ply], other


@pytest.mark.parametrize("seed", range(12))
def test_what_looks_the_same_gives_the_same_view_moves_and_answers(seed):
    seat = seed % 4
    game, one, other = twins(seed, 60 + 9 * seed, seat)
    assert (one != other).any()
    views = [np.zeros(game.size, dtype=np.int64) for _ in range(2)]
    look(game.rules, one, seat, views[0])
    look(game.rules, other, seat, views[1])
    assert (views[0] == views[1]).all()
    assert who(game.rules, one) == who(game.rules, other) == seat
    room = game.new_moves()
    legal = [room[: legal_moves(game.rules, view, room)].tolist() for view in views]
    assert legal[0] == legal[1]
    asked = [every_mind(game, 3) for _ in views]
    for mind, again in zip(*asked, strict=True):
        assert mind.decide(views[0]) == again.decide(views[1]), mind.text


@pytest.mark.parametrize("seed", range(6))
def test_the_heuristic_answers_alike_on_a_view_and_on_any_world_of_it(seed):
    """Playouts hand it whole worlds; it must not look at what its seat could not know."""
    game = games.find("colonizers")
    story = Story(seed)
    for ply in range(0, len(story.moves), 3):
        seat = int(story.states[ply][SEAT])
        view = np.zeros(game.size, dtype=np.int64)
        look(game.rules, story.states[ply], seat, view)
        on_view = agents.build("heuristic", game, ply).decide(view).move
        assert on_view == agents.build("heuristic", game, ply).decide(story.states[ply].copy()).move


def test_a_view_shows_unknown_wherever_the_rules_keep_a_secret():
    for seed in range(4):
        story = Story(seed)
        for ply in range(0, len(story.moves), 5):
            state = story.states[ply]
            for seat in range(4):
                view = np.zeros_like(state)
                look(story.game.rules, state, seat, view)
                assert view[SEED] == UNKNOWN
                top = int(state[HEAD])
                drawn = {top, top + 1} if state[PHASE] == KEEP and state[SEAT] == seat else set()
                put_by_me = own_bottoms(story, ply, seat)
                for place in range(top, int(state[TAIL])):
                    assert (view[TAPE + place] != UNKNOWN) == (place in drawn | put_by_me), (seed, ply, seat, place)
                for other in range(4):
                    if other != seat and state[COLONIST + other] != NONE and not state[REVEALED] >> other & 1:
                        assert view[COLONIST + other] == UNKNOWN
                    if other != seat and state[PACKET + other] != NONE:
                        assert view[PACKET + other] == UNKNOWN


def own_bottoms(story, ply, seat):
    """Return the places on the tape that a seat has put a card at."""
    tails = [int(state[TAIL]) for state in story.states[: ply + 1]]
    return {tails[i] for i in range(ply) if tails[i + 1] > tails[i] and story.states[i][SEAT] == seat}


def test_a_finished_game_is_over_for_every_viewer():
    story = Story(3)
    for seat in range(4):
        view = np.zeros_like(story.states[-1])
        look(story.game.rules, story.states[-1], seat, view)
        assert view[SEAT] == OVER
