"""Plans: a TOML file read as a whole, with every mistake named in one sentence."""

import pytest
from click.testing import CliRunner

from kibitz.agents import build
from kibitz.arena.match import play_match
from kibitz.arena.plan import plan as plans
from kibitz.arena.plan.plan import Plan
from kibitz.arena.plan.plan_file import EXAMPLE, read_plan
from kibitz.cli import main
from kibitz.core.errors import KibitzError
from kibitz.games import find
from kibitz.networks.net import encodings
from kibitz.networks.network_file import About, as_bytes, new_network

LEAST = """
game = "quarto"
agents = ["random", "novice", "greedy(value=completing_absolute)"]
scheme = "round-robin"
games = 3000
seed = 11
"""


@pytest.fixture
def plan_of(tmp_path):
    """Read a plan from text and changes."""

    def read(text, **changes):
        path = tmp_path / "plan.toml"
        path.write_text(text, encoding="utf-8")
        return read_plan(path, changes)

    return read


def test_the_least_file_has_a_default_for_everything_else(plan_of):
    plan = plan_of(LEAST)
    assert plan.planned == len(list(plan.fixtures())) == 3000
    assert len(plan.seatings) == 6
    assert plan.limits.move_seconds is None


def test_the_example_is_a_plan_and_says_the_defaults(plan_of):
    shown = plan_of(EXAMPLE).data()
    least = plan_of('game = "quarto"\nagents = ["random", "novice", "greedy(value=completing_absolute)"]').data()
    assert shown == least


def test_every_line_of_the_example_that_is_commented_out_can_be_used(plan_of, tmp_path):
    hook = tmp_path / "my_hooks.py"
    hook.write_text("def before(plan): pass\n", encoding="utf-8")
    lines = []
    for line in EXAMPLE.splitlines():
        bare = line.removeprefix("# ")
        is_key = bare.split(" ")[0] in ("hero", "stop", "hooks", *plan_of(LEAST).data()["limits"])
        lines.append(bare if line.startswith("# ") and is_key and " = " in bare else line)
    plan = plan_of("\n".join(lines).replace("my_hooks.py", str(hook)))
    assert plan.hero == 1
    assert plan.stop == {"better": "+3 %", "alpha": 0.05, "beta": 0.05}
    assert plan.limits.memory == 2000
    assert plan.limits.increment == 0.5


def test_changes_replace_lines_of_the_file(plan_of):
    plan = plan_of(LEAST, games=60, seed=None, scheme="gauntlet", hero="novice")
    assert (plan.games, plan.seed, plan.scheme, plan.hero) == (60, 11, "gauntlet", 1)


def test_changes_replace_single_lines_of_a_table_in_the_file(plan_of):
    text = LEAST + 'stop = { better = "+3 %", alpha = 0.01 }\n[limits]\nplies = 10\nnodes = 5\n'
    plan = plan_of(text, stop={"better": "+5 %"}, limits={"nodes": 7})
    assert plan.stop == {"better": "+5 %", "alpha": 0.01}
    assert (plan.limits.plies, plan.limits.nodes) == (10, 7)


def test_a_plan_made_in_python_is_that_of_the_file(plan_of):
    agents = ["random", "novice", "greedy(value=completing_absolute)"]
    made = Plan.make("quarto", agents, games=3000, seed=11)
    assert made == plan_of(LEAST)
    assert made.run == plan_of(LEAST).run
    assert "3000 games" in repr(made)


def test_agents_are_built_once(monkeypatch):
    built = []
    monkeypatch.setattr(plans, "build", lambda text, game, seed: built.append(text) or build(text, game, seed))
    play_match("quarto", ["novice", "random"], games=4)
    assert built == ["novice", "random"]


def test_games_are_rounded_up_to_whole_blocks(plan_of):
    assert plan_of(LEAST, games=3001).planned == 3006


def test_the_run_is_the_same_with_more_games_and_another_with_anything_else(plan_of):
    run = plan_of(LEAST).run
    assert plan_of(LEAST, games=6000).run == run
    assert plan_of(LEAST, seed=12).run != run
    assert plan_of(LEAST, openings=2).run != run
    assert plan_of(LEAST, agents=["random", "novice"]).run != run
    assert plan_of(LEAST + "[limits]\nplies = 10").run != run


def test_other_code_in_the_same_file_is_another_run(plan_of, tmp_path):
    agent = tmp_path / "mine.py"
    source = "from kibitz.agents.random import Random\nclass Mine(Random):\n    'Mine.'\n"
    runs = []
    for version in ("", "# better\n"):
        agent.write_text(source + version, encoding="utf-8")
        runs.append(plan_of(LEAST, agents=["random", str(agent)]).run)
    assert runs[0] != runs[1]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"color": "red"}, "unknown key 'color'; known: agents, game, games"),
        ({"game": "quatro"}, "Did you mean 'quarto'"),
        ({"game": 7}, "game must be a text, not 7"),
        ({"agents": "random"}, "agents must be a list of texts"),
        ({"agents": ["random", 3]}, "an agent is a text"),
        ({"agents": ["random", "noivce"]}, "unknown agent for quarto 'noivce'"),
        ({"agents": ["random", "maxn(width=-1)"]}, "width"),
        ({"agents": ["random", "random"]}, "listed twice"),
        (
            {"agents": ["random", "human"]},
            "a person (human) can only take a seat in a game",
        ),
        ({"agents": ["random", "pimc(human)"]}, "a person (human) can only take a seat"),
        ({"agents": ["random", "brs"], "game": "colonizers"}, "brs"),
        ({"agents": ["random"]}, "at least 2 agents"),
        ({"agents": []}, "'agents' is missing"),
        ({"scheme": "swiss"}, "unknown scheme 'swiss'; known: circle"),
        ({"hero": "greedy"}, "unknown hero 'greedy'; known: greedy(value=completing_absolute), novice, random"),
        ({"games": 0}, "games must be a whole number from 1"),
        ({"games": 2.5}, "not 2.5"),
        ({"games": True}, "not True"),
        ({"games": 5}, "6 seatings need at least one game each"),
        ({"seed": -1}, "seed must be a whole number from 0"),
        ({"openings": "some"}, "or \"auto\", not 'some'"),
        ({"openings": -1}, "openings must be a whole number from 0 to 1000"),
        ({"openings": 1000}, "openings = 1000, but 100 random games of quarto were over by then"),
        ({"limits": 3}, "limits must be a table"),
        ({"limits": {"memory": 1}}, "the limit memory must be at least 16 MB, which any agent needs, not 1"),
        ({"limits": {"seconds": 3}}, "unknown limit 'seconds'; known: game_seconds, increment, memory"),
        (
            {"limits": {"move_seconds": 0}},
            "the limit move_seconds must be a number above 0 and at most",
        ),
        (
            {"limits": {"nodes": 1.5}},
            "the limit nodes must be a whole number above 0",
        ),
        ({"limits": {"plies": "many"}}, "plies must be a whole number"),
        ({"limits": {"increment": 1}}, "game_seconds, which is missing"),
        ({"limits": {"move_seconds": float("inf")}}, "not inf"),
        ({"limits": {"game_seconds": float("nan")}}, "not nan"),
        ({"limits": {"plies": 10**23}}, "at most 1,000,000,000"),
        ({"limits": {"plies": 4}, "openings": 4}, "the limit plies is 4, so openings of 4 leave nothing to play"),
        ({"scheme": ["round-robin"]}, "scheme must be a text"),
        ({"hero": "random", "scheme": "self-play"}, "nobody meets the hero"),
        ({"agents": ["random", " random ( )"]}, "listed twice"),
        ({"hooks": "x.py"}, "hooks must be a list of texts"),
        ({"stop": 3}, "stop"),
        ({"stop": {"beter": "+3 %"}}, "beter"),
        (
            {"stop": {"better": "+3 %"}, "scheme": "self-play"},
            "stop can never decide: in self-play nobody meets",
        ),
        ({"stop": {"better": "+300 %"}}, "better"),
    ],
)
def test_a_mistake_is_named_in_one_sentence(plan_of, change, words):
    with pytest.raises(KibitzError) as error:
        plan_of(LEAST, **change)
    assert words in str(error.value)
    assert "plan.toml: " in str(error.value)
    assert "\n" not in str(error.value)


def test_what_is_not_toml_is_named(plan_of, tmp_path):
    with pytest.raises(KibitzError, match="is not TOML"):
        plan_of("game = quarto")
    with pytest.raises(KibitzError, match="No such file"):
        read_plan(tmp_path / "nothing.toml")


@pytest.mark.parametrize(
    "line",
    [f"seed = {'9' * 5000}", f"seed = 0x{'f' * 5000}", f"hooks = {'[' * 50_000}", f"stop = {'{a=' * 3000}"],
    ids=["digits", "hexadecimal", "lists", "tables"],
)
def test_toml_beyond_all_measure_is_refused_in_one_sentence(plan_of, line):
    with pytest.raises(KibitzError, match=r"plan\.toml: a number in it has too many digits, or it is nested too deep$"):
        plan_of(f"{LEAST.replace('seed = 11', '')}\n{line}")


def test_another_network_under_the_same_name_is_another_run(tmp_path):
    path = tmp_path / "x.npz"
    agents = [f"greedy(net({path}))", "random"]
    game = find("quarto")
    about = About("quarto", game.version, {}, 2, "lines", encodings(game)["lines"].length)
    runs = set()
    for seed in (1, 2, 1):
        path.write_bytes(as_bytes(new_network(about, (4,), seed)))
        runs.add(Plan.make("quarto", agents, games=10).run)
    assert len(runs) == 2


REFUSALS = {
    "too few games": {"games": 5},
    "an agent twice": {"agents": ["random", "novice", "random"]},
    "a stop rule without opponents": {"scheme": "self-play", "stop": {"better": "+3 %"}},
    "a limit that leaves nothing": {"openings": 4, "limits": {"plies": 4}},
    "an unknown limit": {"limits": {"speed": 4}},
    "a hook that is not there": {"hooks": ["nowhere.py"]},
    "a hero that does not play": {"hero": "greedy"},
}


@pytest.mark.parametrize("change", REFUSALS.values(), ids=REFUSALS)
def test_what_needs_no_code_to_be_refused_is_refused_before_any_runs(change, monkeypatch):
    """No agent is built, no host is started, and no rule is played."""

    def runs(*given):
        pytest.fail("code ran before the plan was refused")

    for name in ("build", "check_own_agents", "usual_opening", "check_opening"):
        monkeypatch.setattr(plans, name, runs)
    given = {"game": "quarto", "agents": ["random", "novice", "greedy(value=completing_absolute)"]} | change
    with pytest.raises(KibitzError):
        Plan.read(given)


def _verbs(folder):
    """Every verb that plays plans, with something wrong that a look shows: workers, or the place of the results."""
    spoilt = folder / "spoilt.db"
    spoilt.write_text("no ledger", encoding="utf-8")
    pair = ["--agent", "random", "--agent", "novice"]
    yield "match", ["match", "quarto", "random", "novice", "--jobs", "0"]
    yield "match into a ledger", ["match", "quarto", "random", "novice", "--db", str(spoilt)]
    yield "match into a folder that is not there", ["match", "quarto", "random", "novice", "--save", "nowhere/x.jsonl"]
    yield "tournament", ["tournament", "--game", "quarto", *pair, "--jobs", "0", "--db", str(folder / "a.db")]
    yield "tournament into a ledger", ["tournament", "--game", "quarto", *pair, "--db", str(spoilt)]
    yield "balance", ["balance", "quarto", "novice", "--jobs", "0"]
    yield "balance of variants", ["balance", "quarto", "quatro", "--agent", "novice"]
    yield "balance into a ledger", ["balance", "quarto", "novice", "--db", str(spoilt)]
    yield "gamemaster", ["gamemaster", "quarto", "python3 a.py", "python3 b.py", "--jobs", "0"]
    yield "tune", ["tune", "flat(playouts=2)", "--game", "quarto", "--param", "playouts=1:4", "--jobs", "0"]
    yield "experiment", ["experiment", "run", "quarto-values", "--jobs", "0", "--db", str(folder / "b.db")]
    yield "experiment into a ledger", ["experiment", "run", "quarto-values", "--db", str(spoilt)]


def test_every_verb_that_plays_looks_at_workers_and_files_before_agents_are_built(tmp_path, monkeypatch):
    built = []
    monkeypatch.setattr(plans, "build", lambda text, game, seed: built.append(text) or build(text, game, seed))
    for name, words in _verbs(tmp_path):
        found = CliRunner().invoke(main, words)
        assert (found.exit_code, found.stderr.count("\n")) == (2, 1), (name, found.output)
        if name == "balance of variants":
            assert "Did you mean 'quarto'" in found.stderr
        else:
            assert not built, name
        built.clear()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["spoilt.db"]
