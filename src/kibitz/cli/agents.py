"""`kibitz agents`: who can play."""

import click

from kibitz.cli.verb import GAME_HELP, console, print_json, verb


@click.command(epilog=GAME_HELP)
@click.argument("game", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print what there is as one JSON object.")
@verb
def agents(game: str | None, as_json: bool) -> None:
    """List the agents with their options and defaults; with GAME, what it adds.

    That is its own agents, what its values declare, policies, filters and orders; and which agents refuse it, and why.
    """
    from kibitz import games as library
    from kibitz.cli import catalogue

    chosen = library.find(game) if game else None
    entries, known = catalogue.all_agents(chosen), catalogue.game_entry(chosen) if chosen else None
    if as_json:
        print_json({"agents": entries, "game": known})
        return
    out = console()
    for line in catalogue.agent_lines(entries):
        out.print(line)
    for table in catalogue.knowledge_tables(known) if known else ():
        out.print(table)
