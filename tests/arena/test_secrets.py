"""What the arena shows an agent: never anything of the deal it is about to play."""

from types import SimpleNamespace

import pytest

import kibitz
from kibitz.arena.plan.fixture import Fixture
from kibitz.arena.plan.schedule import schedule
from kibitz.arena.play import warm_up
from kibitz.core.dice import _FIRST, _GOLDEN, _MASK64, _SECOND


@pytest.fixture
def shown(monkeypatch):
    """The views that agents are shown while they warm up."""
    views = []
    stub = SimpleNamespace(warm_up=lambda view: views.append(view.tolist()))
    monkeypatch.setattr(warm_up, "build", lambda *_, **__: stub)
    monkeypatch.setattr(warm_up, "_warm", set())
    return views


@pytest.mark.parametrize("text", ["colonizers", "cartagena(version=jamaica)"])
def test_agents_warm_up_on_another_deal_than_the_one_they_play(shown, text):
    game = kibitz.game(text)
    fixture = Fixture(0, 0, (0,) * game.seats, 17, (1,) * game.seats)
    warm_up.WarmUp(game, ["random"]).before(fixture)
    assert len(shown) == 2
    table = kibitz.Table(game, fixture.deal_seed)
    assert all(table.view(seat).tolist() not in shown for seat in range(game.seats))


def _unmixed(x: int) -> int:
    """Return what the mixing step of the dice was given."""

    def unshift(x: int, by: int) -> int:
        found = x
        for _ in range(64 // by):
            found = x ^ (found >> by)
        return found

    x = unshift(x, 31) * pow(_SECOND, -1, 2**64) & _MASK64
    x = unshift(x, 27) * pow(_FIRST, -1, 2**64) & _MASK64
    return (unshift(x, 30) - _GOLDEN) & _MASK64


def test_undoing_the_dice_leads_from_no_agent_s_seed_to_the_deal(quarto):
    for fixture in schedule(quarto, 2, [(0, 1), (1, 0)], 20, 12345, 0):
        for seed in fixture.agent_seeds:
            for steps in range(4):
                seed = _unmixed(seed)
                assert seed & ~0xFFFF != 0, f"a path of small numbers lies behind the seed, {steps} steps up"
                assert seed != fixture.deal_seed


def test_deals_openings_and_minds_of_a_schedule_share_no_seed():
    game, seen = kibitz.game("chexers"), set()
    for fixture in schedule(game, 3, [(0, 1, 2), (1, 2, 0), (2, 0, 1)], 30, 1, 6):
        seeds = [*fixture.agent_seeds, *([fixture.deal_seed] if fixture.number % 3 == 0 else [])]
        assert seen.isdisjoint(seeds)
        seen |= set(seeds)
    assert len(seen) == 30 * 3 + 10
