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
    Column,
    FirstThatFits,
    payoff_columns,
    places_table,
    remarks,
    seat_preferences,
    short_names,
    stacked,
    table_of_agents,
    team_tables,
)
from kibitz.core.scoring import Scoring

RATING = (
    Column("rating", lambda row: f"{row.rating:+.0f}"),
    Column("95 % interval", lambda row: f"{row.interval[0]:+.0f} … {row.interval[1]:+.0f}"),
)
MOST_PAIRS = 10  # shown; of more, those of neighbours in the standings


def tournament_table(result: TournamentResult) -> Iterator[Table | FirstThatFits | str]:
    """Yield what to print, from the top."""
    plan = result.plan
    rows = result.standings
    labels, legend = short_names([row.agent for row in rows], [row.name for row in rows], plan["agents"])
    yield from legend
    if result.scoring.shared and result.standings:
        title = f"{_title(result)}, mean {escape(result.scoring.unit)}"
        yield from team_tables(result.teams, result.partnerships, labels, result.scoring, title)
    else:
        yield FirstThatFits(*(_standings(result, labels, columns) for columns in _columns(result)))
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


def _columns(result: TournamentResult) -> Iterator[Sequence[Column]]:
    """Yield the columns of agents, fewer and fewer, of which the first that fit are shown; what counts comes first."""
    payoff = payoff_columns(result.scoring)
    rating = RATING if NOBODY_MET not in result.notes else ()
    if not result.scoring.by_wins:
        yield from ((*payoff, GAMES, COUNTS, *rating), (*payoff, COUNTS, *rating[:1]), (*payoff, COUNTS), payoff)
        return
    yield from ((*rating, GAMES, COUNTS, *payoff), (*rating, COUNTS, stacked(*payoff)), (*rating, COUNTS), rating)


def _title(result: TournamentResult) -> str:
    plan = result.plan
    return escape(f"{plan['game']}, {plan['scheme']}: {result.played} games, {seed_text(plan['seed'], result.dealt)}")


def _standings(result: TournamentResult, labels: Sequence[str], columns: Sequence[Column]) -> Table:
    """Return the table of agents with these columns."""
    table = table_of_agents("agent", *(column.heading for column in columns))
    table.title = _title(result)
    for label, row in zip(labels, result.standings, strict=True):
        table.add_row(label, *(column.cell(row) for column in columns))
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
    scoring = result.scoring
    columns = (scoring.heading, "95 % interval", *(("p alone",) if len(met) > 1 else ()), "p")
    widths = (columns, (columns[0], columns[-1]))
    yield FirstThatFits(*(_pair_table(shown, labels, width, scoring) for width in widths))
    if len(met) > 1:
        rest = " The others are in the report and in --json." if many else ""
        yield (
            f"[dim]p: that they earn the same, corrected for {len(met)} pairs by Holm's method; below {ALPHA} it is "
            f"evidence of a difference. Alone, and in the interval, it is not corrected.{rest}[/dim]"
        )


def _pair_table(
    pairs: Sequence[Encounter], labels: Sequence[str], columns: Sequence[str], scoring: Scoring
) -> Table:  # fmt: skip
    table = table_of_agents("agent", "more than", *columns)
    table.title = "How much more one earned a game than another, on the same deals"
    for pair in pairs:
        cells = {
            scoring.heading: scoring.mean_text(pair.difference, "+"),
            "95 % interval": " … ".join(scoring.mean_text(end, "+") for end in pair.interval),
            "p alone": p_value(pair.p), "p": p_value(pair.p_holm),
        }  # fmt: skip
        table.add_row(labels[pair.rank - 1], labels[pair.other_rank - 1], *(cells[column] for column in columns))
    return table
