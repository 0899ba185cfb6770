"""The command line: one verb a file, loaded when it is named; packages bring others by entry points.

Verbs import heavy modules inside their functions, so that help answers at once.
"""

import atexit
import gc
from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING

import click

from kibitz import __version__
from kibitz.console.command_line import at_start

if TYPE_CHECKING:
    from kibitz.arena.play.compile_ahead import CompileHelpers

VERBS = (
    "agents",
    "analyse",
    "balance",
    "check",
    "draw",
    "games",
    "match",
    "new",
    "perft",
    "play",
    "plugins",
    "replay",
    "report",
    "serve",
    "tournament",
)
_GROUP = "commands"  # of plugins
_HUMAN = "human"  # as in terminal_game.py, which takes long to import


@at_start
def _compile_on_all_cores(options: Mapping[str, object]) -> None:
    """Let helper processes compile what the agents that a verb is given need, as soon as it compiles for seconds."""
    from kibitz.core.code_on_disk import forecast
    from kibitz.core.compile_forecast import CompileProgress

    game, several = options.get("game") or options.get("what"), options.get("agents")
    agents = [*(several if isinstance(several, tuple) else ()), options.get("agent")]
    named = tuple((game, agent) for agent in agents if isinstance(game, str) and isinstance(agent, str))

    forecast.foresee(agent for _, agent in named if agent != _HUMAN)
    started: list[CompileHelpers] = []

    def look(progress: CompileProgress | None) -> None:
        from kibitz.arena.play.compile_ahead import CompileHelpers

        if not started:
            started.append(CompileHelpers(named))
        started[0].look(progress)

    def end() -> None:
        forecast.forget(look)
        for helpers in started:
            helpers.end()

    forecast.watch(look)
    click.get_current_context().call_on_close(end)


class _Commands(click.Group):
    """The verbs of Kibitz, and those that packages bring (core/plugins.py)."""

    def list_commands(self, context: click.Context) -> list[str]:
        """Return the names of all verbs."""
        from kibitz.core import plugins

        return plugins.names(_GROUP, VERBS)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        """Load a verb; one that cannot be loaded says why, and the others work."""
        from kibitz.core import plugins
        from kibitz.core.errors import BadValue

        try:
            plugin = plugins.find(_GROUP, name, VERBS)
            if plugin is None:
                return getattr(import_module(f"{__name__}.{name}_command"), name) if name in VERBS else None
            found = plugin.load()
            if not isinstance(found, click.Command):
                raise BadValue(f"the command {plugin} is not a click command")
        except BadValue as error:
            return _broken(name, str(error))
        return found


def _broken(name: str, why: str) -> click.Command:
    """Return a verb that only says why it is not available."""

    def say(words: tuple[str, ...]) -> None:
        raise click.ClickException(why)

    words = click.Argument(["words"], nargs=-1, type=click.UNPROCESSED)

    settings = {"ignore_unknown_options": True}
    return click.Command(name, callback=say, params=[words], help=f"Not available: {why}", context_settings=settings)


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="kibitz")
def main() -> None:
    """A laboratory for board games with more than two seats, hidden cards, or both.

    \b
    Start here:
      kibitz serve                              play in the browser
      kibitz play quarto --level club           play in the terminal
      kibitz games                              list the games
      kibitz agents quarto                      list the agents that play it
      kibitz match quarto novice random --games 1000
    """
    atexit.register(gc.freeze)  # looking once more for garbage takes a fifth of a short command
