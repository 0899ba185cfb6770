"""Trials that the reproduction of the documents adds: agents in the same positions, settings, measures, networks."""

from dataclasses import replace

import pytest

from kibitz import games
from kibitz.core.errors import BadValue, KibitzError
from kibitz.core.record import record_of
from kibitz.core.table import Table
from kibitz.lab.judging import judge
from kibitz.lab.trials.trial import TrialSetup
from kibitz.plugins.documents.cartagena_measures import MEASURES, Course
from kibitz.plugins.documents.identification_trial import IdentificationTrial
from kibitz.plugins.documents.imitation_trial import ImitationTrial
from kibitz.plugins.documents.measures_trial import MeasuresTrial
from kibitz.plugins.documents.positions_trial import PositionsTrial

SMALL = "cartagena(row=10, refill=always, cards=18, stock=open, max_rounds=4)"
SETUP = TrialSetup(experiment="test")
NEAR, FAR = "turnwise(np, depth=1)", "turnwise(np, depth=2)"
POSITION = "red 0*4 7 37 / hat*2 key; green 0*5 3 / skull; blue 0*6 / key; row hat key; red to move"


def _rows(trial, setup=SETUP):
    """Return the rows of a trial by what they are about, with a second seed, without which none contradicts."""
    found = replace(trial.run(setup), second=trial.run(replace(setup, second=True)))
    return {row.what: row for row in judge([found])[0].rows}


def _positions(**more):
    given = {"what": "a", "game": SMALL, "walker": NEAR, "agents": {"Near": NEAR, "Far": FAR, "Again": NEAR}, "play": 5}
    return PositionsTrial.read({**given, **more})


def test_agents_are_compared_in_the_same_positions():
    rows = _rows(_positions(of="nodes", order=[["Far", ">", "Near"], ["Far", "<", "Again"]]))
    assert rows["Again, nodes as a ratio to Near"].measured == 1
    assert rows["Far, nodes as a ratio to Near"].measured > 5
    assert rows["nodes of Far as a ratio to Near"].verdict == "agrees"
    assert rows["nodes of Far as a ratio to Again"].verdict == "contradicts"
    rows = _rows(_positions(of="choices", published={"Far": 100}))
    assert rows["Again chooses as Near does"].measured == 100
    assert 0 < rows["Far chooses as Near does"].measured < 100


def test_a_search_that_only_cuts_off_what_cannot_matter_finds_the_same_values():
    agents = {
        "nothing cut off": "turnwise(p, depth=2, cut=never)", "p": "turnwise(p, depth=2, cut=beyond)",
        "np": "turnwise(np, depth=2)",
    }  # fmt: skip
    rows = list(_rows(_positions(of="values", agents=agents, published={"p": 0})).values())
    assert (rows[0].published, rows[0].measured[:5], rows[0].verdict) == ("none", "0 of ", "agrees")
    assert (rows[1].measured[:2] != "0 ", rows[1].verdict) == (True, "")


def test_cpu_time_is_compared_too():
    assert _rows(_positions(of="cpu"))["Far, CPU time as a ratio to Near"].measured > 1


def test_positions_follow_from_the_seed_and_not_every_turn_is_looked_at():
    one, same, other = (_positions(of="nodes").run(TrialSetup(seed=seed)).facts[0].measured for seed in (1, 1, 2))
    assert one == same != other
    (every,) = {len(list(_positions(every=2)._asked(1, 0)))}
    assert 0 < every < len(list(_positions()._asked(1, 0)))


@pytest.mark.parametrize(
    ("more", "complaint"),
    [
        ({"of": "choices", "order": [["Far", ">", "Near"]]}, "order is about effort"),
        ({"of": "values", "published": {"Far": 1}}, "what is published of an agent is 0"),
        ({"published": {"Fra": 1}}, "unknown agent of this trial 'Fra'"),
        ({"walker": "turnwyse"}, "turnwyse"),
    ],
)
def test_positions_that_make_no_sense_are_refused(more, complaint):
    with pytest.raises(KibitzError, match=complaint):
        _positions(**more).check()


def _identification(**more):
    agents = {"Search": "turnwise(np, depth={turns}, width={width})"}
    given = {
        "what": "a", "game": SMALL, "options": {"turns": ["1", "2"], "width": ["2", "3"]}, "play": 3,
        "used": {"turns": "1", "width": "3"}, "agents": agents, "published": {"Search": 100}, "other_agents": agents,
        "other_published": {"Search": 100},
    }  # fmt: skip
    return IdentificationTrial.read({**given, **more})


def test_the_settings_that_gave_the_published_counts_are_found():
    trial, truth = _identification(), {"turns": "2", "width": "2"}
    (counted,) = trial._counted(trial.agents, truth, 3, SETUP.seeds(trial)[0]).values()
    published = {"Search": float(counted[0].sum() / counted[1].sum())}
    rows = _rows(_identification(published=published, other_published={"Search": 2 * published["Search"]}))
    assert rows["nearest of 4 settings"].measured == "turns=2, width=2"
    assert rows["mean error of turns=2, width=2"].measured == 0
    assert rows["mean error of the setting used, turns=1, width=3"].measured > 0
    assert rows["mean error of the nearest in numbers held out"].measured == 100
    assert not any(row.judged for row in rows.values())  # that a fit fits is no evidence


def test_settings_that_are_not_tried_are_refused():
    with pytest.raises(BadValue, match="used must be a choice of each option"):
        _identification(used={"turns": "1"}).check()
    with pytest.raises(KibitzError, match="agent with a published number"):
        _identification(published={"Other": 1}).check()


def _played(*texts, position=POSITION, value="utility"):
    """Return the course of a game from a position, with these moves."""
    game = games.find(f"cartagena(position='{position}')")
    table = Table(game, 1)
    for text in texts:
        table.play(text)
    return Course.read(game, game.value(value), record_of(table, ["a"] * 3, None).line())


def test_turns_actions_and_cards_are_counted():
    course = _played("0 hat", "7 key", "back 11", "0 skull", "stop", "0 key", "stop")
    assert [turn.seat for turn in course.turns] == [0, 1, 2]
    assert [turn.drawn for turn in course.turns] == [1, 0, 0]
    assert MEASURES["turns"][1](course) == (3, 3)
    assert MEASURES["actions"][1](course) == (7, 3)


def test_the_ways_to_play_a_turn_are_those_of_brute_force():
    game = games.find(f"cartagena(position='{POSITION}')")
    found, ends = [], set()

    def walk(made):
        table = Table(game, 1)
        for move in made:
            table.play(move)
        if made and table.turn != 0:
            found.append(made)
            state = table.copy_of_truth()
            ends.add(tuple(state[: game.size]))
            return
        for move in table.moves():
            walk([*made, move])

    walk([])
    course = _played("0 hat", "stop")
    assert MEASURES["ways"][1](course) == (len(found), 1)
    assert MEASURES["ends"][1](course)[0] <= len(ends) <= len(found)


def test_influence_is_the_ratio_of_the_others_to_the_seat_to_move():
    course = _played("0 hat", "stop")
    red, green, blue = 1 + 44 + 3 * 6 + 6, 1 + 3 + 6, 1 + 6
    assert [*course.ratios()] == pytest.approx([green / red, blue / red])
    assert MEASURES["influence"][1](course) == pytest.approx(((green + blue) / red, 2))


def test_a_hand_of_eleven_cards_of_a_sign_is_counted():
    many = POSITION.replace("hat*2 key", "hat*11")
    assert MEASURES["hoards"][1](_played("0 hat", "stop", position=many)) == (1, 1)
    assert MEASURES["hoards"][1](_played("0 hat", "stop")) == (0, 1)


def test_measures_are_held_against_what_a_document_says():
    trial = MeasuresTrial.read(
        {"what": "a", "game": SMALL, "agents": {"Near": NEAR}, "scheme": "self-play", "play": 6,
         "figures": ["turns", "endless", "row"], "published": {"turns": 4, "endless": 0, "row": 100}}
    )  # fmt: skip
    trial.check()
    rows = _rows(trial)
    assert rows["turns of a seat"].measured == 4
    assert rows["games without a winner"].measured == 100
    assert rows["games without a winner"].verdict == "contradicts"
    with pytest.raises(BadValue, match="these measures are of cartagena, not of quarto"):
        MeasuresTrial.read(
            {"what": "a", "game": "quarto", "agents": {"R": "random"}, "scheme": "self-play", "figures": ["turns"]}
        ).check()


def test_a_document_may_say_of_a_mean_no_more_than_a_bound():
    given = {"what": "a", "game": SMALL, "agents": {"Near": NEAR}, "scheme": "self-play", "play": 6}
    trial = MeasuresTrial.read({**given, "figures": ["ways", "ends"], "published": {"ways": ">2", "ends": "<2"}})
    more, less = _rows(trial).values()
    assert (more.published, more.verdict) == ("more than 2", "agrees")
    assert (less.published, less.verdict) == ("less than 2", "contradicts")
    with pytest.raises(BadValue, match="ways must be a number, or a bound"):
        MeasuresTrial.read({**given, "figures": ["ways"], "published": {"ways": "many"}})


def test_networks_are_asked_what_they_learnt_from_and_named_without_files():
    fit = {"activation": "sigmoid", "policy_error": "squared", "epochs": 2}
    trial = ImitationTrial.read(
        {"what": "a", "game": SMALL, "teacher": "turnwise(ep)", "encoding": "pirate_positions", "coded": True,
         "hidden": ["16"], "train": 60, "test": 60, "fit": fit, "figures": ["reproduced"],
         "published": {"reproduced": "<50"}}
    )  # fmt: skip
    run = trial.run(SETUP)
    (row,) = judge([run])[0].rows
    assert row.what == "positions it learnt from that are answered rightly"
    assert (row.published, row.unit) == ("less than 50 %", "%")
    assert row.verdict
    assert run.about.games > 1
    (smaller,) = judge([trial.run(replace(SETUP, scale=0.7))])[0].rows
    assert (smaller.published, smaller.verdict) == (row.published, "")  # other networks than the document's


def test_networks_share_positions_only_with_those_that_are_trained_in_the_same_way():
    def seeds(experiment="test", **more):
        fit = {"activation": "sigmoid", "policy_error": "squared", "epochs": 1}
        given = {"what": "a", "game": SMALL, "teacher": "turnwise(ep)", "encoding": "pirate_positions", "coded": True,
                 "hidden": ["4"], "train": 40, "test": 40, "fit": fit, "figures": ["constant"]}  # fmt: skip
        return ImitationTrial.read({**given, **more}).run(TrialSetup(experiment=experiment)).about.seeds

    assert seeds() == seeds(what="b", hidden=["8"])
    assert len({seeds(), seeds(train=60), seeds(encoding="board", coded=False), seeds("other")}) == 4
