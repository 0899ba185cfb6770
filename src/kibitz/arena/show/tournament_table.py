"""The result of a tournament as a table in the terminal."""

from collections.abc import Iterator, Sequence

from rich.markup import escape
from rich.table import Table

from kibitz.arena.results.encounters import Encounter
from kibitz.arena.results.secret_deals import seed_text
from kibitz.arena.results.statistics.evidence import ALPHA, p_value
from kibitz.arena.results.tournament_result import NOBODY_MET, TournamentResult
from kibitz.arena.show.table_parts import (
    COUNTS,
    GAMES,
    PAYOFF,
    PAYOFF_SPAN,
    Column,
    FirstThatFits,
    places_table,
    remarks,
    seat_preferences,
    short_names,
    stacked,
    table_of_agents,
)

MOST_PAIRS = 10  # shown; of more, those of neighbours in the standings
COLUMNS = (  # after the ratings: the first that fit the terminal
    (GAMES, COUNTS, PAYOFF, PAYOFF_SPAN),
    (COUNTS, stacked(PAYOFF, PAYOFF_SPAN)),
    (COUNTS,),
    (),
)


def tournament_table(result: TournamentResult) -> Iterator[Table | FirstThatFits | str]:
    """Yield what to print, from the top."""
    plan = result.plan
    labels, legend = short_names([row.agent for row in result.standings], [row.name for row in result.standings])
    yield from legend
    rated = NOBODY_MET not in result.notes
    yield FirstThatFits(*(_standings(result, labels, rated, columns) for columns in COLUMNS))
    yield from places_table(result.standings, labels)
    yield from _pairs(result, labels)
    yield from seat_preferences(result.standings, labels)
    yield from map(escape, result.notes)
    yield from remarks(
        result.distinct, result.played, result.planned, plan["openings"], result.reasons, result.drawn_by, result.faults
    )  # fmt: skip
    if result.stop:
        yield escape(result.stop.sentence)
    for path, found in result.hooks.items():
        if found is not None:
            yield escape(f"{path}: {found}")
    yield f"run {result.run}, digest {result.digest[:16]}"


def _standings(result: TournamentResult, labels: Sequence[str], rated: bool, columns: Sequence[Column]) -> Table:
    """Return the table of agents with these columns after the ratings."""
    plan = result.plan
    table = table_of_agents(
        "agent", *(("rating", "95 % interval") if rated else ()), *(column.heading for column in columns)
    )
    table.title = escape(
        f"{plan['game']}, {plan['scheme']}: {result.played} games, {seed_text(plan['seed'], result.dealt)}"
    )
    for label, row in zip(labels, result.standings, strict=True):
        rating = (f"{row.rating:+.0f}", f"{row.interval[0]:+.0f} … {row.interval[1]:+.0f}") if rated else ()
        table.add_row(label, *rating, *(column.cell(row) for column in columns))
    return table


def _pairs(result: TournamentResult, labels: Sequence[str]) -> Iterator[FirstThatFits | str]:
    """Yield how much more one agent earned than another: all pairs or, of many, neighbours in the standings.

    The p value of a pair alone is shown beside the corrected one, which counts.
    """
    met = result.encounters
    if not met:
        return
    many = len(met) > MOST_PAIRS
    shown = [pair for pair in met if pair.other_rank == pair.rank + 1] if many else met
    columns = ("payoff", "95 % interval", *(("p alone",) if len(met) > 1 else ()), "p")
    yield FirstThatFits(_pair_table(shown, labels, columns), _pair_table(shown, labels, (columns[0], columns[-1])))
    if len(met) > 1:
        rest = " The others are in the report and in --json." if many else ""
        yield (
            f"[dim]p: that they earn the same, corrected for {len(met)} pairs by Holm's method; below {ALPHA} it is "
            f"evidence of a difference. Alone, and in the interval, it is not corrected.{rest}[/dim]"
        )


def _pair_table(pairs: Sequence[Encounter], labels: Sequence[str], columns: Sequence[str]) -> Table:
    table = table_of_agents("agent", "more than", *columns)
    table.title = "How much more one earned a game than another, on the same deals"
    for pair in pairs:
        cells = {
            "payoff": f"{pair.difference:+.3f}", "95 % interval": f"{pair.interval[0]:+.3f} … {pair.interval[1]:+.3f}",
            "p alone": p_value(pair.p), "p": p_value(pair.p_holm),
        }  # fmt: skip
        table.add_row(labels[pair.rank - 1], labels[pair.other_rank - 1], *(cells[column] for column in columns))
    return table
