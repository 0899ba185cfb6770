"""`kibitz games`: what can be played."""

import click

from kibitz.console.command_line import GAME_HELP, console, print_json, verb


@click.command(epilog=GAME_HELP)
@click.argument("game", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print the list as one JSON object.")
@verb
def games(game: str | None, as_json: bool) -> None:
    """List the games with their options; with GAME, everything it offers.

    These are its values and what they declare, its networks and encodings, policies, filters, orders and agents.
    """
    from kibitz import games as library
    from kibitz.cli import catalogue

    entries = [catalogue.game_entry(library.find(game))] if game else catalogue.all_games()
    if as_json:
        print_json({"games": entries})
        return
    out = console()
    for line in catalogue.game_lines(entries):
        out.print(line)
    for table in catalogue.knowledge_tables(entries[0]) if game else ():
        out.print(table)
