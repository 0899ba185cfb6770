"""The standings: what came of a run, computed anew from its ledger, as plain data."""

import json
from collections import Counter
from typing import Any

from kibitz.arena.ledger import Games, Ledger
from kibitz.arena.statistics.interval import games_needed
from kibitz.arena.statistics.rating import notes, rate
from kibitz.arena.tally import Scores

MOST_FAULTS = 5  # shown; all are in the ledger


def summary(ledger: Ledger, name: str | None) -> dict[str, Any]:
    """Return the result of a run."""
    found = ledger.find(name)
    plan, games = json.loads(found["plan"]), ledger.games(found["id"])
    ranked, told = standings(plan["agents"], games)
    distinct = ledger.distinct(found["id"])
    faults = [fault for _, fault, _ in ledger.notes(found["id"]) if fault]
    return {
        "run": found["name"],
        "plan": plan,
        "planned": found["planned"],
        "played": len(games.numbers),
        "standings": ranked,
        "notes": told + cautions(distinct, len(games.numbers), ledger.programs(found["id"])),
        "distinct": distinct,
        "reasons": {str(reason): count for reason, count in Counter(games.reasons).items()},
        "faults": faults[:MOST_FAULTS],
        "stop": json.loads(found["verdict"]),
        "seconds": found["wall"],
        "digest": ledger.digest(found["id"]),
    }


def standings(agents: list[str], games: Games) -> tuple[list[dict[str, Any]], list[str]]:
    """Return a row for every agent, the best first, and what a reader must know beside the numbers."""
    if not len(games.numbers):
        return [], ["No game has been played yet."]
    scores = Scores.start(agents, games.seatings.shape[1])
    scores.add(games)
    ratings = rate(games.seatings, games.payoffs, games.blocks, len(agents))
    rows = []
    for tally, rated in zip(scores.tallies, ratings.agents, strict=True):
        row = tally.summary()
        row["win_interval"] = row.pop("interval")
        rows.append({
            "agent": tally.agent,
            "games": int(tally.games.sum()),
            **{name: row[name] for name in ("wins", "draws", "losses")},
            "rating": rated.points,
            "interval": list(rated.interval),
            **{name: row[name] for name in ("win_rate", "win_interval", "mean_payoff", "by_seat", "seconds_per_move")},
        })  # fmt: skip
    rows.sort(key=lambda row: -row["rating"])
    return rows, [*notes(ratings, agents), *_games_to_come(rows, games.seatings.shape[1])]


def _games_to_come(rows: list[dict[str, Any]], seats: int) -> list[str]:
    """Say how many games would tell the first two agents apart, if these did not."""
    if len(rows) < 2 or rows[0]["interval"][0] > rows[1]["interval"][1]:
        return []
    first, second = rows[:2]
    ahead = (first["mean_payoff"] - second["mean_payoff"]) / 2
    if not 0 < ahead < 1 - 1 / seats:
        return []
    needed = games_needed(1 / seats, ahead)
    return [
        f"{first['agent']} and {second['agent']} cannot be told apart yet; if they differ as much as it seems, "
        f"that takes no more than about {needed:,} games of each."
    ]


def cautions(distinct: int, played: int, programs: int) -> list[str]:
    """Say so if games are not what statistics take them for: many different ones, played by one program."""
    said = []
    if 2 * distinct < played:
        said.append(
            "Most games are repetitions. Where that is because agents play without chance, they tell nothing new and "
            "all intervals are too narrow; random openings make games differ."
        )
    if programs > 1:
        said.append(
            f"Kibitz's own code was changed in between: {programs} states of it played these games, and agents may "
            "not have been the same in all of them. A new ledger (--db) is played by one."
        )
    return said
