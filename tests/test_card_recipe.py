"""The card game of the recipe runs as it stands, and its guesses have the distribution of all deals, listed."""

import json
import os
import re
import subprocess
import sys

import pytest
from click.testing import CliRunner

import kibitz
from kibitz.cli import main
from kibitz.core.dice import dice, roll
from kibitz.core.native import INTERPRETED
from kibitz.core.playout import guess_world
from kibitz.core.scratch import MOST_SCRATCH
from tests.core.deal_draws import p_value
from tests.oracles.kitty import Kitty, posterior
from tests.test_recipes import DOCS, blocks

PAGE = "adding-a-card-game.md"
GUESSES = 1_000 if INTERPRETED else 8_000
LEAST_P = 1e-4
WEIGHING = "            deal_choice(room, other, card // RANKS, "
GAMES = 12


def write_game(folder, change=lambda rules: rules):
    """Write the game of the recipe, changed or as it is; return its path."""
    place = folder / "kitty"
    place.mkdir()
    (place / "rules.py").write_text(change(blocks(PAGE)[0]))
    return str(place)


@pytest.fixture(scope="module")
def kitty(tmp_path_factory):
    """The game of the recipe as it stands."""
    return kibitz.game(write_game(tmp_path_factory.mktemp("recipe")))


def cards_of(mask):
    return frozenset(card for card in range(24) if int(mask) >> card & 1)


def places(game, cells):
    """Return the cards of the seats and of the kitty."""
    start = game.cells["HAND"]
    return tuple(cards_of(mask) for mask in cells[start : start + 4])


def random_table(game, seed, plies):
    """Return a table after some random moves."""
    table, rng = kibitz.Table(game, seed), dice(seed)
    for _ in range(plies):
        table.play(table.moves()[roll(rng, len(table.moves()))])
    return table


def p_of_guesses(game, table, seat, number, **model):
    """Return the p value of guesses against the posterior, which the oracle lists; impossible ones fail."""
    view, rng, world = table.view(seat), dice(7), game.new_state()
    hand = cards_of(view[game.cells["HAND"] + seat])
    exact = posterior(seat, hand, table.moves_made, **model)
    found = []
    for _ in range(number):
        world[: game.size] = view
        guess_world(game.rules, world, seat, rng)
        found.append(places(game, world))
    return p_value(exact, found)


def test_random_games_are_those_of_the_oracle(kitty):
    for seed in range(GAMES):
        table, rng = kibitz.Table(kitty, seed), dice(seed)
        twin = Kitty(places(kitty, table.copy_of_truth())[:3])
        while not table.over:
            assert (table.turn, table.moves()) == (twin.turn, twin.moves())
            move = table.moves()[roll(rng, len(table.moves()))]
            table.play(move)
            twin.play(move)
            assert list(places(kitty, table.copy_of_truth())[:3]) == twin.hands
        assert twin.over
        assert table.payoff() == pytest.approx(twin.payoff())


@pytest.mark.parametrize("plies", [11, 12, 13, 14, 16, 18, 20])
def test_guesses_have_the_distribution_of_all_deals_under_random_play(kitty, plies):
    table = random_table(kitty, plies, plies)
    for seat in range(3):
        assert p_of_guesses(kitty, table, seat, GUESSES) > LEAST_P


@pytest.mark.skipif(INTERPRETED, reason="too slow interpreted")
def test_guesses_that_respect_voids_alone_are_not_right(tmp_path):
    """That is what the weights are for: the same test refuses guesses without them."""

    def change(rules):
        return rules.replace(WEIGHING, "            since[other] |= 0 * (")

    game = kibitz.game(write_game(tmp_path, change))
    table = random_table(game, 12, 12)
    assert min(p_of_guesses(game, table, seat, GUESSES) for seat in range(3)) < LEAST_P**3


def leads_high(legal, hand, card):
    """The opponents of the section on other likelihoods."""
    return 1 / len(legal) if hand is None else 0.25 / len(hand) + 0.75 * (card == max(hand))


@pytest.mark.skipif(INTERPRETED, reason="too slow interpreted")
def test_another_likelihood_is_followed_too(tmp_path):
    def change(rules):
        rules = rules.replace("    deal_out(room, rng)\n", "    deal_likely(room, 60, likelihood, view, rng)\n")
        rules = rules.replace("helper, list_bits", "deal_likely, helper, highest, list_bits")
        return f"{rules}\n\n{blocks(PAGE)[1]}"

    game = kibitz.game(write_game(tmp_path, change))
    tables = [random_table(game, plies, plies) for plies in (12, 13, 15)]
    assert min(p_of_guesses(game, table, table.turn, GUESSES, model=leads_high) for table in tables) > LEAST_P
    assert min(p_of_guesses(game, table, table.turn, GUESSES) for table in tables) < LEAST_P**3


@pytest.mark.skipif(INTERPRETED, reason="too slow interpreted")
def test_a_search_beats_random_play(kitty):
    """Three seats: a third of the wins would be no better than random."""
    earned, games = 0.0, 60
    for seed in range(games):
        seat = seed % 3
        minds = [
            kibitz.agent("ismcts(iterations=200)" if each == seat else "random", kitty, seed=seed) for each in range(3)
        ]
        table = kibitz.Table(kitty, seed=seed)
        while not table.over:
            table.play(minds[table.turn].decide(table.view(table.turn)).move)
        earned += table.payoff()[seat]
    assert earned > games / 2


@pytest.mark.skipif(INTERPRETED, reason="it is interpreted already")
def test_the_game_keeps_all_laws(kitty, tmp_path):
    run = CliRunner().invoke(main, ["check", write_game(tmp_path)], catch_exceptions=False)
    assert run.exit_code == 0, run.output
    assert "laws that apply hold" in run.output


IMPOSSIBLE_DEMANDS = {  # what is replaced in the rules, by what, and what the author is told
    "no place for the kitty": ("    deal_place(room, KITTY, ASIDE, 0)\n", "",
        r"line \d+: deal_out returns 0: 17 cards cannot be dealt to places that hold 14; .*\(asked for seat 1\)"),
    "a false void": ("suit >> move) & 1 == 0", "suit >> move) & 1 == 1",
        r"line \d+: deal_out returns 0: places? [0-2 and]+ holds? \d+ cards?, but (none|only \d+) of the cards may"),
    "too little room": ("suits=(RANKS, RANKS, RANKS, RANKS)", "suits=(1,)",
        r"line \d+: deal_out returns -1: the room of \d+ cells is too small: let deal_room know"),
    "no room for weights": ("deal_begin(room, ROOM, ", "deal_begin(room, 760 if view[TURN] == 2 else ROOM, ",
        r"line \d+: the rule guess demands a deal that cannot be: the room of 760 cells is too small for the weights"),
    "no groups": ("        deal_group(room, suit, A_SUIT << RANKS * suit)\n", "        suit += 0\n",
        r"line \d+: the rule guess demands a deal that cannot be: there is no group \d; 0 groups are named so far"),
    "a place too far": ("deal_place(room, KITTY, ", "deal_place(room, 16, ",
        r"line \d+: the rule guess demands a deal that cannot be: there is no place 16; places are 0 to 15"),
}  # fmt: skip
CHECKED_PLAY = """
import json, sys
import kibitz
from kibitz.core.laws.checked import play_checked
from kibitz.core.laws.law import Broken
said = {}
for name, folder in json.loads(sys.argv[1]).items():
    try:
        play_checked(kibitz.game(folder), 1, 3, 10.0)
    except Broken as error:
        said[name] = str(error)
print(json.dumps(said))
"""


@pytest.mark.skipif(INTERPRETED, reason="one mode tells enough")
def test_a_demand_that_cannot_be_met_is_told_with_its_line_and_the_seat(tmp_path):
    folders = {}
    for number, (name, (right, wrong, _)) in enumerate(IMPOSSIBLE_DEMANDS.items()):
        assert right in blocks(PAGE)[0]
        (tmp_path / str(number)).mkdir()
        folders[name] = write_game(tmp_path / str(number), lambda rules: rules.replace(right, wrong))  # noqa: B023
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    words = [sys.executable, "-W", "error", "-c", CHECKED_PLAY, json.dumps(folders)]
    run = subprocess.run(words, cwd=DOCS.parent, env=environment, capture_output=True, text=True, check=True)
    said = json.loads(run.stdout)
    for name, (_, _, sentence) in IMPOSSIBLE_DEMANDS.items():
        assert re.search(sentence, said.get(name, "nothing")), said.get(name)


SEVERAL_DEALS = [  # what the page says that changes for several deals, beside its third block
    ("those of the kitty, everyone's secret\n", "those of the kitty, everyone's secret\n    ROUND=1,\n    DICE=1,\n"),
    ("WON, HAND = CELLS", "WON, HAND, ROUND, DICE = CELLS"),
    ("        state[SEAT] = OVER\n", "        end_deal(state)\n"),
    ("            out[HAND + place] = UNKNOWN\n", "            out[HAND + place] = UNKNOWN\n    out[DICE] = UNKNOWN\n"),
    ("            view[HAND + place] = deal_hand(room, place)\n",
     "            view[HAND + place] = deal_hand(room, place)\n    view[DICE] = seed_from(rng)\n"),
    ("deal_room,\n", "deal_room, dice_in, seed_from,\n"),
]  # fmt: skip


def write_several_deals(folder):
    """Write the game of the section on several deals; return its path."""

    def change(rules):
        for right, changed in SEVERAL_DEALS:
            assert right in rules
            rules = rules.replace(right, changed)
        first, last = rules.index("@rule\ndef deal("), rules.index("@rule\ndef moves(")
        return f"{rules[:first]}{blocks(PAGE)[2]}\n\n{rules[last:]}"

    return write_game(folder, change)


def test_a_game_of_several_deals_deals_new_cards_from_dice_that_nobody_sees(tmp_path):
    game = kibitz.game(write_several_deals(tmp_path))
    table, rng, deals, seeds = kibitz.Table(game, 1), dice(1), [], []
    while not table.over:
        truth = table.copy_of_truth()
        if table.ply % 21 == 0:
            deals.append(places(game, truth))
            seeds.append(int(truth[game.cells["DICE"]]))
        view = table.view(table.turn)
        assert view[game.cells["DICE"]] == kibitz.rules.UNKNOWN
        assert kibitz.World.guess(game, view, rng).moves() == table.moves()
        table.play(table.moves()[roll(rng, len(table.moves()))])
    assert table.ply == 63
    assert len(set(deals)) == len(set(seeds)) == 3
    assert all(sorted(map(len, deal)) == [3, 7, 7, 7] for deal in deals)
    assert int(sum(table.view(0)[game.cells["WON"] : game.cells["WON"] + 3])) == 21


INTERPRETED_GUESSES = """
import json, sys
import kibitz
from tests.test_card_recipe import some_guesses
print(json.dumps(some_guesses(kibitz.game(sys.argv[1]))))
"""


def some_guesses(game):
    """Return guesses in positions of one random game."""
    found, rng, world = [], dice(3), game.new_state()
    for plies in range(0, 21, 4):
        table = random_table(game, 5, plies)
        for seat in range(3):
            world[: game.size] = table.view(seat)
            guess_world(game.rules, world, seat, rng)
            found.append(world[: game.size].tolist())
    return found


@pytest.mark.skipif(INTERPRETED, reason="this is the interpreted side")
def test_interpreted_guesses_are_the_same(kitty):
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    words = [sys.executable, "-W", "error", "-c", INTERPRETED_GUESSES, str(kitty)]
    told = subprocess.run(words, cwd=DOCS.parent, env=environment, capture_output=True, text=True, check=True).stdout
    assert json.loads(told) == some_guesses(kitty)


def test_the_page_tells_how_much_room_there_is():
    assert f"{MOST_SCRATCH:,} cells" in (DOCS / PAGE).read_text()
