"""`kibitz battleground`: bots of many people meet over the network."""

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kibitz.console.command_line import AGENT_HELP, console, print_json, verb

if TYPE_CHECKING:
    from kibitz.plugins.battleground.channels import Channels

PORT = 6666
LEVELS = click.Choice(["auto", "bwrap", "kernel", "limits", "none"])
FILE = click.Path(dir_okay=False, path_type=Path)


@click.group()
def battleground() -> None:
    """Let bots of many people meet over the network: serve a battleground, join one, or see the ladder.

    docs/battleground.md describes the protocol, also for players of the course COMP30024.
    """


@battleground.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at; 0.0.0.0 for all.")
@click.option(
    "--port", type=click.IntRange(0, 65_535), default=PORT, show_default=True, help="The port; 0 for any free one."
)
@click.option("--game", "games", multiple=True, help="A game to offer; may be given several times; default: all.")
@click.option("--db", type=FILE, default="battleground.db", show_default=True, help="The ledger of games and names.")
@click.option("--move-seconds", type=click.FloatRange(0.01, 3600), default=10.0, show_default=True,
              help="Seconds for a move, network time included.")  # fmt: skip
@click.option("--grace", type=click.FloatRange(0, 3600), default=30.0, show_default=True,
              help="Seconds that a bot may be disconnected in one game.")  # fmt: skip
@click.option("--rest", type=click.FloatRange(0, 3600), default=1.0, show_default=True,
              help="Seconds between two games of the same bots.")  # fmt: skip
@click.option("--web", type=click.IntRange(0, 65_535), metavar="PORT",
              help="Show ladders and running games in the browser, at this port; 0 for any free one.")  # fmt: skip
@verb
def serve(
    host: str, port: int, games: tuple[str, ...], db: Path, move_seconds: float, grace: float, rest: float,
    web: int | None,
) -> None:  # fmt: skip
    """Serve a battleground until Ctrl-C; every game is kept when it ends.

    --web shows running games. kibitz serve --ledger DB shows finished ones, also while the battleground is running.
    """
    from kibitz.arena.plan.limits import Limits
    from kibitz.games import names
    from kibitz.plugins.battleground.battleground_server import BattlegroundServer, listen
    from kibitz.plugins.battleground.channels import Channels
    from kibitz.plugins.battleground.registry import keep_books

    def announce(sentence: str) -> None:
        with suppress(BrokenPipeError):  # nobody reads it any more; games go on
            click.echo(sentence)
            sys.stdout.flush()

    limits = Limits(move_seconds=move_seconds)
    with keep_books(db, limits) as books, ExitStack() as beside:
        lobby = Channels(books, games or names(), limits, grace, rest, announce)
        listener = listen(host, port)
        announce(
            f"The battleground is at {host}:{listener.getsockname()[1]} (Ctrl-C stops it): {', '.join(lobby.games)}"
        )
        if web is not None:
            announce(f"In the browser: {beside.enter_context(_page(lobby, host, web))}")
        BattlegroundServer(lobby, listener).run()


@contextmanager
def _page(lobby: "Channels", host: str, port: int) -> Iterator[str]:
    """Serve the page of a battleground; yield its address."""
    from kibitz.plugins.battleground.battleground_page import application
    from kibitz.web.web_server import listen, served_beside

    listener = listen(host, port)
    with served_beside(application(lobby, host), listener):
        yield f"http://{f'[{host}]' if ':' in host else host}:{listener.getsockname()[1]}/"


@battleground.command(epilog=AGENT_HELP)
@click.argument("address", metavar="HOST:PORT")
@click.argument("agent", required=False)
@click.option("--cmd", help="A program that speaks the bot protocol, instead of AGENT.")
@click.option("--name", required=True, help="The name of the bot on the ladder.")
@click.option("--channel", default="open", show_default=True, help="Bots meet in a channel; any word makes one.")
@click.option("--game", default="quarto", show_default=True, help="The game, which the server must offer.")
@click.option("--token", help="The token of the name; default: the one kept when the name was first used.")
@click.option(
    "--walls", "level", type=LEVELS, default="auto", show_default=True, help="The kind of sandbox for the program."
)
@verb
def join(
    address: str, agent: str | None, cmd: str | None, name: str, channel: str, game: str, token: str | None, level: str
) -> None:  # fmt: skip
    """Play on the battleground at HOST:PORT with AGENT, or with the program of --cmd, until Ctrl-C.

    The server gives a token when a name is first used; nobody can use the name without it. It is kept in your home
    folder.
    """
    from kibitz.agents import build
    from kibitz.arena.plan.limits import Limits
    from kibitz.arena.plan.own_agents import around_no_walls
    from kibitz.bots.sandbox.sandbox import Sandbox, better_walls
    from kibitz.core.errors import BadValue
    from kibitz.core.spec import parse
    from kibitz.games import find
    from kibitz.plugins.battleground.battleground_client import Address, BattlegroundClient
    from kibitz.plugins.battleground.client_player import AgentPlayer, ProgramPlayer
    from kibitz.plugins.battleground.lobby_messages import Seek
    from kibitz.plugins.battleground.tokens import Tokens

    if (agent is None) == (cmd is None):
        raise BadValue("name either an agent or, with --cmd, a program")
    loose = not Sandbox(level).solid if agent is None else bool(around_no_walls(find(game), [agent], Limits()))
    if loose and find(game).secret:
        raise BadValue(f"no walls keep secrets from a program here, and {game} has some; {better_walls()}")
    if agent is not None:
        build(agent, find(game))  # an agent that cannot be built must not take a seat
    where, tokens = Address.read(address), Tokens()
    seek = Seek(name=name, channel=channel, game=game, token=token or tokens.find(f"{where} {name}"))
    player = AgentPlayer(str(parse(agent))) if agent is not None else ProgramPlayer(cmd or "", Sandbox(level))
    try:
        BattlegroundClient(where, seek, player, click.echo, lambda found: tokens.keep(f"{where} {name}", found)).run()
    finally:
        player.end()


@battleground.command()
@click.argument("db", type=FILE)
@click.option("--channel", default="open", show_default=True, help="The channel whose games count.")
@click.option("--json", "as_json", is_flag=True, help="Print the ladder as one JSON object.")
@verb
def ladder(db: Path, channel: str, as_json: bool) -> None:
    """Print the ladder of every game in the ledger DB, also while it is being written.

    Every channel has its own ladders.
    """
    from msgspec.structs import asdict
    from rich.table import Table

    from kibitz.plugins.battleground.registry import ladders

    found = ladders(db, channel)
    if as_json:
        print_json({game: [asdict(rung.entry()) for rung in one.rungs()] for game, one in found.items()})
        return
    for game, one in found.items():
        scoring = one.scoring
        rated = () if scoring.shared else ("skill", "mean", "±")
        won = () if scoring.shared else ("won",)
        table = Table("", "bot", *rated, "games", *won, scoring.heading, title=game)
        for place, rung in enumerate(one.rungs(), 1):
            skill = f"{rung.skill:.1f}", f"{rung.rating.mu:.1f}", f"{rung.rating.sigma:.1f}"
            table.add_row(
                str(place), rung.name, *(skill if rated else ()), str(rung.games), *([str(rung.wins)] if won else ()),
                scoring.mean_text(rung.mean_payoff),
            )  # fmt: skip
        console().print(table)
