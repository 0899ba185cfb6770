"""Caveats: what a reader of results must know if the games are not what statistics assume."""

from collections.abc import Sequence
from typing import Any

from kibitz.arena.plan.plan import GUESSABLE, Plan, deals_are_secret
from kibitz.arena.results.game_columns import GameColumns
from kibitz.arena.results.run import Run
from kibitz.arena.results.secret_deals import about_deals

MOST_NAMED = 10  # games; more are counted
AGAIN = "did not count, and what the plan needs was played again"
LEFT_OUT = "did not count; the run, continued, plays again what it needs"


def caveats_of(run: Run, played: GameColumns, distinct: int) -> list[str]:
    """Return all caveats of a run, one sentence each; `played` are its games, of which `distinct` differ."""
    dropped = run.dropped if len(played.counted().numbers) < run.planned else 0
    deals = [*guessable_deals(run.plan), *about_deals(run.dealt(), dropped)]
    return [
        *run.remarks(),
        *caveats(played, distinct, run.programs(), deals),
        *unsound_games(run.unsound(), AGAIN),
    ]


def caveats(played: GameColumns, distinct: int, programs: int, deals: Sequence[str]) -> list[str]:
    """Return a sentence each on repeated games, changed code, secret deals, killed processes and void games."""
    found = repetitions(distinct, len(played.counted().numbers))
    if programs > 1:
        found.append(
            f"Kibitz's own code changed while these games were played: {programs} versions of it played them, and the "
            "agents may not have been the same in all games. Use a new ledger to play all games with the same code."
        )
    found += deals
    if killed := played.killed:
        games = f"{len(killed):,} games, which were" if len(killed) > 1 else "a game, which was"
        found.append(f"Processes of agents were killed in {games} played again; the first: {killed[0]}.")
    if voids := played.voids:
        what = f"{len(voids):,} games are" if len(voids) > 1 else "A game is"
        found.append(f"{what} void, and no game of the same block counts; the first: {voids[0]}.")
    return found


def repetitions(distinct: int, games: int) -> list[str]:
    """Return a sentence if most games are repetitions of others."""
    if 2 * distinct >= games:
        return []
    return [
        "Most games are repetitions. If that is because the agents play without chance, repeated games add no "
        "information and all intervals are too narrow; random openings make games differ."
    ]


def guessable_deals(plan: Plan) -> list[str]:
    """Return a sentence if programs of the user's own could compute what is hidden from them from the seed."""
    if plan.seed is None or plan.seed >= GUESSABLE or not deals_are_secret(plan.game, plan.agents):
        return []
    return [
        f"The seed is {plan.seed}, which an agent may guess, and with it the deals; without a seed, or with a long "
        "secret one, it cannot."
    ]


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
