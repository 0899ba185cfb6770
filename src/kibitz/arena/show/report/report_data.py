"""The report of a run: every figure as plain data, recomputed from its ledger.

Agents are listed by rating or, where payoffs count, by mean payoff, the best first; `rank` is the place in that list.
A part for which there is no data is None or empty.
"""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from kibitz.arena.results.agent_rows import seat_rows
from kibitz.arena.results.caveats import LEFT_OUT, caveats, unsound_games
from kibitz.arena.results.game_columns import GameColumns
from kibitz.arena.results.ledger import Ledger, LedgerEntry
from kibitz.arena.results.secret_deals import about_deals
from kibitz.arena.results.statistics.fairness import FairnessTest, equal_payoffs, fair_seats, holm
from kibitz.arena.results.statistics.interval import LEVEL, LEVEL_AFTER_STOP, mean_in_range, wilson_of_blocks
from kibitz.arena.results.statistics.outcome import outcomes
from kibitz.arena.results.statistics.rating import rate
from kibitz.arena.results.tournament_result import Standings, standings
from kibitz.arena.show.report.timeline import timeline

FORMAT = 1
MOST_FAULTS = 20  # quoted; all are in the ledger
MOST_BINS = 30  # of a histogram


def report(ledger: Ledger, name: str | None) -> dict[str, Any]:
    """Return the report of a run, or of the newest one."""
    found = ledger.find(name)
    run, plan = found["id"], json.loads(found["plan"])
    played = ledger.games(run)
    games = played.counted()
    dealt = ledger.dealt(run) if plan["seed"] is None else ()
    data = {"report": FORMAT, **_what_was_played(ledger, found, plan, games)}
    data["dealt"] = [part.as_dict() for part in dealt]
    unsound = [*unsound_games(ledger.unsound(run), LEFT_OUT), *ledger.oddities(run)]
    if not len(games.numbers):
        return {**data, "notes": ["No game has been played yet.", *unsound], "standings": []}
    agents, stopped = games.agents, data["stop"] is not None
    level = LEVEL_AFTER_STOP if stopped else LEVEL
    ranked = standings(games, stopped)
    order, width = ranked.order, bin_width(int(games.plies.max()))
    figures = {
        **data,
        "scoring": asdict(games.scoring),
        "seat_names": plan["seats"],
        "notes": [
            *ledger.remarks(run),
            *ranked.notes,
            *caveats(played, data["distinct"], ledger.programs(run), about_deals(dealt)),
            *unsound,
        ],
        "standings": [{"rank": rank, **row.as_dict()} for rank, row in enumerate(ranked.rows, 1)],
        **(_better(ranked) if ranked.ratings else {}),
        "encounters": [pair.as_dict() for pair in ranked.encounters],
        "teams": [team.as_dict() for team in ranked.teams],
        "partnerships": [pair.as_dict() for pair in ranked.partnerships],
        "seats": _seats(games, plan["seats"], len(agents), level),
        "compositions": _compositions(games, order, level),
        "lengths": _lengths(games.plies, width),
        "speed": _speed(games),
        "faults": _faults(played.faults, games, order),
        **timeline(games, played.of_counted(line for _, line in ledger.annotations(run)), order, width),
    }
    named: dict[str, Any] = _named(figures, [games.called[agent] for agent in order])
    return named


def _named(part: Any, names: Sequence[str]) -> Any:
    """Return data with the name that each agent gives itself, or an empty one, beside its rank."""
    if isinstance(part, list):
        return [_named(entry, names) for entry in part]
    if not isinstance(part, dict):
        return part
    ranks = {"rank": "name", "other_rank": "other_name"}
    given = {ranks[key]: names[rank - 1] for key, rank in part.items() if key in ranks}
    return {key: _named(entry, names) for key, entry in part.items()} | given


def bin_width(longest: int) -> int:
    """Return the smallest round width with which MOST_BINS bins hold 0 to `longest`."""
    width, steps = 1, (2, 5, 10)
    while longest // width >= MOST_BINS:
        width = next(step for step in (scale * 10**power for power in range(19) for scale in steps) if step > width)
    return width


def _what_was_played(ledger: Ledger, found: LedgerEntry, plan: dict[str, Any], games: GameColumns) -> dict[str, Any]:
    first = next(ledger.records(found["id"]), None)
    return {
        "run": found["name"],
        "plan": plan,
        "begun": found["begun"],
        "kibitz": found["kibitz"],
        "rules": json.loads(first)["version"] if first else None,
        "planned": found["planned"],
        "played": len(games.numbers),
        "distinct": ledger.distinct(found["id"]),
        "reasons": {str(reason): count for reason, count in Counter(games.reasons).most_common()},
        "drawn_by": games.draws,
        "stop": json.loads(found["verdict"]),
        "wall_seconds": found["wall"],
        "digest": ledger.digest(found["id"]),
    }


def _better(ranked: Standings) -> dict[str, list[list[float | None]]]:
    """Return by rank how likely it is that the agent of the row is the stronger one, and p values of equal strength.

    Probabilities are of each pair alone. There is a p value of each pair alone, and one corrected for their number.
    """
    assert ranked.ratings is not None
    likely = ranked.ratings.better[np.ix_(ranked.order, ranked.order)]
    above = np.triu_indices(len(likely), 1)
    alone, corrected = np.zeros_like(likely), np.zeros_like(likely)
    alone[above] = 2 * np.minimum(likely, 1 - likely)[above]
    corrected[above] = holm(alone[above].tolist())
    tables = {"better": likely, "better_p": alone + alone.T, "better_p_holm": corrected + corrected.T}
    return {
        name: [[None if row == column else float(cell) for column, cell in enumerate(line)]
               for row, line in enumerate(table)]
        for name, table in tables.items()
    }  # fmt: skip


def _seats(games: GameColumns, names: Sequence[str], agents: int, level: float) -> dict[str, Any]:
    kept = bool((games.seatings == games.seatings[0]).all()) and len(np.unique(games.seatings[0])) > 1
    worth = [] if kept or not games.scoring.by_wins else rate(
        games.seatings, games.payoffs, games.blocks, agents, seat_effects=True, level=level
    ).seats  # fmt: skip
    rows = [
        {
            **row.as_dict(), "name": name,
            "points": worth[row.seat][0] if worth else None, "interval": list(worth[row.seat][1]) if worth else None,
        }
        for row, name in zip(seat_rows(games, level), names, strict=True)
    ]  # fmt: skip
    return {
        "seats": rows,
        "decided": sum(row["wins"] for row in rows),
        "kept": kept,  # every agent had one seat only, so agents and seats cannot be separated
        "equal": _equal_seats(games).as_dict(),
    }


def _equal_seats(games: GameColumns) -> FairnessTest:
    """Return the test of seats that win equally often or, where payoffs count, earn the same."""
    if games.scoring.by_wins:
        return fair_seats(games.payoffs, games.blocks)
    return equal_payoffs(games.payoffs, games.blocks)


def _lengths(plies: np.ndarray, width: int) -> dict[str, Any]:
    counts = np.bincount(plies // width)
    least = int(plies.min()) // width
    return {
        "mean": float(plies.mean()),
        "median": float(np.median(plies)),
        "shortest": int(plies.min()),
        "longest": int(plies.max()),
        "bins": [
            {"from": at * width, "to": at * width + width - 1, "games": int(counts[at])}
            for at in range(least, len(counts))
        ],
    }


def _speed(games: GameColumns) -> dict[str, Any]:
    seconds, played = float(games.seconds.sum()), len(games.numbers)
    return {
        "seconds": seconds or None,
        "plies": int(games.plies.sum()),
        "seconds_per_game": seconds / played or None,
        "games_per_second": played / seconds if seconds else None,
        "moves_per_second": float(games.moves.sum()) / seconds if seconds else None,
    }


def _faults(said: Sequence[str], games: GameColumns, order: Sequence[int]) -> dict[str, Any]:
    failed = np.flatnonzero(games.offenders >= 0)
    who = games.seatings[failed, games.offenders[failed]].tolist()
    counts = Counter((order.index(agent), str(games.reasons[row])) for agent, row in zip(who, failed, strict=True))
    return {
        "games": len(failed),
        "agents": [
            {"rank": rank + 1, "agent": games.agents[order[rank]], "reason": reason, "games": count}
            for (rank, reason), count in sorted(counts.items())
        ],
        "messages": list(said[:MOST_FAULTS]),
    }


def _compositions(games: GameColumns, order: Sequence[int], level: float) -> list[dict[str, Any]]:
    """Return, where copies of an agent met others, how often each agent won at each composition of the table."""
    ranks = np.argsort(order)[games.seatings]
    tables, number = np.unique(np.sort(ranks, axis=1), axis=0, return_inverse=True)
    won, _ = outcomes(games.payoffs)
    if all(len(set(table)) in (1, len(table)) for table in tables.tolist()):
        return []
    return [
        {
            "games": int((number == at).sum()),
            "undecided": int((~won[number == at].any(axis=1)).sum()),
            "agents": [
                {**_in_composition(games, (ranks == rank)[number == at], number == at, won, level),
                 "rank": rank + 1, "agent": games.agents[order[rank]]}
                for rank in sorted(set(table))
            ],
        }
        for at, table in enumerate(tables.tolist())
        if len(set(table)) > 1
    ]  # fmt: skip


def _in_composition(
    games: GameColumns, mine: np.ndarray, here: np.ndarray, won: np.ndarray, level: float
) -> dict[str, Any]:
    """Return how an agent did at tables of one composition."""
    held, wins = int(mine[0].sum()), (won[here] & mine).any(axis=1)
    block = np.unique(games.blocks[here], return_inverse=True)[1]
    interval = wilson_of_blocks(np.bincount(block, weights=wins), np.bincount(block), level)
    seated = mine.sum(axis=1)
    earned = np.bincount(block, weights=(games.payoffs[here] * mine).sum(axis=1))
    scoring = games.scoring
    return {
        "seats": held, "wins": int(wins.sum()), "win_rate": float(wins.mean()), "win_interval": list(interval),
        "fair": held / mine.shape[1], "mean_payoff": float(games.payoffs[here][mine].mean()),
        "payoff_interval": list(
            mean_in_range(earned, np.bincount(block, weights=seated), scoring.least, scoring.most, level)
        ),
    }  # fmt: skip
