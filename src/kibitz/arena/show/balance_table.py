"""The balance of a game as tables in the terminal."""

from collections.abc import Iterator

from rich.markup import escape
from rich.table import Table

from kibitz.arena.results.balance_result import ALPHA, TESTS, BalanceResult, BalanceSeat, BalanceTest, chance
from kibitz.arena.show.parts import remarks
from kibitz.arena.show.text import span, title_of

_METHODS = {"simulated": "chi-square, simulated", "clustered": "Hotelling's T²", "exchanged": "seats exchanged"}


def balance_table(result: BalanceResult) -> Iterator[Table | str]:
    """Yield what to print, from the top."""
    game = title_of(result.game, result.options)
    title = f"{game}, {result.agent} in every seat: {result.games:,} games, seed {result.seed}"
    table = _seat_table(escape(title), "wins", "place", "payoff")
    for seat in result.seats:
        table.add_row(*_cells(seat, "wins"), f"{seat.mean_place:.2f}", f"{seat.mean_payoff:.3f}")
    yield table
    if "last" in result.tests:
        table = _seat_table("Last places, where they are not tied", "last")
        for seat in result.seats:
            table.add_row(*_cells(seat, "last"))
        yield table
    yield "[dim]p: the chance of a count so far from equal if seats are equal, corrected for the number of seats;[/dim]"
    yield "[dim]place and payoff: means; seats that tie have the mean of their places[/dim]"
    yield _tests(result.tests)
    length = result.length
    yield (
        f"Games last {length.mean:.1f} moves on average, half of them {length.quarter:g} to "
        f"{length.three_quarters:g}, from {length.least} to {length.most}; {result.draws:,} draws "
        f"({result.draws / max(1, result.games):.1%})."
    )
    yield from remarks(
        result.distinct, result.games, result.planned, result.openings, result.reasons, result.faults[:1]
    )  # fmt: skip
    yield from map(escape, result.notes)
    yield f"[bold]{escape(result.verdict)}[/bold]"


def _seat_table(title: str, *headings: str) -> Table:
    table = Table(title=title, title_justify="left")
    table.add_column("seat", no_wrap=True)
    for heading in (headings[0], "rate", "95 % interval", "p", *headings[1:]):
        table.add_column(heading, justify="right", no_wrap=heading != "p")
    return table


def _cells(seat: BalanceSeat, what: str) -> list[str]:
    count, rate, interval, p = (getattr(seat, f"{what}{part}") for part in ("", "_rate", "_interval", "_p"))
    shown = f"[bold]{chance(p)}[/bold]" if p < ALPHA else chance(p)
    return [escape(seat.name), f"{count:,}", f"{rate:.1%}", span(interval), shown]


def _tests(tests: dict[str, BalanceTest]) -> Table:
    table = Table("what", "test", title="All seats together", title_justify="left")
    for heading in ("statistic", "df", "p value", "corrected"):
        table.add_column(heading, justify="right")
    for what, test in tests.items():
        method = _METHODS.get(test.method, test.method)
        numbers = f"{test.statistic:.2f}", str(test.df), f"{test.p:.3g}", f"{test.corrected_p:.3g}"
        table.add_row(TESTS[what], method, *numbers)
    return table
