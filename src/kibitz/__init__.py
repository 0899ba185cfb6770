"""Kibitz: a laboratory for board games with more than two seats, hidden cards, or both.

    game = kibitz.game("chexers")                          # the rules, with seats and options chosen
    mind = kibitz.agent("maxn(depth=3)", game, seed=1)     # somebody who plays it
    table = kibitz.Table(game, seed=7)                     # one game in play
    table.play(mind.decide(table.view(table.turn)).move)   # view, decide, play

Authors of games import from `kibitz.rules`, authors of agents also from `kibitz.search`; `kibitz.pettingzoo`,
`kibitz.gymnasium` and `kibitz.openspiel` are doors to other systems. Everything is loaded when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kibitz import rules, search
    from kibitz.agents import build as agent
    from kibitz.agents.agent import Agent, Decision
    from kibitz.arena.balance import play_balance
    from kibitz.arena.match import play_match
    from kibitz.arena.plan.plan import Plan
    from kibitz.arena.plan.plan_file import read_plan
    from kibitz.arena.results.balance_result import BalanceResult
    from kibitz.arena.results.match_result import MatchResult
    from kibitz.arena.results.tournament_result import TournamentResult
    from kibitz.arena.tournament import play_tournament
    from kibitz.core.contract import OVER, UNKNOWN
    from kibitz.core.errors import BadGame, BadMove, BadRecord, BadValue, KibitzError
    from kibitz.core.game import Game
    from kibitz.core.options import Option
    from kibitz.core.record import Record, read_records
    from kibitz.core.table import Table
    from kibitz.core.world import World
    from kibitz.games import find as game

__version__ = "0.1.0"

__all__ = [
    "OVER",
    "UNKNOWN",
    "Agent",
    "BadGame",
    "BadMove",
    "BadRecord",
    "BadValue",
    "BalanceResult",
    "Decision",
    "Game",
    "KibitzError",
    "MatchResult",
    "Option",
    "Plan",
    "Record",
    "Table",
    "TournamentResult",
    "World",
    "__version__",
    "agent",
    "game",
    "play_balance",
    "play_match",
    "play_tournament",
    "read_plan",
    "read_records",
    "rules",
    "search",
]

_HOMES = {  # where each name is found
    "kibitz.agents": {"agent": "build"},
    "kibitz.agents.agent": {"Agent": "Agent", "Decision": "Decision"},
    "kibitz.arena.balance": {"play_balance": "play_balance"},
    "kibitz.arena.match": {"play_match": "play_match"},
    "kibitz.arena.plan.plan": {"Plan": "Plan"},
    "kibitz.arena.plan.plan_file": {"read_plan": "read_plan"},
    "kibitz.arena.results.balance_result": {"BalanceResult": "BalanceResult"},
    "kibitz.arena.results.match_result": {"MatchResult": "MatchResult"},
    "kibitz.arena.results.tournament_result": {"TournamentResult": "TournamentResult"},
    "kibitz.arena.tournament": {"play_tournament": "play_tournament"},
    "kibitz.core.contract": {"OVER": "OVER", "UNKNOWN": "UNKNOWN"},
    "kibitz.core.errors": {name: name for name in ("BadGame", "BadMove", "BadRecord", "BadValue", "KibitzError")},
    "kibitz.core.game": {"Game": "Game"},
    "kibitz.core.options": {"Option": "Option"},
    "kibitz.core.record": {"Record": "Record", "read_records": "read_records"},
    "kibitz.core.table": {"Table": "Table"},
    "kibitz.core.world": {"World": "World"},
    "kibitz.games": {"game": "find"},
}
_DOORS = ("rules", "search", "pettingzoo", "gymnasium", "openspiel")


def __getattr__(name: str) -> Any:
    if name in _DOORS:
        return import_module(f"kibitz.{name}")
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(home), names[name])
    raise AttributeError(f"module 'kibitz' has no attribute {name!r}; it has {', '.join(__all__)}")


def __dir__() -> list[str]:
    return sorted(__all__)
