"""`kibitz tune`: tune numbers in an agent's text by matches."""

from typing import TYPE_CHECKING

import click

from kibitz.console.command_line import (
    AGENT_HELP,
    GAME_HELP,
    JOBS_HELP,
    SEED,
    USUAL_SEED_HELP,
    complain,
    print_json,
    print_parts,
    verb,
)

if TYPE_CHECKING:
    from rich.console import RenderableType

    from kibitz.lab.tuning import TuningResult


@click.command(epilog=f"{GAME_HELP} {AGENT_HELP}")
@click.argument("agent")
@click.option("--game", required=True, help="The game that is played.")
@click.option(
    "--param", "params", multiple=True, required=True, metavar="NAME=LOW:HIGH",
    help="A number in the agent's text, as in depth=1:4 or value.score=1:1000:log; may be given several times.",
)  # fmt: skip
@click.option("--trials", type=click.IntRange(1, 100_000), default=50, show_default=True, help="Settings to try.")
@click.option("--games", type=click.IntRange(1, 1_000_000), default=60, show_default=True, help="Games a setting.")
@click.option("--against", multiple=True, metavar="AGENT", help="Its opponents; default: the agent itself.")
@click.option("--seed", type=SEED, help=USUAL_SEED_HELP)
@click.option("--jobs", type=int, help=JOBS_HELP)
@click.option("--json", "as_json", is_flag=True, help="Print all tries and the result as one JSON object.")
@verb
def tune(
    agent: str, game: str, params: tuple[str, ...], trials: int, games: int, against: tuple[str, ...], seed: int | None,
    jobs: int | None, as_json: bool,
) -> None:  # fmt: skip
    """Tune numbers in the text of AGENT so that it earns more.

    All trials play the same deals, so that only their numbers differ. The best then plays the original agent on fresh
    deals, which shows the real gain.

    \b
    kibitz tune "brs(depth=2, value=weighted(score=100))" --game chexers --param value.score=10:1000:log
    """
    from kibitz.core.threads import available_threads
    from kibitz.lab.tuning import Parameter, TuningTrial, tune

    def progress(tried: TuningTrial, number: int, of: int) -> None:
        complain(f"{number} of {of}: {tried.agent} earns {tried.payoff:.4g} a game")

    workers = available_threads() if jobs is None else jobs
    parameters = [Parameter.read(text) for text in params]
    found = tune(game, agent, parameters, against, trials, games, seed, workers, progress)
    if as_json:
        print_json(found.as_dict())
    else:
        print_parts(_parts(found))


def _parts(found: "TuningResult") -> "list[RenderableType]":
    from rich.markup import escape
    from rich.table import Table

    table = Table("numbers", title="The best tries", title_justify="left")
    scoring = found.scoring
    table.add_column(scoring.heading, justify="right")
    for tried in sorted(found.tries, key=lambda entry: -entry.payoff)[:5]:
        numbers = ", ".join(f"{name} = {number:g}" for name, number in tried.numbers.items())
        table.add_row(escape(numbers), scoring.mean_text(tried.payoff))
    return [table, escape(_gain(found)), *map(escape, found.notes)]


def _gain(found: "TuningResult") -> str:
    """Return how the tuned agent did beside the original one on fresh deals, in what counts."""
    scoring, tuned, before = found.scoring, found.tuned, found.before
    if scoring.by_wins:
        low, high = (f"{end:.1%}" for end in tuned.win_interval)
        did, beside = f"wins {tuned.win_rate:.1%}", f"{before.win_rate:.1%}"
    else:
        low, high = map(scoring.mean_text, tuned.payoff_interval)
        did = f"earns {scoring.mean_text(tuned.mean_payoff)} {scoring.unit} a game"
        beside = scoring.mean_text(before.mean_payoff)
    return (
        f"On {found.games} fresh games {found.best.agent} {did} (95 %: {low} to {high}) against {beside} of "
        f"{found.agent}."
    )
