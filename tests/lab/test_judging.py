"""Judging: three verdicts, margins that are stated, each fact once, and corrected for all rows of a table."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from kibitz.arena.play.local import play_locally
from kibitz.arena.results.statistics.verdict import margin_of_share
from kibitz.arena.session import Interrupted
from kibitz.core.errors import BadValue, UnknownName
from kibitz.core.scoring import WINS, Scoring
from kibitz.lab import experiment
from kibitz.lab.chance_verdicts import ASSUMED, CHANGED, FITTED, QUESTIONS, chance_count
from kibitz.lab.claim import claimed
from kibitz.lab.experiment_outcome import Outcome, TrialOutcome
from kibitz.lab.fact import Fact, difference, exact, linear, mean, paired, ratio, rounding_of, share
from kibitz.lab.finding import AGREES, CONTRADICTS, DIFFERENT, OPEN, SAME, TOO_FEW_DEALS
from kibitz.lab.judging import TrialRun, judge
from kibitz.lab.runner import run
from kibitz.lab.second_seed import ONE_SEED, UNCONFIRMED
from kibitz.lab.trials.choice_trial import ChoiceTrial
from kibitz.lab.trials.match_trial import MatchTrial
from kibitz.lab.trials.trial import TrialSetup
from kibitz.lab.unanswered import AS_SEEN, NO_DIFFERENCE, TOO_FEW_DIGITS, TOO_FEW_PUBLISHED


def _wins(number, games, blocks=None):
    """Return wins and games by block, the wins as evenly as can be."""
    blocks = blocks or games
    wins = np.full(blocks, number // blocks, dtype=float)
    wins[: number % blocks] += 1
    return wins, np.full(blocks, games / blocks)


def _judged(*facts, question=False, **more):
    """Return rows, of which a second seed shows the same unless it is said what that shows."""
    about = TrialOutcome("trial", games=100, **more.pop("about", {}))
    second = more.pop("second", facts)
    again = None if second is None else TrialRun(about, second)
    return judge([TrialRun(about, facts, second=again, **more)], question)[0].rows


def test_a_share_has_one_of_three_verdicts():
    for wins, games, published, verdict in (
        (5000, 10000, 0.5, AGREES),
        (50, 100, 0.45, OPEN),
        (90, 100, 0.5, CONTRADICTS),
    ):
        (row,) = _judged(share("a", *_wins(wins, games), published, margin=0.05))
        assert row.verdict == verdict


def test_what_is_not_excluded_says_how_many_more_games_would_tell():
    (row,) = _judged(share("a", *_wins(50, 100), 0.45, margin=0.05))
    assert 500 < row.more_games < 5000
    for games, few in ((20_000, False), (300, True), (20, True)):
        (row,) = _judged(share("a", *_wins(50, 100), 0.45, games=games, margin=0.05))
        assert (row.more_games is None, row.reason) == (few, TOO_FEW_PUBLISHED if few else "")
    (row,) = _judged(share("a", *_wins(50, 100), 0.45, margin=0.01, rounding=0.02))
    assert (row.more_games, row.reason) == (None, TOO_FEW_DIGITS)
    (row,) = _judged(difference("a", np.array([-1.0, 1] * 9), ">", "more"))
    assert (row.more_games, row.reason) == (None, NO_DIFFERENCE)


def test_a_difference_that_only_the_correction_hides_takes_the_games_that_would_show_it():
    facts = [share(f"{number}", *_wins(5000, 10_000), 0.5, margin=0.02) for number in range(9)]
    near = share("a", *_wins(5115, 10_000), 0.5, margin=0.018)
    (row, *_) = _judged(near, *[replace(fact, blocks=None) for fact in facts])
    assert (row.verdict, row.p < 0.05 <= row.corrected_p) == (OPEN, True)
    assert row.more_games > 0
    assert row.reason.startswith(AS_SEEN)


@pytest.mark.parametrize("seed", range(40))
def test_every_open_row_says_what_it_takes(seed):
    rng = np.random.default_rng(seed)
    games = np.full(int(rng.integers(5, 60)), float(rng.integers(1, 30)))
    wins = rng.binomial(games.astype(int), rng.random()).astype(float)
    published, margin = float(rng.random()), float(rng.choice([0.0, 0.01, 0.1]))
    facts = [
        share("a", wins, games, published, float(rng.choice([0, 50, 5000])), margin, 0.005),
        difference("b", rng.normal(size=9), ">", "more"), ratio("c", games * rng.random(len(games)), games, 0.5, 0.1),
    ]  # fmt: skip
    for row in _judged(*facts):
        assert row.verdict != OPEN or row.more_games or row.reason


def test_what_a_second_seed_does_not_show_is_not_excluded():
    fact = share("a", *_wins(90, 100), 0.5, margin=0.05)
    for wins, verdict, reason in ((90, CONTRADICTS, ""), (55, OPEN, UNCONFIRMED), (10, OPEN, UNCONFIRMED)):
        again = share("a", *_wins(wins, 100), 0.5, margin=0.05)
        (row,) = _judged(fact, second=[again])
        assert (row.verdict, row.reason, row.by_seed) == (verdict, reason, (90.0, float(wins)))
    (row,) = _judged(fact, second=None)
    assert (row.verdict, row.reason) == (OPEN, ONE_SEED)
    (row,) = _judged(fact, second=[share("a", *_wins(90, 100), 0.5)], question=True)
    assert row.verdict == DIFFERENT


def test_a_trial_of_which_one_seed_contradicts_something_is_played_with_another(tmp_path):
    """The published number is made up."""
    path, db = tmp_path / "two.toml", tmp_path / "two.db"
    path.write_text(
        'title = "x"\n'
        + '[[trial]]\nwhat = "Wrong"\ngame = "quarto"\nagents = {Novice = "novice", Random = "random"}\n'
        "play = 60\nopenings = 0\npublished = {percent = {Random = 90}}\n"
        '[[trial]]\nwhat = "Right"\ngame = "quarto"\nagents = {Novice = "novice", Random = "random"}\n'
        "play = 60\nopenings = 0\npublished = {order = [['Novice', '>', 'Random']]}\n"
    )
    wrong, right = run(experiment.read(path), TrialSetup(db=db)).trials
    (row,) = (row for row in wrong.rows if row.published == 90)
    assert (row.verdict, len(row.by_seed)) == (CONTRADICTS, 2)
    assert (wrong.second.games, len(wrong.second.runs)) == (60, 1)
    assert {*wrong.second.seeds}.isdisjoint(wrong.seeds)
    assert right.second is None
    assert run(experiment.read(path), TrialSetup(db=db)).trials[0] == wrong  # from the ledger


def test_fewer_than_five_deals_have_no_verdict():
    for blocks, verdict, reason in ((4, "", TOO_FEW_DEALS), (5, CONTRADICTS, "")):
        won = share("a", np.full(blocks, 24.0), np.full(blocks, 24.0), 0.1, margin=0.05)
        earned = paired(
            "b", np.tile([(0, 1), (1, 0)], (3 * blocks, 1)), np.tile([(1.0, 0), (0, 1)], (3 * blocks, 1)),
            np.repeat(np.arange(blocks), 6), (1, 0), ">",
        )  # fmt: skip
        nodes = ratio("c", np.arange(blocks) + 100.0, np.ones(blocks), 500, 0.1)
        for row in _judged(won, earned, nodes):
            assert (row.verdict, row.without_verdict) == (verdict, reason)
            assert row.difference is not None
            assert (row.p is None) == (row.corrected_p is None) == bool(reason)
        (alone,) = _judged(won)
        assert chance_count([Outcome("mine", (TrialOutcome("t", rows=(alone,)),), 1.0)]).verdicts == (not reason)


def test_a_fact_without_a_verdict_does_not_correct_the_others():
    fact = share("a", *_wins(61, 100), 0.5)
    apart = replace(fact, what="b", without_verdict="not equal time", blocks=None)
    first, second = _judged(fact, apart)
    assert (first.verdict, first.corrected_p) == (CONTRADICTS, first.p)
    assert (second.verdict, second.without_verdict) == ("", "not equal time")


def test_equal_numbers_in_every_block_are_one_fact():
    wins, games = _wins(35, 50)
    facts = [share(f"{name} wins", wins, games, 0.5, 50, 0.05) for name in "ABC"]
    first, second, third = _judged(*facts)
    assert (first.same_as, second.same_as, third.same_as) == ("", "A wins", "A wins")
    assert (first.corrected_p, second.verdict) == (first.p, "")
    other = share("D wins", wins, games, 0.4, 50, 0.05)  # published otherwise
    assert all(row.judged for row in _judged(facts[0], other))


def test_without_a_margin_nothing_agrees():
    assert _judged(share("a", *_wins(5000, 10000), 0.5))[0].verdict == OPEN


def test_a_share_near_0_or_100_per_cent_has_a_smaller_margin():
    assert margin_of_share(0.5, 0.05) == pytest.approx(0.05)
    assert [margin_of_share(share, 0.05) for share in (0.02, 0.98)] == pytest.approx([0.014, 0.014])
    assert margin_of_share(0.0, 0.05) == margin_of_share(0.01, 0.05) == pytest.approx(0.00995, abs=1e-5)


def test_always_is_contradicted_by_one_turn_in_ten():
    (row,) = _judged(share("a", *_wins(900, 1000), 1.0, margin=margin_of_share(1.0, 0.05)))
    assert row.verdict == CONTRADICTS
    (row,) = _judged(share("a", *_wins(1000, 1000), 1.0, margin=margin_of_share(1.0, 0.05)))
    assert row.verdict == AGREES


def test_mirror_images_are_one_fact():
    wins, games = _wins(35, 50)
    one, other = share("A wins", wins, games, 0.7, 50, 0.05), share("B wins", games - wins, games, 0.3, 50, 0.05)
    mine, theirs = _judged(one, other)
    assert (mine.verdict, theirs.verdict, theirs.mirror_of) == (OPEN, "", "A wins")
    assert mine.corrected_p == mine.p  # of one fact, not of two


def test_two_things_that_never_happened_are_two_facts():
    never, games = np.zeros(30), np.full(30, 4.0)
    first, second = (share(f"{name} wins", never, games, 0.0) for name in "AB")
    assert not second.mirrors(first)


def test_shares_that_leave_room_for_draws_are_two_facts():
    wins, games = _wins(35, 50)
    drawn = share("B wins", games - wins, games, 0.2, 50, 0.05)  # 10 % of the published games were drawn
    assert all(row.judged for row in _judged(share("A wins", wins, games, 0.7, 50, 0.05), drawn))
    fewer = share("B wins", (games - wins) * np.arange(50) % 2, games, 0.3, 50, 0.05)  # some of ours were
    assert all(row.judged for row in _judged(share("A wins", wins, games, 0.7, 50, 0.05), fewer))


def test_p_values_are_corrected_within_a_table_which_may_be_several_trials():
    fact = share("a", *_wins(61, 100), 0.5)
    assert fact.gap.p < 0.05
    assert _judged(fact)[0].verdict == CONTRADICTS
    runs = [
        TrialRun(
            TrialOutcome(f"part {part}", table="Table 1", games=100),
            [share("a", *_wins(61 - 11 * (part > 0), 100), 0.5)],
        )
        for part in range(4)
    ]
    runs = [replace(run, second=run) for run in runs]
    row = judge(runs)[0].rows[0]
    assert (row.verdict, row.corrected_p) == (OPEN, pytest.approx(4 * row.p))
    apart = [replace(run, about=TrialOutcome(f"part {part}", games=100)) for part, run in enumerate(runs)]
    assert judge(apart)[0].rows[0].verdict == CONTRADICTS


def test_rows_of_fitted_settings_are_counted_apart():
    fact = share("a", *_wins(5000, 10000), 0.5, margin=0.05)
    fitted = TrialOutcome("fitted", fitted="card=5", rows=_judged(fact))
    held_out = TrialOutcome("held out", fitted="card=5", held_out=True, rows=_judged(fact))
    outcome = Outcome("mine", (fitted, held_out), 1.0)
    assert (outcome.count("agreeing"), outcome.count("agreeing", evidence=False)) == (1, 1)
    assert chance_count([outcome]).verdicts == 1


def test_of_three_seeds_two_must_show_what_contradicts():
    fact = share("a", *_wins(90, 100), 0.5)
    alone = [[share("a", *_wins(wins, 100), 0.5)] for wins in (90, 50, 90)]
    assert _judged(fact, second=None, by_seed=alone)[0].verdict == CONTRADICTS
    (row,) = _judged(fact, second=None, by_seed=alone[:2])
    assert (row.verdict, row.reason) == (OPEN, UNCONFIRMED)


def test_a_cause_is_shown_only_where_a_row_contradicts():
    rows = _judged(share("a", *_wins(50, 100), 0.5), share("b", *_wins(90, 100), 0.5), why="Luck.")
    assert [row.why for row in rows] == ["", "Luck."]


def test_an_order_is_judged_by_its_interval():
    for values, claim, verdict in (
        ([1.0, 2, 3] * 9, ">", AGREES),
        ([1.0, 2, 3] * 9, "<", CONTRADICTS),
        ([-1.0, 1] * 9, ">", OPEN),
    ):
        (row,) = _judged(difference("a", np.array(values), claim, "more"))
        assert (row.verdict, row.margin) == (verdict, "")


def test_two_seats_that_never_differ_say_little_in_two_blocks():
    for blocks, verdict in ((2, ""), (200, AGREES)):
        seatings = np.array([[0, 1], [1, 0]] * blocks)
        scores = np.array([[1.0, 0.0], [0.0, 1.0]] * blocks)  # the first agent wins every game
        (row,) = _judged(paired("a", seatings, scores, np.repeat(np.arange(blocks), 2), (0, 1), ">"))
        assert row.verdict == verdict


def test_counts_are_compared_by_factors_and_never_negative():
    counts = np.full(20, 10.0)
    nodes = counts * (100 + np.arange(20))
    (row,) = _judged(ratio("a", nodes, counts, 110, 0.1, rounding_of(110)))
    assert (row.verdict, row.margin, row.scale) == (AGREES, "10 %", "factor")
    (row,) = _judged(ratio("a", nodes, counts, 200, 0.1, rounding_of(200)))
    assert (row.verdict, row.difference) == (CONTRADICTS, pytest.approx(109.5 / 200, abs=1e-3))
    wild = np.array([1.0, 1000.0])
    (row,) = _judged(ratio("a", wild, np.ones(2), 500, 0.1))
    assert 0 <= row.interval[0] < row.measured < row.interval[1]


def test_a_ratio_of_two_means_varies_as_the_means_of_its_blocks_do():
    rng = np.random.default_rng(1)
    sizes = rng.integers(1, 9, 4000)
    one, other = sizes * rng.uniform(1, 3, 4000), sizes * rng.uniform(2, 4, 4000)
    influence = one / one.sum() - other / other.sum()
    sums, bases = linear(one.sum() / other.sum(), influence)
    logs = [np.log(one[part].sum() / other[part].sum()) for part in np.array_split(np.arange(4000), 200)]
    pseudo = [sums[part].mean() / bases[part].mean() for part in np.array_split(np.arange(4000), 200)]
    assert np.std(np.log(pseudo)) == pytest.approx(np.std(logs), rel=0.05)
    assert sums.sum() / bases.sum() == pytest.approx(one.sum() / other.sum())


def test_a_published_mean_has_the_error_of_its_number_of_games():
    sums, counts = np.array([1.0, 3.0] * 500), np.ones(1000)
    assert _judged(mean("a", sums, counts, 2.2, margin=0.01))[0].verdict == CONTRADICTS
    assert _judged(mean("a", sums, counts, 2.2, error=0.15, margin=0.01))[0].verdict == OPEN


def test_a_published_ratio_varies_as_ours_does_with_as_many_games():
    """Two runs of the same thing, one of them published: they contradict in one of twenty runs, not in one of four."""
    rng, found = np.random.default_rng(4), {0.0: 0, 2.0: 0}
    for _ in range(120):
        published = float(rng.lognormal(0, 0.5, 15).mean())
        nodes = rng.lognormal(0, 0.5, 30)
        for times in found:
            (row,) = _judged(ratio("a", nodes, np.ones(30), published, 0.01, times=times, assumed_games=15))
            found[times] += row.verdict == CONTRADICTS
    assert found[0.0] > 18 > 12 >= found[2.0]


def test_what_rests_on_assumed_games_is_marked_and_no_part_of_what_chance_would_do():
    assumed = share("a", *_wins(99, 100), 0.1, 100, 0.05, assumed_games=100)
    (row,) = _judged(assumed)
    assert (row.verdict, row.assumed_games) == (CONTRADICTS, 100)
    count = chance_count([Outcome("mine", (TrialOutcome("t", rows=(row,)),), 1.0)])
    assert (count.verdicts, count.families, count.contradictions, count.apart) == (0, 0, 0, {ASSUMED: (1, 1)})


def test_what_depends_on_how_many_games_a_document_played_says_on_which_number():
    rng = np.random.default_rng(1)
    nodes = rng.lognormal(0, 0.5, 300)
    for times, verdicts in (
        (1.05, {5: (OPEN, TOO_FEW_PUBLISHED), 30: (AGREES, "if the document played 18 games or more")}),
        (1.3, dict.fromkeys((5, 30), (OPEN, "if the document played 16 games or fewer"))),
        (9.0, dict.fromkeys((5, 30), (CONTRADICTS, ""))),
    ):
        for assumed, told in verdicts.items():
            published = times * nodes.mean()
            (row,) = _judged(
                ratio("a", nodes, np.ones(300), published, 0.3, times=300 / assumed, assumed_games=assumed)
            )
            assert (row.verdict, row.reason) == told


def test_claims_of_at_most_and_at_least_have_one_side_and_no_slack():
    never, often, games = _wins(0, 480, 80), _wins(60, 480, 80), 480
    for (wins, of), claim, verdict in (
        (never, "at most", AGREES), (often, "at most", CONTRADICTS), (never, "at least", CONTRADICTS),
        (often, "at least", AGREES),
    ):  # fmt: skip
        fact = share("loses", wins, of, 0.05, games, margin=0.05, rounding=0.005)
        (row,) = _judged(*claimed([fact], claim))
        assert (row.published, row.margin, row.verdict) == (f"{claim} 5 %", "", verdict)
        (by_row,) = _judged(*claimed([fact], {"loses": claim}))
        assert by_row == row
    with pytest.raises(UnknownName, match="unknown row in claim 'wins'; known: loses"):
        claimed([fact], {"wins": "at most"})


def test_exactly_is_refuted_by_one_game_and_has_no_rounding():
    for wins, of, verdict in ((480, 480, AGREES), (479, 480, CONTRADICTS), (20, 20, OPEN), (19, 20, CONTRADICTS)):
        fact = share("a", *_wins(wins, of, of // 2), 1.0, of, margin_of_share(1.0, 0.05), 0.005)
        (row,) = _judged(*claimed([fact], "exactly"), second=None)
        assert (row.published, row.verdict) == ("exactly 100 %", verdict)
        assert row.more_games or verdict != OPEN


def test_set_ups_changed_on_purpose_are_families_of_their_own_and_counted_apart():
    fact = share("a", *_wins(61, 100), 0.5)
    runs = [
        TrialRun(about, [fact], second=TrialRun(about, [fact]))
        for about in (
            TrialOutcome(f"setting {number}", table="Table 1", games=100, alternative=bool(number))
            for number in range(3)
        )
    ]
    trials = judge([replace(run, facts=[replace(fact)]) for run in runs])
    assert [trial.rows[0].corrected_p for trial in trials] == [fact.gap.p] * 3  # other settings change nothing
    own, changed = Outcome("mine", trials, 1.0), Outcome("asked", trials[:1], 1.0, kind="question")
    fitted = Outcome("fitted", (replace(trials[0], fitted="cut"),), 1.0)
    count = chance_count([own, changed, fitted])
    assert (count.verdicts, count.contradictions) == (1, 1)
    assert count.apart == {QUESTIONS: (1, 1), CHANGED: (2, 2), FITTED: (1, 1)}


def test_a_published_share_near_0_or_1_has_a_margin_that_allows_for_its_error():
    known, exact_ = (share("a", *_wins(2920, 3000, 300), 0.98, games, 0.014) for games in (1000, 0))
    assert exact_.margin == 0.014
    assert 0.009 < known.margin < 0.012
    assert share("a", *_wins(50, 100), 0.5, 1000, 0.05).margin == pytest.approx(0.05, abs=1e-4)


def test_what_has_no_chance_in_it_agrees_or_not():
    yes, no, shown = _judged(exact("a", 1, 1, True), exact("b", 1, 2, False), Fact("c", 3), why="Odd.")
    assert (yes.verdict, no.verdict, no.why, shown.verdict) == (AGREES, CONTRADICTS, "Odd.", "")


def test_a_question_is_answered_or_says_how_many_games_it_takes():
    for wins, games, verdict in ((5000, 10000, SAME), (6000, 10000, DIFFERENT), (50, 100, "open")):
        (row,) = _judged(share("a", *_wins(wins, games), 0.5, margin=0.05), question=True)
        assert row.verdict == verdict
    assert row.games_for_difference == pytest.approx(
        785, rel=0.1
    )  # of a share of 50 % by 5 points, with a power of 80 %


def _columns(seatings, payoffs):
    games = len(seatings)
    return SimpleNamespace(
        agents=("novice", "random"), seatings=np.array(seatings), payoffs=np.array(payoffs), blocks=np.arange(games),
        plies=np.full(games, 9), offenders=np.full(games, -1),
        scoring=WINS,
    )  # fmt: skip


def test_two_copies_of_an_agent_do_not_count_as_two_games():
    agents = {"Strong": "novice", "Weak": "random"}
    match = MatchTrial(
        what="m", game="colonizers", agents=agents, scheme="equal-shares",
        published={"games": 50, "wins": {"Strong": 35, "Weak": 15}},
    )  # fmt: skip
    played = _columns([[0, 0, 1, 1]] * 4, [[1.0, 0, 0, 0]] * 3 + [[0, 0, 1.0, 0]])
    strong, weak = match.found(SimpleNamespace(games=played), TrialSetup())
    assert (strong.measured, strong.published) == (75, 70)
    assert strong.blocks[1].tolist() == [1] * 4  # four games, not eight
    assert weak.mirrors(strong)


def _chips(bound, edge, games=400):
    """Return games of two agents for chips, declared to lie between `bound` and its negative, and mostly 1 or -1."""
    rng = np.random.default_rng(3)
    won = np.where(rng.random(games) < 0.5 + edge, 1.0, -1.0)
    seatings = np.tile([(0, 1), (1, 0)], (games // 2, 1))
    payoffs = np.where(seatings == 0, won[:, None], -won[:, None])
    chips = {"blocks": np.arange(games) // 2, "scoring": Scoring("chips", -bound, bound)}
    return SimpleNamespace(**{**vars(_columns(seatings, payoffs)), **chips})


def _of_chips(bound, edge=0.0, setup=None, **published):
    match = MatchTrial(
        what="m", game="quarto", agents={"One": "novice", "Two": "random"}, published=published, scheme="round-robin"
    )  # fmt: skip
    return match.found(SimpleNamespace(games=_chips(bound, edge)), setup or TrialSetup())


def test_payoffs_are_judged_alike_however_wide_their_range_is_declared():
    said = {"games": 400, "payoff": {"One": 0.7}, "order": [["One", "=", "Two"]]}
    narrow, wide = (_judged(*_of_chips(bound, edge=0.2, **said)) for bound in (1, 200))
    for one, other in zip(narrow, wide, strict=True):
        assert one.interval == other.interval
        assert (one.verdict, one.margin) == (other.verdict, other.margin)
    assert [row.verdict for row in wide] == [CONTRADICTS, CONTRADICTS]
    (margin,) = {row.margin for row in wide}
    assert float(margin) == pytest.approx(0.1)  # standard deviations, of which one is a chip


def test_a_question_about_two_agents_judges_their_difference_and_not_half_of_it():
    setup = TrialSetup(difference=0.05)
    won, lost, apart = _judged(*_of_chips(200, 0.06, setup), question=True)
    assert [row.what for row in (won, lost, apart)] == ["One, mean chips", "Two, mean chips", "One earns, beside Two"]
    assert (won.verdict, lost.verdict) == ("", "")
    assert apart.difference == pytest.approx(won.measured - lost.measured)
    assert apart.margin == "0.1"


def test_a_choice_in_which_every_legal_move_is_expected_is_refused():
    position = "a1 BTRS b1 BTRH c1 BTQH; BSRS in hand"
    moves = [f"{column}{row}" for row in range(1, 5) for column in "abcd"]
    free = [move for move in moves if move not in ("a1", "b1", "c1")]
    with pytest.raises(BadValue, match="expected lists all 13 legal moves, so that no agent can be wrong"):
        ChoiceTrial("w", "quarto", position, {"Novice": "novice"}, free).check()
    ChoiceTrial("w", "quarto", position, {"Novice": "novice"}, free[1:]).check()


def test_seeds_follow_from_names_and_not_from_places():
    one, other = (MatchTrial(what=what, game="quarto", agents={}) for what in ("one", "other"))
    setup = TrialSetup(experiment="mine")
    assert setup.seeds(one) != setup.seeds(other)
    assert setup.seeds(one) == setup.seeds(MatchTrial(what="one", game="quarto", agents={}, play=5))
    assert setup.seeds(one) != TrialSetup(experiment="yours").seeds(one)
    assert setup.seeds(one) != TrialSetup(experiment="mine", seed=2).seeds(one)
    shared = [MatchTrial(what=what, game="quarto", agents={}, deals="common") for what in ("one", "other")]
    assert setup.seeds(shared[0]) == setup.seeds(shared[1]) != setup.seeds(one)
    headline = setup.seeds(MatchTrial(what="one", game="quarto", agents={}, headline=True))
    assert (len(set(headline)), headline[:1]) == (3, setup.seeds(one))


def test_a_headline_shows_the_result_of_every_seed(tmp_path):
    path = tmp_path / "head.toml"
    path.write_text(
        'title = "x"\n[[trial]]\nwhat = "a"\ngame = "quarto"\nagents = {Random = "random", Novice = "novice"}\n'
        "play = 20\nheadline = true\nopenings = 0\n"
    )
    outcome = run(experiment.read(path), TrialSetup())
    (trial,) = outcome.trials
    assert (trial.games, len(trial.seeds), trial.rows[0].measured) == (60, 3, round(np.mean(trial.rows[0].by_seed), 2))
    assert run(experiment.read(path), TrialSetup(seed=2)).rows != outcome.rows


def test_a_ranking_plays_on_until_the_first_places_are_certain(tmp_path):
    path = tmp_path / "rank.toml"
    text = (
        'title = "x"\n[[trial]]\nkind = "ranking"\nwhat = "a"\ngame = "quarto"\nscheme = "round-robin"\nplay = 12\n'
        'until = "first 1 certain"\nmost = 400\n'
        'agents = {Random = "random", Novice = "novice", Greedy = "greedy"}\n'
    )
    path.write_text(text)
    db = tmp_path / "lab.db"
    (trial,) = run(experiment.read(path), TrialSetup(db=db)).trials
    *ranked, told = trial.rows
    assert [row.what for row in ranked] == ["1. Greedy", "2. Novice", "3. Random"]
    assert told.measured == f"certain, after {trial.games} games"
    assert 12 < trial.games <= 400
    assert len(trial.runs) > 1
    again = run(experiment.read(path), TrialSetup(db=db)).trials[0]
    assert (again.rows, again.runs) == (trial.rows, trial.runs)
    path.write_text(text.replace('Greedy = "greedy"', 'Novices = "policy(novice)"').replace("400", "60"))
    (trial,) = run(experiment.read(path), TrialSetup()).trials
    assert trial.games <= 60
    assert trial.rows[-1].measured.startswith("open: ")


def test_after_ctrl_c_there_is_an_outcome_of_the_games_so_far(tmp_path):
    path = tmp_path / "three.toml"
    path.write_text(
        'title = "x"\n[[trial]]\nwhat = "a"\ngame = "quarto"\nagents = {Random = "random", Novice = "novice"}\n'
        "play = 20\nheadline = true\nopenings = 0\n"
    )
    seeds = []

    def stopped(plan, fixtures, jobs, keep_records):
        seeds.append(plan.seed)
        yield next(iter(play_locally(plan, fixtures, jobs, keep_records)))
        if len(seeds) == 2:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted) as stop:
        run(experiment.read(path), TrialSetup(play=stopped))
    (trial,) = stop.value.result.trials
    assert trial.seeds == tuple(seeds)
    assert trial.games <= 40
    assert len(trial.rows[0].by_seed) == 2


def test_after_ctrl_c_in_the_games_of_a_second_seed_nothing_is_contradicted_yet(tmp_path):
    path, seeds = tmp_path / "two.toml", []
    path.write_text(
        'title = "x"\n[[trial]]\nwhat = "a"\ngame = "quarto"\nagents = {Random = "random", Novice = "novice"}\n'
        "play = 60\nopenings = 0\npublished = {percent = {Random = 90}}\n"
    )

    def stopped(plan, fixtures, jobs, keep_records):
        seeds.append(plan.seed)
        for result in play_locally(plan, fixtures, jobs, keep_records):
            yield result
            if len(seeds) == 2:
                raise KeyboardInterrupt

    with pytest.raises(Interrupted) as stop:
        run(experiment.read(path), TrialSetup(play=stopped))
    (trial,) = stop.value.result.trials
    (row,) = (row for row in trial.rows if row.judged)
    assert (trial.seeds, trial.second) == ((seeds[0],), None)
    assert (row.verdict, row.reason) == (OPEN, ONE_SEED)
