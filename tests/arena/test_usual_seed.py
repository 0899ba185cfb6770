"""The seed of a plan that names none."""

import ast
from secrets import DEFAULT_ENTROPY

import pytest

from kibitz.arena import balance
from kibitz.arena.plan.plan import Plan
from kibitz.arena.results.caveats import guessable_deals
from kibitz.core.code_on_disk import PACKAGE
from kibitz.core.seeds import SEED_BITS, secret_seed
from kibitz.lab import tuning

OWN = """
from kibitz import Agent

class Mine(Agent):
    def decide(self, view):
        return self.legal(view)[0]
"""

HIDDEN = "cartagena(version=jamaica)"
BOT = "bot(cmd='true')"
LEAST_BITS = 64  # of what nobody may guess
DRAWS = {"randbits": 1, "getrandbits": 1, "token_bytes": 8, "token_hex": 8, "token_urlsafe": 8, "urandom": 8}  # bits
FEW = {"randbelow", "SystemRandom"}  # draw from a range, which may be small
NO_SECRETS = {PACKAGE / "bots" / "sandbox" / "self_test.py"}  # the number of a segment of memory, which all may know


def test_programs_of_one_s_own_cannot_guess_the_deals_of_a_game_with_secrets(tmp_path):
    own = tmp_path / "mine.py"
    own.write_text("from kibitz import Agent\n\nclass Mine(Agent):\n    def decide(self, view):\n        return 0\n")
    for text in (BOT, str(own)):
        plan = Plan.make(HIDDEN, [text, "random", "greedy"])
        assert plan.seed is None
        assert plan.session_seed() != plan.session_seed()
        assert "seed 1" not in repr(plan)


@pytest.mark.parametrize(("game", "agents"), [("quarto", [BOT, "random"]), (HIDDEN, ["random", "greedy", "top3"])])
def test_elsewhere_it_is_the_same_for_all(game, agents):
    assert Plan.make(game, agents).seed == 1


def test_a_seed_that_is_named_stays_what_it_is():
    plan = Plan.make(HIDDEN, [BOT, "random", "greedy"], seed=7)
    assert plan.session_seed() == plan.seed == 7


def test_a_seed_that_can_be_guessed_is_noted():
    agents = [BOT, "random", "greedy"]
    assert "which an agent may guess" in guessable_deals(Plan.make(HIDDEN, agents, seed=7))[0]
    assert guessable_deals(Plan.make(HIDDEN, agents)) == []
    assert guessable_deals(Plan.make(HIDDEN, ["random", "greedy", "top3"], seed=7)) == []


def test_secrets_are_drawn_from_the_whole_range():
    drawn = [secret_seed() for _ in range(64)]
    assert max(drawn) >= 2 ** (LEAST_BITS - 1), "which fails once in 2^64 runs"
    assert len(set(drawn)) == 64


def _draws(tree):
    """Yield the calls in a module that draw random numbers, with how many bits they draw if that is written there."""
    constants = {
        target.id: node.value.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    constants["SEED_BITS"] = SEED_BITS
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name in FEW:
            yield node, 0
        if name in DRAWS:
            size = node.args[0] if node.args else ast.Constant(DEFAULT_ENTROPY)
            number = size.value if isinstance(size, ast.Constant) else constants.get(getattr(size, "id", ""), 0)
            yield node, DRAWS[name] * number


def test_nothing_is_drawn_from_the_system_that_can_be_guessed():
    seen = 0
    for path in set(PACKAGE.rglob("*.py")) - NO_SECRETS:
        for node, bits in _draws(ast.parse(path.read_text())):
            seen += 1
            assert bits >= LEAST_BITS, f"{path}, line {node.lineno}: draws {bits} bits; secret_seed() draws {SEED_BITS}"
    assert seen >= 4


def test_balance_and_tune_draw_secret_deals_too(tmp_path, monkeypatch):
    path, drawn, secret = tmp_path / "mine.py", [], 2**63 + 5
    path.write_text(OWN)
    for game, seed in (("./tests/kuhn", None), ("quarto", 1)):
        monkeypatch.setattr(balance, "_play", lambda plan, *given: drawn.append(plan.seed))
        balance.play_balance(game, str(path), games=4)
        assert drawn.pop() == seed
        monkeypatch.setattr(tuning, "secret_seed", lambda: secret)
        monkeypatch.setattr(tuning, "_seek", lambda earned, parameters, trials, seed, first: drawn.append(seed))
        with pytest.raises(ValueError, match="empty"):  # as nothing was tried
            tuning.tune(game, "ismcts(iterations=1)", [tuning.Parameter.read("iterations=1:2")], [str(path)])
        assert drawn.pop() == (seed or secret)
