"""What several tests of the arena do: play fixtures of their own, and fixtures of a rotation."""

from dataclasses import replace

from kibitz.arena.plan.limits import NO_LIMITS
from kibitz.arena.plan.plan import Plan
from kibitz.arena.plan.schedule import schedule
from kibitz.arena.plan.schemes import seatings
from kibitz.arena.play.local import play_locally
from kibitz.arena.play.referee import play_fixture


def rotation(game, games, seed):
    """Return the fixtures of a match with an agent for every seat."""
    tables = seatings("rotation", game.seats, game.seats, None)
    return list(schedule(game, game.seats, tables, games, seed, 0))


def play(game, agents, fixtures, jobs, limits=NO_LIMITS, isolate=False, **more):
    """Play fixtures on this machine; agents by path in the workers, unless they are to be isolated."""
    return play_locally(Plan(game, tuple(agents), limits=replace(limits, isolate=isolate)), fixtures, jobs, **more)


def play_inside(game, agents, fixture, limits=NO_LIMITS, *more):
    """Play one fixture in this process, agents by path included."""
    return play_fixture(game, agents, fixture, replace(limits, isolate=False), *more)


def without_chance(folder):
    """Agents that play the first legal move, and the last."""
    for name, place in (("first", 0), ("last", -1)):
        source = "from kibitz.agents.agent import Agent, Decision\nclass Stiff(Agent):\n    'Stiff.'\n"
        source += f"    def decide(self, view):\n        return Decision(int(self.legal(view)[{place}]))\n"
        (folder / f"{name}.py").write_text(source, encoding="utf-8")
    return [str(folder / "first.py"), str(folder / "last.py")]
