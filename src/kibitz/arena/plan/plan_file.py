"""The file of a plan: a small TOML file, read and checked as a whole before the first game."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kibitz.arena.plan.plan import Plan, deals_are_secret
from kibitz.core.errors import BadValue, UnknownName
from kibitz.core.hidden_files import hide

EXAMPLE = """\
# A tournament of Kibitz. Play it with:  kibitz tournament FILE --db results.db
# Only `game` and `agents` are required; every other line shows its default, or is commented out.

game = "quarto"            # with options if you like: "cartagena(seats=4, version=jamaica)"
agents = ["random", "novice", "greedy(value=completing_absolute)"]

# Who meets whom:
#   round-robin          every seating of the agents
#   rotation             one agent a seat; they move on by one seat from game to game. "2*random" is one agent twice
#   gauntlet             the hero against the field, in every seat
#   circle               few tables for many agents: each meets some others, every table in all turns of its seats
#   one-against-copies   one agent in every seat against copies of another: the hero, or each in turn
#   fixed                the agents keep the seats in which they are listed
#   self-play            copies of each agent among themselves: what are the seats worth?
#   cross-play           copies of each agent, and each with each: for games in which all seats earn the same
#   equal-shares         every agent in as many seats as any other, in every seating: two and two in four seats
scheme = "round-robin"
# hero = "novice"          # for gauntlet, one-against-copies and stop; the first agent if not named

games = 1000               # in all; rounded up so that every seating is played equally often
# seed = 1                 # the same seed gives the same games; without it 1, or drawn where deals must be secret
openings = "auto"          # random plies before the agents take over; "auto": none where deals differ anyway

# Stop as soon as it is clear whether the hero earns more than an average seat, by the sequential test of Wald:
# stop = { better = "+3 %", alpha = 0.05, beta = 0.05 }

isolate = true             # agents named by a path decide in processes of their own that hold views and nothing else

# hooks = ["my_hooks.py"]  # Python files with before(plan), after(game) and summary(), for statistics of your own

[limits]                   # an agent that breaks one loses its game; without a line there is no such limit
# move_seconds = 1.0       # for one move
# game_seconds = 60.0      # for all moves of a seat in one game
# increment = 0.5          # seconds added to that clock after each move
# nodes = 100000           # positions searched for one move
# plies = 500              # moves of all seats in one game, which is then a draw
# memory = 2000            # MB that the agents of a game may take together
# start_seconds = 60.0     # to build an agent, where there is a clock
"""


def read_plan(path: Path, changes: Mapping[str, Any] | None = None) -> Plan:
    """Read a plan from a TOML file; changes that are not None replace its lines, and single lines of its tables."""
    path = Path(path)
    given = _toml(path)
    for name, value in (changes or {}).items():
        if value is not None:
            both = isinstance(value, dict) and isinstance(given.get(name), dict)
            given[name] = given[name] | value if both else value
    try:
        plan = Plan.read(given)
    except (BadValue, UnknownName) as error:
        raise BadValue(f"{path}: {error}") from None
    if plan.seed is not None and deals_are_secret(plan.game, plan.agents):
        hide(path)  # it tells the seed to programs that can read it
    return plan


def _toml(path: Path) -> dict[str, Any]:
    try:
        given = tomllib.loads(path.read_text(encoding="utf-8-sig"))
        repr(given)  # an error must be able to show it
        return given
    except OSError as error:
        raise BadValue(f"cannot read {path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadValue(f"{path} is not TOML: {error}") from None
    except (ValueError, RecursionError):
        raise BadValue(f"cannot read {path}: a number in it has too many digits, or it is nested too deep") from None
