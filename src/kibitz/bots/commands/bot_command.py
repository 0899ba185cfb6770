"""`kibitz bot`: programs that play through lines of JSON."""

import sys

import click

from kibitz.console.command_line import AGENT_HELP, GAME_HELP, verb

LEVELS = click.Choice(["auto", "bwrap", "kernel", "limits", "none"])
LINES_SHOWN, LONGEST_SHOWN = 6, 300  # of a conversation that went wrong


@click.group()
def bot() -> None:
    """Check a bot, a program in any language; test the sandbox; or run an agent as a bot.

    A bot reads and writes lines of JSON, as docs/bots.md describes. It plays as the agent bot(cmd='…'), for example in
    kibitz match quarto "bot(cmd='python3 mybot.py')" novice.
    """


@bot.command(epilog=AGENT_HELP)
@click.argument("agent")
@verb
def run(agent: str) -> None:
    """Run AGENT as a bot on standard input and output, for another referee."""
    from kibitz.bots.host import serve_here
    from kibitz.core.spec import parse

    serve_here(str(parse(agent)))


@bot.command()
@click.option("--walls", "level", type=LEVELS, default="auto", show_default=True, help="The kind of sandbox.")
@verb
def walls(level: str) -> None:
    """Show what the sandbox of this machine restricts, and test each restriction.

    A probe in the sandbox tries to read, write, signal, connect and so on, without doing harm. The exit code is 1 if a
    restriction does not hold that should.
    """
    from kibitz.bots.sandbox.sandbox import Sandbox, statement
    from kibitz.bots.sandbox.self_test import tried

    built = Sandbox(level)
    built.check()
    click.echo(f"walls={level} is walls={built.built} on this machine:")
    for what, enforced, how in statement(built):
        click.echo(f"  {'yes' if enforced else 'NO ':3}  {what}: {how}")
    if sys.platform != "linux":
        return
    click.echo("A probe behind them, which tried each wall:")
    findings = tried(built)
    for finding in findings:
        click.echo(f"  {'could not' if finding.stands else 'COULD':9}  {finding.attempt}")
    fallen = [finding.attempt for finding in findings if finding.claimed and not finding.stands]
    if fallen:
        click.echo(f"WRONG  walls={built.built} should not let a bot {', '.join(fallen)}; do not trust them here")
        sys.exit(1)


@bot.command(epilog=GAME_HELP)
@click.argument("command", metavar="CMD")
@click.option("--game", default="quarto", show_default=True, help="The game.")
@click.option("--walls", "level", type=LEVELS, default="auto", show_default=True, help="The kind of sandbox.")
@click.option("--seconds", type=float, default=10.0, show_default=True, help="Seconds for a move.")
@click.option("--lines", is_flag=True, help="Print every line: > to the bot, < from it.")
@verb
def check(command: str, game: str, level: str, seconds: float, lines: bool) -> None:
    """Play two games with the bot that CMD runs, and report exactly what is wrong with it.

    The exit code is 1 if anything is wrong. CMD is one argument, as in kibitz bot check "python3 mybot.py".
    """
    from kibitz.bots.checkup import Checkup
    from kibitz.core.spec import Spec
    from kibitz.games import find

    last: list[str] = []

    def note(who: str, line: bytes) -> None:
        said = f"{'>' if who == 'referee' else '<'} {line.decode(errors='replace').rstrip()}"
        last[:] = [*last[1 - LINES_SHOWN :], said]
        if lines:
            click.echo(said)

    options = {"cmd": Spec(command), "walls": Spec(level), "seconds": Spec(f"{seconds:g}")}
    for finding in Checkup(Spec("bot", options), find(game), note).findings():
        if finding.sound:
            click.echo(f"ok     {finding.sentence}")
            continue
        click.echo(f"WRONG  {finding.sentence}")
        if last and not lines:
            click.echo("the last lines, > to the bot and < from it:")
            for line in last:
                click.echo(f"  {line if len(line) <= LONGEST_SHOWN else line[:LONGEST_SHOWN] + '…'}")
        click.echo(f"advice: {finding.hint}")
        sys.exit(1)
