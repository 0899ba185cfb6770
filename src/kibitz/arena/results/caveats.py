"""Caveats: what a reader of results must know if the games are not what statistics take them for."""

from collections.abc import Sequence
from typing import Any

from kibitz.arena.plan.default_seed import GUESSABLE, deals_are_secret
from kibitz.arena.plan.plan import Plan
from kibitz.arena.results.run import Run
from kibitz.arena.results.secret_deals import about_deals

MOST_NAMED = 10  # games; more are counted
AGAIN = "did not count, and what the plan needs was played again"
LEFT_OUT = "did not count; the run, continued, plays again what it needs"


def cautions_of(plan: Plan, run: Run, distinct: int, played: int) -> list[str]:
    """Return all cautions of a run in memory or in a ledger, one sentence each."""
    return [
        *run.remarks(),
        *cautions(distinct, played, run.programs()),
        *guessable_deals(plan),
        *about_deals(run.dealt(), run.dropped if played < run.planned else 0),
        *killed_processes(run.killed()),
        *void_blocks(run.voids()),
        *unsound_games(run.unsound(), AGAIN),
    ]


def cautions(distinct: int, played: int, programs: int) -> list[str]:
    """Return a sentence each if most games are repetitions, or if more than one state of Kibitz's code played them."""
    found = []
    if 2 * distinct < played:
        found.append(
            "Most games are repetitions. If that is because the agents play without chance, repeated games add no "
            "information and all intervals are too narrow; random openings make games differ."
        )
    if programs > 1:
        found.append(
            f"Kibitz's own code changed while these games were played: {programs} states of it played them, and the "
            "agents may not have been the same in all games. Use a new ledger to play all games with the same code."
        )
    return found


def guessable_deals(plan: Plan) -> list[str]:
    """Return a sentence if programs of the user's own could compute what is hidden from them from the seed."""
    if plan.seed is None or plan.seed >= GUESSABLE or not deals_are_secret(plan.game, plan.agents):
        return []
    return [
        f"The seed is {plan.seed}, which an agent may guess, and with it the deals; without a seed, or with a long "
        "secret one, it cannot."
    ]


def killed_processes(killed: Sequence[str]) -> list[str]:
    """Return a sentence if processes of agents were killed and their games were played again."""
    if not killed:
        return []
    games = f"{len(killed):,} games, which were" if len(killed) > 1 else "a game, which was"
    return [f"Processes of agents were killed in {games} played again; the first: {killed[0]}."]


def void_blocks(voids: Sequence[str]) -> list[str]:
    """Return a sentence if games are void, and with them all games of their blocks."""
    if not voids:
        return []
    what = f"{len(voids):,} games are" if len(voids) > 1 else "A game is"
    return [f"{what} void, and no game of the same block counts; the first: {voids[0]}."]


def unsound_games(numbers: Sequence[Any], outcome: str) -> list[str]:
    """Return a sentence that names games of a ledger with missing or unfit rows, and says what became of them."""
    if not numbers:
        return []
    named = ", ".join(str(number + 1 if isinstance(number, int) else number) for number in numbers[:MOST_NAMED])
    more = f" and {len(numbers) - MOST_NAMED:,} more" if len(numbers) > MOST_NAMED else ""
    one = len(numbers) == 1
    what = "A row of the ledger is missing or does not fit its checksum: game" if one else (
        "Rows of the ledger are missing or do not fit their checksums: games")  # fmt: skip
    return [f"{what} {named}{more}. The file was changed or damaged; {'it' if one else 'they'} {outcome}."]
