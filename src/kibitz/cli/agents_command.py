"""`kibitz agents`: who can play."""

import click

from kibitz.console.command_line import GAME_HELP, command, console, print_json, verb


@click.command(epilog=GAME_HELP)
@click.argument("game", required=False)
@click.argument("agent", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print the list as one JSON object.")
@verb
def agents(game: str | None, agent: str | None, as_json: bool) -> None:
    """List the agents, or those that play GAME; with AGENT, its options and defaults.

    GAME may add its own agents. Agents that do not play it are listed at the end with the reasons.
    """
    from kibitz import games as library
    from kibitz.cli import catalogue

    chosen = library.find(game) if game else None
    known = catalogue.game_entry(chosen) if chosen else None
    entries = catalogue.all_agents(chosen) if agent is None else [catalogue.agent_of(agent, chosen)]
    if as_json:
        print_json({"agents": entries, "game": known})
        return
    out = console()
    for line in catalogue.agent_lines(entries[0]) if agent else catalogue.agent_list(entries, known):
        out.print(line)
    if agent is None:
        name = game or "GAME"
        out.print(f"options of an agent: {command()} agents {name} AGENT", markup=False, soft_wrap=True)
        out.print(f"what the game knows: {command()} games {name}", markup=False, soft_wrap=True)
