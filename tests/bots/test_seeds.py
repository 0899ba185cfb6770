"""What programs are told as their seed: nothing from which a deal could be computed."""

import ast
import json

import pytest

from kibitz.arena.plan.plan import Plan
from kibitz.arena.play.referee import play_fixture
from kibitz.bots import bot_pool
from kibitz.bots.bot_fault import BotFault
from kibitz.bots.protocol import Clock, LineBuffer, read_referee
from kibitz.bots.protocol_driver import ProtocolDriver
from kibitz.bots.schema import schema
from kibitz.core.code_on_disk import PACKAGE
from kibitz.core.dice import _FIRST, _GOLDEN, _MASK64, _SECOND, derive
from kibitz.core.seeds import NAMES, derive_seed, seed_for_program
from kibitz.games import find
from tests.bots.gallery import LINUX, scribe, told

SECRET = 0xFEDCBA9876543210
LIMIT = 2**53
CLOCK = Clock(move_ms=1000, game_ms=None, increment_ms=0)
SMALL = range(8)  # numbers of blocks, games, seats and minds that an attacker would try


def _unmixed(x):
    """Return what the mixing step of the dice was given."""

    def unshift(x, by):
        found = x
        for _ in range(64 // by):
            found = x ^ (found >> by)
        return found

    x = unshift(x, 31) * pow(_SECOND, -1, 2**64) & _MASK64
    x = unshift(x, 27) * pow(_FIRST, -1, 2**64) & _MASK64
    return (unshift(x, 30) - _GOLDEN) & _MASK64


def computed(number):
    """Yield what can be computed from a number with all that Kibitz's own code offers."""
    yield number
    back = number
    for _ in range(4):
        back = _unmixed(back & _MASK64)
        yield back
    yield derive(number)
    yield seed_for_program(number)
    for small in SMALL:
        yield derive(number, small)
        for name in NAMES:
            yield derive_seed(number, name, small)
            yield from (derive_seed(number, name, small, other) for other in SMALL)
    yield from (derive_seed(number, name) for name in NAMES)


def numbers_in(thing):
    """Yield all whole numbers in plain data, also those in texts."""
    if isinstance(thing, dict):
        for key, value in thing.items():
            yield from numbers_in(key)
            yield from numbers_in(value)
    elif isinstance(thing, list):
        for entry in thing:
            yield from numbers_in(entry)
    elif isinstance(thing, str):
        yield from (int(word) for word in thing.split() if word.isdecimal())
    elif isinstance(thing, int) and not isinstance(thing, bool):
        yield thing


@LINUX
def test_no_message_to_a_bot_tells_the_deal(tmp_path):
    notes = tmp_path / "notes"
    agents = [scribe(notes, "view", "moves", "texts", "text", "cells", "events"), "random", "greedy"]
    game = find("cartagena(version=jamaica)")
    plan = Plan.make(game, agents, scheme="rotation", games=3, limits={"plies": 12})
    fixture = next(plan.fixtures(SECRET))
    play_fixture(game, agents, fixture, plan.limits)
    bot_pool.end_all()
    assert told(notes, "decide"), "the bot has played"
    secret = {SECRET, fixture.deal_seed, *fixture.agent_seeds}
    (new,) = told(notes, "new")
    assert new["seed"] in {seed_for_program(seed) for seed in fixture.agent_seeds}
    for number in {found for line in notes.read_text().splitlines() for found in numbers_in(json.loads(line))}:
        assert secret.isdisjoint(computed(number)), number


def test_seeds_of_programs_fit_into_numbers_of_any_language():
    seeds = [seed_for_program(seed) for seed in range(2000)]
    assert all(0 <= seed < LIMIT for seed in seeds)
    assert max(seeds) > LIMIT // 2
    assert len(set(seeds)) == 2000
    assert all(float(seed) == seed for seed in seeds)


def test_the_schema_says_how_large_a_seed_is():
    seed = schema()["$defs"]["New"]["properties"]["seed"]
    assert (seed["minimum"], seed["exclusiveMaximum"]) == (0, LIMIT)
    assert "2^53" in seed["description"]
    new = {"type": "new", "id": 1, "game": "quarto", "version": 1, "options": {}, "seats": 2, "seat": 0,
           "seat_names": [], "clock": {"move_ms": 1, "game_ms": None, "increment_ms": 0}}  # fmt: skip
    assert read_referee(json.dumps(new | {"seed": LIMIT - 1})).seed == LIMIT - 1
    with pytest.raises(BotFault, match="seed"):
        read_referee(json.dumps(new | {"seed": LIMIT}))


def test_one_place_tells_programs_their_seed():
    telling = [
        path.name
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "New"
    ]
    assert telling == ["protocol_driver.py"]


class Agreeable:
    """A wire to a bot that says ok to everything."""

    def __init__(self):
        self.lines, self.chatter = LineBuffer(), []

    def begin_game(self):
        """Count nothing."""

    def send(self, line, until):
        """Answer at once."""
        self.lines.feed(b'{"type": "ok", "id": %d}\n' % json.loads(line)["id"])

    def receive(self, until):
        """Return the answer."""
        return self.lines.next()


def test_the_same_agent_seed_gives_a_program_the_same_seed():
    told_seeds = []
    for seed in (5, 5, 6):
        driver = ProtocolDriver(Agreeable(), lambda who, line: told_seeds.append(json.loads(line).get("seed")))
        driver.new(find("quarto"), 0, CLOCK, seed, 1)
    assert told_seeds[::2] == [seed_for_program(5), seed_for_program(5), seed_for_program(6)]
