"""Where games are played: on this machine, or where a plugin of the group `kibitz.workers` plays them."""

from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager

from kibitz.arena.play.batch import Batch
from kibitz.arena.play.local import play_locally
from kibitz.core import plugins
from kibitz.core.errors import UnknownName
from kibitz.core.threads import available_threads

Players = tuple[Callable[..., Generator[Batch, None, None]], int]
_GROUP = "workers"  # of plugins
USUAL = "ray"  # for an address without a name in front, as HOST:PORT


@contextmanager
def players(where: str | None) -> Iterator[Players]:
    """Yield what plays fixtures, and the usual number of workers: here, or where `NAME` or `NAME://…` says."""
    if where is None:
        yield play_locally, available_threads()
        return
    name = where.partition("://")[0]
    plugin = plugins.find(_GROUP, name) or (plugins.find(_GROUP, USUAL) if ":" in where else None)
    if plugin is None:
        raise UnknownName("place to play", where, plugins.names(_GROUP))
    with plugin.load()(where) as found:
        yield found
