"""`kibitz bot`: programs that play through lines of JSON."""

import click

from kibitz.cli.verb import AGENT_HELP, verb


@click.group()
def bot() -> None:
    """Programs in any language that play: check one, see what keeps them in, or let an agent be one.

    A bot reads and writes lines of JSON; docs/bots.md tells which. It plays as the agent bot(cmd='…'), for example in
    kibitz match quarto "bot(cmd='python3 mybot.py')" novice.
    """


@bot.command(epilog=AGENT_HELP)
@click.argument("agent")
@verb
def run(agent: str) -> None:
    """Let AGENT speak the bot protocol on standard input and output, for a referee elsewhere."""
    from kibitz.bots.host import serve_here
    from kibitz.core.spec import parse

    serve_here(str(parse(agent)))


@bot.command()
@click.option("--level", type=click.Choice(["auto", "bwrap", "limits", "none"]), default="auto", show_default=True,
              help="The walls that are asked for.")  # fmt: skip
@verb
def walls(level: str) -> None:
    """Say what is enforced around a bot on this machine, and what is not."""
    from kibitz.bots.walls import Walls, statement

    built = Walls(level)
    built.check()
    click.echo(f"walls={level} is walls={built.built} on this machine:")
    for what, enforced, how in statement(built):
        click.echo(f"  {'yes' if enforced else 'NO ':3}  {what}: {how}")
