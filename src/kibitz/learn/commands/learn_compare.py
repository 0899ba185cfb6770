"""`kibitz learn compare`: a network compared with an agent."""

from typing import TYPE_CHECKING

import click

from kibitz.console.command_line import AGENT_HELP, SEED, console, print_json, verb

if TYPE_CHECKING:
    from kibitz.learn.comparison import Comparison


@click.command(epilog=AGENT_HELP)
@click.argument("net")
@click.argument("agent")
@click.option("--game", required=True, help="The game that is played.")
@click.option("--positions", type=click.IntRange(1), default=1000, show_default=True, help="Positions, at least.")
@click.option("--best", type=click.IntRange(1), default=3, show_default=True, help="How many moves are AGENT's best.")
@click.option("--openings", type=int, help="Games begin with up to N random moves; default: 6.")
@click.option("--temperature", type=float, help="How soft AGENT's distribution is, as in learn data.")
@click.option("--longest", type=int, help="Cut games off after N moves; default: 1000.")
@click.option("--seed", type=SEED, default=1, show_default=True, help="The same seed gives the same positions.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as one JSON object.")
@verb
def compare(
    net: str, agent: str, game: str, positions: int, best: int, openings: int | None, temperature: float | None,
    longest: int | None, seed: int, as_json: bool,
) -> None:  # fmt: skip
    """Measure how often a network, NET, chooses AGENT's move.

    AGENT plays against itself, and both choose in its positions. A network with a policy head chooses by it, another by
    searching one move ahead.
    """
    from dataclasses import asdict

    from kibitz import games as library
    from kibitz.learn.comparison import compare
    from kibitz.learn.data_generation import default_data_options
    from kibitz.networks.net import network

    found = library.find(game)
    taught = network(found, net)
    how = default_data_options(
        found, agent=agent, openings=openings, temperature=temperature, longest=longest, seed=seed
    )  # fmt: skip
    result = compare(found, taught, net, how, positions, best)
    if as_json:
        print_json(asdict(result))
        return
    lines = [
        f"{net} beside {agent}, {result.positions:,} positions, {result.choices:,} with a choice:",
        f"  the agent's choice   {result.agreement:6.1%}   (a random legal move: {result.by_chance:.1%})",
        _among(result),
    ]
    if result.legal is not None:
        lines += [
            f"  legal, of all moves  {result.legal:6.1%}",
            f"  policy cross-entropy {result.policy_entropy:6.3f}   (the least possible: {result.least_entropy:.3f})",
        ]
    lines += [f"  value cross-entropy  {result.value_entropy:6.3f}"]
    for line in lines:
        console().print(line, markup=False, highlight=False, soft_wrap=True)


def _among(result: "Comparison") -> str:
    """Return the line on the agent's best moves."""
    if result.among is None:
        return "  of the agent's moves only the best is known, not which come next"
    where = f"   (in the {result.ranked:,} in which it ranks others)" if result.ranked < result.choices else ""
    return f"  among its best {result.best:<5} {result.among:6.1%}{where}"
