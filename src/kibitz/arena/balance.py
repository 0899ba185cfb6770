"""Balance: one agent in all seats, many games; does a seat win more than its share?

The analysis of D. Crha's thesis on Colonizers (Prague 2020, experiments 1 and 2) for any game: wins, last places and
mean place by seat, each against an equal share, and tests of all seats together, corrected for their number.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from time import perf_counter
from typing import Any

import numpy as np
from rich.markup import escape
from rich.table import Table

from kibitz.arena.batch import in_order
from kibitz.arena.match import check_agents, check_jobs, refuse_humans
from kibitz.arena.pool import play_all
from kibitz.arena.referee import AgentFault
from kibitz.arena.schedule import check_opening, schedule, usual_opening
from kibitz.arena.sheet import span
from kibitz.arena.statistics.interval import games_needed, wilson
from kibitz.arena.statistics.outcome import best_shares, outcomes
from kibitz.arena.statistics.verdict import equal_means, goodness_of_fit, holm
from kibitz.core.errors import BadValue
from kibitz.core.game import Game, option_values

ALPHA = 0.05  # a chance below it is called uneven
TESTS = {"wins": "wins", "last": "last places", "payoff": "payoffs"}


def play_balance(
    game: Game,
    agent: str,
    games: int,
    seed: int,
    jobs: int = 1,
    openings: int | None = None,
    tell: Callable[[int], None] = lambda played: None,
) -> dict[str, Any]:
    """Play an agent against itself and return what the seats are worth as plain data."""
    if game.seats < 2:
        raise BadValue(f"{game} has one seat only; there is nothing to compare")
    check_agents(game, [agent] * game.seats)
    refuse_humans(game, [agent])
    if games < 1:
        raise BadValue(f"a look at the balance needs at least 1 game, not {games}")
    if openings is not None:
        check_opening(game, openings, seed)
    check_jobs(jobs)
    opened = usual_opening(game, seed) if openings is None else openings
    begun, played, payoffs, plies = perf_counter(), 0, [], []
    fixtures = schedule(game, 1, [(0,) * game.seats], games, seed, opened)
    for batch in in_order(play_all(game, [agent], fixtures, jobs, keep_records=False, trusting=True)):
        for fault in filter(None, batch.faults):
            raise AgentFault(fault)
        payoffs.append(batch.payoffs)
        plies.append(batch.plies)
        played += len(batch.plies)
        tell(played)
    return {
        "game": game.name,
        "options": option_values(game),
        "agent": agent,
        "games": games,
        "seed": seed,
        "openings": opened,
        **judge(np.concatenate(payoffs), np.concatenate(plies), game.seat_names, agent),
        "seconds": perf_counter() - begun,
    }


def judge(payoffs: np.ndarray, plies: np.ndarray, names: Sequence[str], agent: str) -> dict[str, Any]:
    """Return what payoffs by game and seat say about the seats; every game stands for itself."""
    won, _ = outcomes(payoffs)
    lost, _ = outcomes(-payoffs)  # alone in the last place
    counts = {"wins": won.sum(axis=0), "last": lost.sum(axis=0)}
    even = np.full(payoffs.shape[1], 1 / payoffs.shape[1])
    tests = {"wins": asdict(goodness_of_fit(counts["wins"], even))}
    if payoffs.shape[1] > 2 and lost.any():  # at a table of two they are the other seat's wins
        tests["last"] = asdict(goodness_of_fit(counts["last"], even))
    if not np.allclose(payoffs, best_shares(payoffs)):  # or wins have said it all
        tests["payoff"] = asdict(equal_means(payoffs))
    for test, p in zip(tests.values(), holm([test["p"] for test in tests.values()]), strict=True):
        test["corrected_p"] = p
    result = {
        "decided": int(counts["wins"].sum()),
        "draws": len(payoffs) - int(counts["wins"].sum()),
        "seats": _seats(payoffs, counts, names),
        "tests": tests,
        "fair": min(test["corrected_p"] for test in tests.values()) >= ALPHA,
        "length": _length(plies),
        "plies": int(plies.sum()),
    }
    return {**result, "verdict": verdict(result, agent)}


def _seats(payoffs: np.ndarray, counts: dict[str, np.ndarray], names: Sequence[str]) -> list[dict[str, Any]]:
    from scipy.stats import rankdata

    places = rankdata(-payoffs, axis=1).mean(axis=0)  # those who tie share the mean of their places
    rows: list[dict[str, Any]] = [{"seat": seat, "name": name} for seat, name in enumerate(names)]
    for what, count in counts.items():
        total, share = int(count.sum()), 1 / len(rows)
        ps = [goodness_of_fit(np.array([n, total - n]), np.array([share, 1 - share])).p for n in count]
        corrected = holm(ps) if len(rows) > 2 else ps  # two seats are one question
        for row, n, p in zip(rows, count.tolist(), corrected, strict=True):
            rate = n / total if total else 0.0
            row |= {what: n, f"{what}_rate": rate, f"{what}_interval": list(wilson(n, total)), f"{what}_p": p}
    for row, place, payoff in zip(rows, places.tolist(), payoffs.mean(axis=0).tolist(), strict=True):
        row |= {"mean_place": place, "mean_payoff": payoff}
    return rows


def _length(plies: np.ndarray) -> dict[str, float]:
    low, middle, high = np.quantile(plies, (0.25, 0.5, 0.75)).tolist()
    return {
        "mean": float(plies.mean()), "least": int(plies.min()), "quarter": low, "median": middle,
        "three_quarters": high, "most": int(plies.max()),
    }  # fmt: skip


def verdict(result: dict[str, Any], agent: str) -> str:
    """Say in plain words whether the seats are equal."""
    share = 1 / len(result["seats"])
    if not result["decided"]:
        return "No game was won by one seat alone, so nothing can be said about who wins."
    rates = [f"{seat['wins_rate']:.1%}" for seat in result["seats"]]
    names = [seat["name"] for seat in result["seats"]]
    others = ", ".join(f"{name} {rate}" for name, rate in zip(names[1:], rates[1:], strict=True))
    said = (
        f"{names[0].capitalize()} wins {rates[0]} of {result['decided']:,} decided games, {others}; equal seats would "
        f"win {share:.1%} each. The chance of so uneven a result if they are equal is "
        f"{chance(result['tests']['wins']['p'])}."
    )
    uneven = [TESTS[what] for what, test in result["tests"].items() if test["corrected_p"] < ALPHA]
    if uneven:
        return f"{said} With {agent} in every seat the game is not fair by seat ({', '.join(uneven)})."
    hidden = next(points for points in range(1, 1000) if _shows(share, points / 1000, result["decided"])) / 10
    return (
        f"{said} With {agent} in every seat nothing speaks against a fair game, but an advantage of less than "
        f"{hidden:.1f} points of 100 would hardly show in {result['decided']:,} games."
    )


def _shows(share: float, difference: float, games: int) -> bool:
    return share + difference >= 1 or games_needed(share, difference) <= games


def chance(p: float) -> str:
    """Return a chance as people say it."""
    if p < 1e-6:
        return "below 1 in a million"
    if p < 0.01:
        return f"1 in {1 / p:,.0f}"
    return f"{p:.0%}" if p >= 0.1 else f"{p:.1%}"


def balance_sheet(result: dict[str, Any]) -> Iterator[Table | str]:
    """Yield what to print, from the top."""
    table = _seat_table(_title(result), "wins", "place", "payoff")
    for seat in result["seats"]:
        table.add_row(*_cells(seat, "wins"), f"{seat['mean_place']:.2f}", f"{seat['mean_payoff']:.3f}")
    yield table
    if "last" in result["tests"]:
        table = _seat_table("Last places, where they are not shared", "last")
        for seat in result["seats"]:
            table.add_row(*_cells(seat, "last"))
        yield table
    yield "[dim]chance: of a count so far from its share if seats are equal, corrected for the number of seats;[/dim]"
    yield "[dim]place and payoff: means, where those who tie share the mean of their places[/dim]"
    yield _tests(result["tests"])
    length = result["length"]
    yield (
        f"Games last {length['mean']:.1f} moves on average, half of them {length['quarter']:g} to "
        f"{length['three_quarters']:g}, from {length['least']} to {length['most']}; {result['draws']:,} draws "
        f"({result['draws'] / result['games']:.1%})."
    )
    if result["openings"]:
        yield f"Every game began with {result['openings']} random moves, so that games differ."
    yield f"[bold]{escape(result['verdict'])}[/bold]"


def _title(result: dict[str, Any]) -> str:
    from kibitz.core.options import as_text

    options = ", ".join(f"{name}={as_text(value)}" for name, value in result["options"].items())
    game = f"{result['game']}{f' ({options})' if options else ''}"
    return escape(f"{game}, {result['agent']} in every seat: {result['games']:,} games, seed {result['seed']}")


def _seat_table(title: str, *headings: str) -> Table:
    table = Table(title=title, title_justify="left")
    table.add_column("seat", no_wrap=True)
    for heading in (headings[0], "share", "95 % interval", "chance", *headings[1:]):
        table.add_column(heading, justify="right", no_wrap=heading != "chance")
    return table


def _cells(seat: dict[str, Any], what: str) -> list[str]:
    said = chance(seat[f"{what}_p"])
    if seat[f"{what}_p"] < ALPHA:
        said = f"[bold]{said}[/bold]"
    name, share = escape(seat["name"]), f"{seat[f'{what}_rate']:.1%}"
    return [name, f"{seat[what]:,}", share, span(seat[f"{what}_interval"]), said]


def _tests(tests: dict[str, Any]) -> Table:
    table = Table(title="All seats together", title_justify="left")
    table.add_column("what")
    table.add_column("test")
    for heading in ("statistic", "freedom", "p value", "corrected"):
        table.add_column(heading, justify="right")
    names = {
        "chi-square": "chi-square",
        "simulated": "chi-square, simulated",
        "clustered": "Hotelling's T²",
        "exchanged": "seats exchanged",
    }
    for what, test in tests.items():
        numbers = f"{test['statistic']:.2f}", str(test["freedom"]), f"{test['p']:.3g}", f"{test['corrected_p']:.3g}"
        table.add_row(TESTS[what], names.get(test["method"], test["method"]), *numbers)
    return table
