"""Tree searches stay within their memory, go on with what they have, and say so."""

import numpy as np
import pytest

from kibitz import agents, games
from kibitz.agents.search.endgames import Endgames
from kibitz.core.errors import BadValue
from kibitz.core.table import Table
from tests.agents.test_trees import TREES

SEARCHES = ("minimax", "maxn", "paranoid", "offensive", "nsp", "brs", "opps")


def bytes_of(thing, seen):
    """Return how much all arrays that an object holds take, each counted once, whatever it is read as."""
    if isinstance(thing, np.ndarray):
        memory = thing.base if isinstance(thing.base, np.ndarray) else thing
        known = id(memory) in seen
        seen.add(id(memory))
        return 0 if known else memory.nbytes
    if isinstance(thing, dict):
        return sum(bytes_of(part, seen) for part in thing.values())
    if isinstance(thing, tuple | list):
        return sum(bytes_of(part, seen) for part in thing)
    return 0


def held(mind):
    """Return how much an agent holds, the searches within it included."""
    seen, met, waiting, total = set(), [mind], [mind], 0
    while waiting:
        one = waiting.pop()
        for thing in [*vars(one).values(), *(one.searches.values() if hasattr(one, "searches") else ())]:
            total += bytes_of(thing, seen)
            if type(thing).__module__.startswith("kibitz.agents") and not isinstance(thing, tuple) and thing not in met:
                met.append(thing)
                waiting.append(thing)
    return total


@pytest.mark.parametrize("name", [*games.names(), f"{TREES}(seats=6, branch=8)", "cartagena(seats=5)"])
@pytest.mark.parametrize("memory", [1, 3, 64])
def test_no_search_holds_more_than_its_memory(name, memory):
    game, built = games.find(name), 0
    for search in (*SEARCHES, "mpmix"):
        try:
            mind = agents.build(f"{search}(memory={memory})", game, 1)
        except BadValue:
            continue  # the search is not for this game
        if search == "maxn" and isinstance(mind.driver, Endgames):
            assert mind.driver.two_seats is not None
            assert mind.driver.path is not None
        assert 10_000 < held(mind) <= memory * 2**20, search
        built += 1
    assert built >= 4


@pytest.mark.parametrize("search", ["maxn", "nsp", "nsp(prune=any)", "offensive", "paranoid", "opps(1, 1, 1)", "brs"])
def test_a_search_too_deep_for_its_memory_looks_less_far_and_says_so(search):
    game = games.find("cartagena").opened()
    view = Table(game, 1).view(0)
    text = search.removesuffix(")") + (", " if "(" in search else "(")
    found = agents.build(f"{text}depth=200, width=1, memory=1)", game, 1).decide(view)
    assert found.short
    assert 0 < found.depth < 200
    assert not found.exact
    assert found.move in Table(game, 1).moves()


@pytest.mark.parametrize("name", games.names())
@pytest.mark.parametrize("search", SEARCHES)
def test_deep_searches_with_little_memory_never_fail(name, search):
    game = games.find(name)
    try:
        mind = agents.build(f"{search}(depth=200, nodes=3000, memory=1, opening=none)", game, 1)
    except BadValue:
        return  # the search is not for this game
    table = Table(game, 2)
    for _ in range(3):
        table.play(mind.decide(table.view(table.turn)).move)


def test_a_search_that_has_room_is_not_short():
    game = games.find("cartagena").opened()
    found = agents.build("maxn(depth=2, width=2)", game, 1).decide(Table(game, 1).view(0))
    assert not found.short
    assert found.depth == 2


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("maxn(memory=0)", "maxn: option memory=0 does not fit; it takes a whole number from 1 to 65536"),
        ("paranoid(memory=much)", "paranoid: option memory=much does not fit; it takes a whole number from 1 to 65536"),
        ("brs(memory=1e9)", "brs: option memory=1e9 does not fit"),
        ("mpmix(memory=2)", "mpmix: memory=2 is too little for its three searches; it takes 3"),
    ],
)
def test_bad_memory_is_refused_in_a_sentence(text, sentence):
    with pytest.raises(BadValue, match=sentence):
        agents.build(text, games.find("chexers"), 1)
