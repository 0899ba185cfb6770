"""The public names for type checkers; made from the list in __init__.py by: python -m tests.stub"""

from kibitz import rules, scenes, search
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
from kibitz.batches import make as batch
from kibitz.batches.game_batch import GameBatch
from kibitz.core.contract import CHANCE, OVER, UNKNOWN
from kibitz.core.errors import BadGame, BadMove, BadRecord, BadValue, KibitzError
from kibitz.core.game import Game
from kibitz.core.options import Option
from kibitz.core.table import Table
from kibitz.core.world import World
from kibitz.games import Record, read_records
from kibitz.games import find as game

__version__: str

__all__ = [
    "CHANCE",
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
    "GameBatch",
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
    "batch",
    "game",
    "play_balance",
    "play_match",
    "play_tournament",
    "read_plan",
    "read_records",
    "rules",
    "scenes",
    "search",
]
