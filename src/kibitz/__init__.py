"""Kibitz: a laboratory for board games with more than two seats, hidden cards, or both.

    game = kibitz.game("chexers")                          # the rules, with seats and options chosen
    mind = kibitz.agent("maxn(depth=3)", game, seed=1)     # an agent that plays it
    table = kibitz.Table(game, seed=7)                     # one game in play
    table.play(mind.decide(table.view(table.turn)).move)   # view, decide, play

Authors of games import from `kibitz.rules` and `kibitz.scenes`, authors of agents also from `kibitz.search`;
`kibitz.pettingzoo`, `kibitz.gymnasium` and `kibitz.openspiel` are bridges to other systems. Everything is loaded when
it is first used.
"""

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

# All public names by their modules; __init__.pyi, for type checkers, is made from this.
_HOMES = {
    "kibitz": ("rules", "scenes", "search"),
    "kibitz.agents": ("build as agent",),
    "kibitz.agents.agent": ("Agent", "Decision"),
    "kibitz.arena.balance": ("play_balance",),
    "kibitz.arena.match": ("play_match",),
    "kibitz.arena.plan.plan": ("Plan",),
    "kibitz.arena.plan.plan_file": ("read_plan",),
    "kibitz.arena.results.balance_result": ("BalanceResult",),
    "kibitz.arena.results.match_result": ("MatchResult",),
    "kibitz.arena.results.tournament_result": ("TournamentResult",),
    "kibitz.arena.tournament": ("play_tournament",),
    "kibitz.batches": ("make as batch",),
    "kibitz.batches.game_batch": ("GameBatch",),
    "kibitz.core.contract": ("CHANCE", "OVER", "UNKNOWN"),
    "kibitz.core.errors": ("BadGame", "BadMove", "BadRecord", "BadValue", "KibitzError"),
    "kibitz.core.game": ("Game",),
    "kibitz.core.options": ("Option",),
    "kibitz.core.table": ("Table",),
    "kibitz.core.world": ("World",),
    "kibitz.games": ("find as game", "Record", "read_records"),
}
_BRIDGES = ("pettingzoo", "gymnasium", "openspiel")  # each needs another library, so * leaves them out
_FOUND = {entry.split()[-1]: (home, entry.split()[0]) for home, entries in _HOMES.items() for entry in entries}

__all__ = sorted([*_FOUND, "__version__"])  # noqa: PLE0605


def __getattr__(name: str) -> Any:
    home, attribute = _FOUND.get(name, ("kibitz", name))
    if home != "kibitz":
        return getattr(import_module(home), attribute)
    if name in _FOUND or name in _BRIDGES:
        return import_module(f"kibitz.{name}")
    raise AttributeError(f"module 'kibitz' has no attribute {name!r}; it has {', '.join(__all__)}")


def __dir__() -> list[str]:
    return list(__all__)
