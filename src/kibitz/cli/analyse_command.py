"""`kibitz analyse`: the best moves of a position."""

import click

from kibitz.console import command_line


@click.command(epilog=f"{command_line.GAME_HELP} {command_line.AGENT_HELP}")
@click.argument("what", metavar="FILE|GAME")
@click.option(
    "--ply",
    type=int,
    help="After N moves and the rolls that follow; default: a record's last choice, or a game's first.",
)
@click.option("--position", help=command_line.POSITION_HELP)
@click.option("--agent", help="The agent that analyses; default: the strongest that fits the game.")
@click.option("--top", type=int, default=3, show_default=True, help="How many moves to show.")
@click.option("--number", "--game", type=int, help="Which game of a file or a ledger; the first is 1.")
@click.option("--run", help="Which run of a ledger; default: the newest.")
@click.option("--trust", is_flag=True, help="Run the code of a game that a record names by a path.")
@click.option(
    "--seed", type=command_line.SEED, default=1, show_default=True, help="The agent's dice, and the deal of GAME."
)
@click.option("--json", "as_json", is_flag=True, help="Print the analysis as one JSON object.")
@command_line.verb
def analyse(
    what: str, ply: int | None, position: str | None, agent: str | None, top: int, number: int | None,
    run: str | None, trust: bool, seed: int, as_json: bool,
) -> None:  # fmt: skip
    """Show the best moves of a position with values per seat and lines of play.

    The position comes from a record in FILE, from a game in a ledger, or from a random game of GAME, which may begin at
    a position given as text.
    """
    from kibitz.agents.levels import opponent
    from kibitz.arena import analysis
    from kibitz.cli.analysed_position import analysed_position
    from kibitz.cli.analysis_table import analysis_table
    from kibitz.cli.board_text import board_text
    from kibitz.core.errors import BadValue

    if top < 1:
        raise BadValue(f"--top must be at least 1, not {top}")
    table = analysed_position(command_line.with_position(what, position), ply, number, run, seed, trust)
    found = analysis.analyse(table, agent or opponent(table.game), top, seed)
    if as_json:
        command_line.print_json(found)
        return
    out = command_line.console()
    out.print(board_text(table.game, table.game.text(table.view(table.turn))))
    mover = table.game.seat_names[table.turn]
    out.print(
        f"{found['game']}, ply {found['ply']}, {mover} to move, by {found['agent']}", markup=False, style="italic"
    )
    out.print(analysis_table(found, table.game.seat_names))
