"""The result of a tournament as a table in the terminal."""

from collections.abc import Iterator

from rich.markup import escape
from rich.table import Table

from kibitz.arena.results.tournament_result import NOBODY_MET, TournamentResult
from kibitz.arena.show.parts import places_table, remarks, seat_preferences, short_names, table_of_agents


def tournament_table(result: TournamentResult) -> Iterator[Table | str]:
    """Yield what to print, from the top."""
    plan = result.plan
    labels, legend = short_names([row.agent for row in result.standings])
    yield from legend
    rated = NOBODY_MET not in result.notes
    headings = ("rating", "95 % interval") if rated else ()
    table = table_of_agents("agent", *headings, "games", "won / drawn / lost", "payoff")
    table.title = escape(f"{plan['game']}, {plan['scheme']}: {result.played} games, seed {plan['seed']}")
    for label, row in zip(labels, result.standings, strict=True):
        rating = (f"{row.rating:+.0f}", f"{row.interval[0]:+.0f} … {row.interval[1]:+.0f}") if rated else ()
        table.add_row(
            label, *rating, str(row.games), f"{row.wins} / {row.draws} / {row.losses}", f"{row.mean_payoff:.3f}",
        )  # fmt: skip
    yield table
    yield from places_table(result.standings, labels)
    yield from seat_preferences(result.standings, labels)
    yield from map(escape, result.notes)
    yield from remarks(
        result.distinct, result.played, result.planned, plan["openings"], result.reasons, result.faults
    )  # fmt: skip
    if result.stop:
        yield escape(result.stop.sentence)
    for path, found in result.hooks.items():
        if found is not None:
            yield escape(f"{path}: {found}")
    yield f"run {result.run}, digest {result.digest[:16]}"
