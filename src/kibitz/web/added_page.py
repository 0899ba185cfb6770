"""A page that a package adds to the browser, by an entry point of the group `kibitz.pages` (core/plugins.py)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from starlette.routing import BaseRoute

if TYPE_CHECKING:
    from kibitz.web.lobby import Lobby


@dataclass(frozen=True)
class Page:
    """A page that the start page links to; its routes begin with the name of the entry point, as in /NAME/."""

    title: str
    routes: Callable[["Lobby"], Sequence[BaseRoute]]
