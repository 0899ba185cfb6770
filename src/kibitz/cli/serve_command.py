"""`kibitz serve`: the browser."""

import os
import sys
from pathlib import Path

import click

from kibitz.console.command_line import verb

PORT = 8000


@click.command()
@click.argument("games", nargs=-1)
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at.")
@click.option(
    "--port", type=click.IntRange(0, 65_535), default=PORT, show_default=True, help="The port; 0 for any free one."
)
@click.option(
    "--db", type=click.Path(dir_okay=False, path_type=Path),
    help="The file that stores the tables; default: one in your home folder.",
)  # fmt: skip
@click.option(
    "--ledger", "ledgers", multiple=True, type=click.Path(dir_okay=False, path_type=Path),
    help="A ledger whose tournaments can be watched; may be given several times.",
)  # fmt: skip
@click.option(
    "--agent", "agents", multiple=True, metavar="PATH|NAME=AGENT",
    help="Your own agent for visitors to choose: a path, or any agent or bot under a name; may be given several times.",
)  # fmt: skip
@click.option("--open/--no-open", "opens", default=None, help="Open a browser; default: if there is one.")
@verb
def serve(
    games: tuple[str, ...], host: str, port: int, db: Path | None, ledgers: tuple[Path, ...],
    agents: tuple[str, ...], opens: bool | None,
) -> None:  # fmt: skip
    """Play, watch and analyse in the browser, until Ctrl-C.

    GAMES are paths of your own games, offered besides those that come with Kibitz. Tables survive a restart.
    """
    from kibitz.core.errors import BadValue
    from kibitz.web.allowlist import Allowlist
    from kibitz.web.lobby import Lobby
    from kibitz.web.messages import RequestRefused
    from kibitz.web.request_guard import LOCAL
    from kibitz.web.table_store import TableStore
    from kibitz.web.web_server import listen
    from kibitz.web.web_server import serve as run

    try:
        allowlist = Allowlist(games, agents, public=host not in LOCAL)
    except RequestRefused as error:
        raise BadValue(str(error)) from None
    listener = listen(host, port)
    lobby = Lobby(TableStore(db or _usual_file()), allowlist)
    address = f"http://{f'[{host}]' if ':' in host else host}:{listener.getsockname()[1]}/"

    def started() -> None:
        click.echo(f"Kibitz is at {address} (Ctrl-C stops it)")
        sys.stdout.flush()
        if opens or (opens is None and _has_browser()):
            import webbrowser

            webbrowser.open(address)

    run(lobby, listener, host, list(ledgers), started)


def _usual_file() -> Path:
    from kibitz.cli.terminal_game import unfinished_folder

    folder = unfinished_folder().parent
    folder.mkdir(parents=True, exist_ok=True)
    return folder / "tables.db"


def _has_browser() -> bool:
    """Return whether somebody sits before a screen here."""
    if sys.platform in ("darwin", "win32"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
