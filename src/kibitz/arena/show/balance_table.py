"""The balance of a game as tables in the terminal."""

from collections.abc import Iterator

from rich.markup import escape
from rich.table import Table

from kibitz.arena.results.balance_result import (
    TESTS,
    BalanceComparison,
    BalanceResult,
    BalanceSeat,
    BalanceTest,
    seat_score,
)
from kibitz.arena.results.row import span
from kibitz.arena.results.statistics.evidence import ALPHA, evidence, p_value
from kibitz.arena.show.table_parts import FirstThatFits, remarks
from kibitz.arena.show.text import title_of

_METHODS = {
    "simulated": "chi-square, simulated",
    "exact": "chi-square, exact",
    "clustered": "Hotelling's T²",
    "exchanged": "seats exchanged",
}


def balance_table(result: BalanceResult) -> Iterator[Table | FirstThatFits | str]:
    """Yield what to print, from the top."""
    yield f"[bold]{escape(result.verdict)}[/bold]"
    game = title_of(result.game, result.options)
    title = f"{game}, {result.agent} in every seat: {result.games:,} games, seed {result.seed}"
    if not result.scoring.by_wins:
        yield _payoff_table(result, escape(title))
        yield "[dim]95 %: the interval of a mean[/dim]"
        if result.tests:
            yield _tests(result.tests)
        yield from _about(result)
        return
    yield FirstThatFits(*(_wins_table(result, escape(title), parting) for parting in (" ", "\n")))
    if "last" in result.tests:
        table = _seat_table("Last places, where they are not tied", "last")
        for seat in result.seats:
            table.add_row(*_cells(seat, "last"))
        yield table
    yield "[dim]p: the chance of a count so far from equal if seats are equal, corrected for the number of seats;[/dim]"
    yield "[dim]place and payoff: means; seats that tie have the mean of their places[/dim]"
    yield _tests(result.tests)
    yield from _about(result)


def _about(result: BalanceResult) -> Iterator[str]:
    """Yield how long games last, and what else a reader must know."""
    length = result.length
    drawn = f"; {result.draws:,} draws ({result.draws / max(1, result.games):.1%})" if result.scoring.by_wins else ""
    if length.least == length.most:
        yield f"Every game lasts {length.least} moves{drawn}."
    else:
        yield (
            f"Games last {length.mean:.1f} moves on average, half of them {length.quarter:g} to "
            f"{length.three_quarters:g}; the shortest {length.least}, the longest {length.most}{drawn}."
        )
    yield from remarks(
        result.distinct, result.games, result.planned, result.openings, result.reasons, result.drawn_by,
        result.faults[:1],
    )  # fmt: skip
    yield from map(escape, result.notes)


def _wins_table(result: BalanceResult, title: str, parting: str) -> Table:
    """Return the table of wins; `parting` stands between a payoff and its interval."""
    table = _seat_table(title, "wins", "place", f"payoff{parting}(95 % interval)")
    for seat in result.seats:
        scoring = result.scoring
        payoff = f"{scoring.mean_text(seat.mean_payoff)}{parting}({scoring.span_text(seat.payoff_interval)})"
        table.add_row(*_cells(seat, "wins"), f"{seat.mean_place:.2f}", payoff)
    return table


def _payoff_table(result: BalanceResult, title: str) -> Table:
    """Return the table of mean payoffs: a row for each seat, or one where all earn the same."""
    scoring, table = result.scoring, Table(title=title, title_justify="left")
    table.add_column("all seats" if scoring.shared else "seat", no_wrap=True)
    for heading in (f"{scoring.unit} a game", "95 % interval"):
        table.add_column(heading, justify="right", no_wrap=True)
    for seat in result.seats[:1] if scoring.shared else result.seats:
        name = "together" if scoring.shared else escape(seat.name)
        table.add_row(name, scoring.mean_text(seat.mean_payoff), scoring.span_text(seat.payoff_interval))
    return table


def _seat_table(title: str, *headings: str) -> Table:
    table = Table(title=title, title_justify="left")
    table.add_column("seat", no_wrap=True)
    for heading in (headings[0], "rate", "95 % interval", "p", *headings[1:]):
        table.add_column(heading, justify="right", no_wrap=heading != "p")
    return table


def _cells(seat: BalanceSeat, what: str) -> list[str]:
    count, rate, interval, p = (getattr(seat, f"{what}{part}") for part in ("", "_rate", "_interval", "_p"))
    shown = f"[bold]{p_value(p)}[/bold]" if p < ALPHA else p_value(p)
    return [escape(seat.name), f"{count:,}", f"{rate:.1%}", span(interval), shown]


def _tests(tests: dict[str, BalanceTest]) -> Table:
    table = Table(
        "what", "test", title="All seats together; p is corrected for the number of tests", title_justify="left"
    )
    for heading in ("statistic", "df", "p"):
        table.add_column(heading, justify="right")
    for what, test in tests.items():
        method = _METHODS.get(test.method, test.method)
        numbers = f"{test.statistic:.2f}", str(test.df), p_value(test.corrected_p)
        table.add_row(TESTS[what], method, *numbers)
    return table


def comparison_table(result: BalanceComparison) -> Iterator[Table | str]:
    """Yield what to print of variants side by side: the verdicts, then the numbers."""
    if result.p is not None:
        shared = result.variants[0].scoring.shared
        differ = (
            "these variants have different scores" if shared else "the seats of these variants win at different rates"
        )
        yield evidence(differ, result.p)
    for number, variant in enumerate(result.variants, 1):
        yield f"{number}  [bold]{escape(title_of(variant.game, variant.options))}[/bold]: {escape(variant.verdict)}"
    units = dict.fromkeys(variant.scoring.unit or "wins" for variant in result.variants)
    what = f"{' and '.join(units)} by seat"
    table = Table(title=escape(f"{result.variants[0].agent} in every seat: {what}"), title_justify="left")
    table.add_column("", justify="right")
    seats = max(len(variant.seats) for variant in result.variants)
    for heading in ("games", *(f"seat {seat + 1}" for seat in range(seats)), "draws", "moves", "p"):
        table.add_column(heading, justify="right", no_wrap=True)
    for number, variant in enumerate(result.variants, 1):
        rates = [seat_score(seat, variant.scoring) for seat in variant.seats]
        table.add_row(
            str(number), f"{variant.games:,}", *rates, *[""] * (seats - len(rates)), _drawn(variant),
            f"{variant.length.mean:.1f}", p_value(variant.p) if variant.tests else "",
        )  # fmt: skip
    yield table
    yield "[dim]p: that all seats of the variant are equal, corrected for the tests of all variants[/dim]"
    for number, variant in enumerate(result.variants, 1):
        yield from (f"{number}: {escape(note)}" for note in variant.notes)


def _drawn(variant: BalanceResult) -> str:
    return f"{variant.draws / max(1, variant.games):.1%}" if variant.scoring.by_wins else ""
