"""Balance: one agent in all seats, many games; does a seat win more often than the others?"""

from collections.abc import Sequence
from pathlib import Path

from kibitz.agents import AgentLike
from kibitz.arena.mass_session import WORTH_IT, can_be_massed, play_mass
from kibitz.arena.plan.plan import Plan, default_seed
from kibitz.arena.play.card_games import check_plan
from kibitz.arena.results.balance_result import BalanceComparison, BalanceResult, balance_comparison, balance_result
from kibitz.arena.results.statistics.fairness import FEW_ROWS
from kibitz.arena.session import Interrupted, OnProgress, play_plan, preflight
from kibitz.batches.game_batch import CPU, device_of
from kibitz.batches.processor import Processor
from kibitz.core.errors import BadValue
from kibitz.core.game import Game
from kibitz.core.seeds import VARIANT, derive_seed
from kibitz.games import find

USUAL_GAMES = 1000


def play_balance(
    game: Game | str,
    agent: AgentLike,
    games: int = USUAL_GAMES,
    seed: int | None = None,
    jobs: int = 1,
    openings: int | str = "auto",
    db: Path | str | None = None,
    progress: OnProgress | None = None,
    device: str = CPU,
) -> BalanceResult:
    """Play an agent against itself in all seats and return what the seats are worth.

    The default seed is 1, or a secret where an agent of your own plays a game with secrets. `openings` is a number of
    random plies; `"auto"` plays some where all deals are alike. Results are kept in the ledger `db`, if there is one.
    The agent may also be a class that inherits from Agent, as in `play_match`. With `device="gpu"`, a graphics card
    plays; the agent must be a policy then. Of a policy, only sums are kept where there is no ledger, so there may be
    billions of games.
    """
    preflight(jobs, db)
    return _play(_plan(game, agent, games, seed, openings), jobs, db, progress, device)


def play_variants(
    games: Sequence[Game | str],
    agent: str,
    number: int = USUAL_GAMES,
    seed: int | None = None,
    jobs: int = 1,
    openings: int | str = "auto",
    db: Path | str | None = None,
    progress: OnProgress | None = None,
    device: str = CPU,
) -> BalanceComparison:
    """Play an agent against itself in several games or variants and lay the results side by side.

    The first has this seed and the others different ones, so that variants share no dice.
    After Ctrl-C, the KeyboardInterrupt that is raised has the variants so far, the last one in part, as `result`.
    """
    preflight(jobs, db)
    rules = [game if isinstance(game, Game) else find(game) for game in games]
    plans = [_plan(game, agent, number, _seed_of(game, agent, seed, at), openings) for at, game in enumerate(rules)]
    found: list[BalanceResult] = []
    try:
        for plan in plans:
            check_plan(device, plan)
        for plan in plans:
            found.append(_play(plan, jobs, db, progress, device))
    except Interrupted as stop:
        raise Interrupted(balance_comparison([*found, stop.result])) from None
    return balance_comparison(found)


def _seed_of(game: Game, agent: str, seed: int | None, at: int) -> int | None:
    """Return the seed of a variant, or None where each session draws its own."""
    first = default_seed(game, [agent]) if seed is None else seed
    return derive_seed(first, VARIANT, at) if at and first is not None else first


def _plan(game: Game | str, agent: AgentLike, games: int, seed: int | None, openings: int | str) -> Plan:
    """Return the plan that compares the seats of a game, which must have several."""
    rules = game if isinstance(game, Game) else find(game)
    if rules.seats < 2:
        raise BadValue(f"{rules} has one seat only; there is nothing to compare")
    return Plan.make(rules, [agent], scheme="self-play", games=games, seed=seed, openings=openings)


def _play(
    plan: Plan, jobs: int, db: Path | str | None, progress: OnProgress | None, device: str
) -> BalanceResult:  # fmt: skip
    check_plan(device, plan)
    enough = FEW_ROWS if device != CPU else WORTH_IT
    if db is None and plan.planned > enough and can_be_massed(plan):
        return play_mass(plan, Processor(plan.game, jobs) if device == CPU else device_of(plan.game, device), progress)
    return play_plan(plan, balance_result, db, jobs, progress, keep_records=db is not None, device=device)
