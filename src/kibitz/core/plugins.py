"""Plugins: what installed packages bring, Kibitz among them, found by entry points of the groups `kibitz.…`.

A package names what it brings in its pyproject.toml, and nothing is imported before somebody asks for it by name:

    [project.entry-points."kibitz.agents"]
    cautious = "kibitz_cautious.agent"
"""

import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from kibitz.core.errors import BadValue
from kibitz.core.signals import from_outside
from kibitz.core.user_files import explained

GROUPS = {  # what an entry point of each group names
    "games": "a package with rules.py and its companions",
    "extensions": "a module with values, policies, filters or encodings for a game, named as game.anything",
    "agents": "a module with one class that is an Agent",
    "values": "what makes values, policies and orders of texts, as net(file) is one",
    "commands": "a command of click, or a group of them",
    "pages": "a Page of the browser",
    "laws": "a module with laws that `kibitz check` tries",
    "workers": "what plays games elsewhere, for --on",
    "experiments": "a package with experiments as TOML files",
    "trials": "a kind of trial for experiments",
}


@dataclass(frozen=True)
class Plugin:
    """One thing that a package brings."""

    group: str
    name: str
    target: str  # module, or module:name
    package: str
    version: str

    def __str__(self) -> str:
        return f"{self.name} ({self.package} {self.version})"

    @property
    def ours(self) -> bool:
        """Whether its code is Kibitz's own."""
        return self._top == __name__.partition(".")[0]

    @property
    def place(self) -> str:
        """Where its package lies: a folder, or a file; no code is run to find out."""
        spec = find_spec(self._top)
        if spec is None:
            raise BadValue(f"{self} is not there: there is no module {self._top}")
        return next(iter(spec.submodule_search_locations or ()), str(spec.origin))

    @property
    def _top(self) -> str:
        return self.target.partition(":")[0].partition(".")[0]

    def as_dict(self) -> dict[str, str]:
        """Return it as plain data."""
        return asdict(self)

    def load(self) -> Any:
        """Import it; a package that fails is a BadValue that names it."""
        module, _, attribute = self.target.partition(":")
        try:
            found = import_module(module)
            return getattr(found, attribute) if attribute else found
        except BaseException as error:
            if from_outside(error) or isinstance(error, MemoryError):
                raise
            what = self.group.removesuffix("s")
            raise BadValue(
                f"the {what} {self.name} of the package {self.package} {self.version} cannot be loaded: "
                f"{explained(error)}"
            ) from error


def plugins(group: str) -> Mapping[str, Plugin]:
    """Return what packages bring of a group, by name; names that two packages bring are not among them."""
    return {name: found[0] for name, found in _by_name(group).items() if len(found) == 1}


def names(group: str, own: Iterable[str] = ()) -> list[str]:
    """Return all names of a group, also those that clash, beside those that a room has of its own."""
    return sorted({*own, *_by_name(group)})


def find(group: str, name: str) -> Plugin | None:
    """Return what bears a name, or None; a name that several packages bring is refused with all of them."""
    found = _by_name(group).get(name, [])
    if len(found) > 1:
        raise clash(group, name, [f"{one.package} {one.version}" for one in found])
    return found[0] if found else None


def loaded(group: str, ours: bool = False, prefix: str = "") -> Iterator[tuple[Plugin, Any]]:
    """Yield what packages bring of a group, loaded; what cannot be loaded is named on standard error, once.

    With `ours`, no code of others is run; with a prefix, only what names begin with it.
    """
    for name, plugin in plugins(group).items():
        if (ours and not plugin.ours) or not name.startswith(prefix):
            continue
        try:
            yield plugin, plugin.load()
        except BadValue as error:
            _complain(str(error))


def everything(group: str) -> Iterator[tuple[Plugin, str]]:
    """Yield all that packages bring of a group, each with what is wrong with it, if anything is."""
    for name, found in _by_name(group).items():
        for plugin in found:
            try:
                find(group, name)
                plugin.load()
            except BadValue as error:
                yield plugin, str(error)
            else:
                yield plugin, ""


@cache
def _complain(sentence: str) -> None:
    print(f"kibitz: {sentence}", file=sys.stderr)


def clash(group: str, name: str, packages: Iterable[str]) -> BadValue:
    """Return the complaint about a name that several packages bring."""
    what = group.removesuffix("s")
    return BadValue(f"the {what} {name} is in several packages: {' and '.join(packages)}; uninstall all but one")


@cache
def _by_name(group: str) -> dict[str, list[Plugin]]:
    from importlib.metadata import entry_points  # which takes a while to load

    found: dict[str, list[Plugin]] = {}
    for point in entry_points(group=f"kibitz.{group}"):
        package, version = (point.dist.name, point.dist.version) if point.dist else ("?", "?")
        one, others = Plugin(group, point.name, point.value, package, version), found.setdefault(point.name, [])
        if one not in others:  # a package may be found twice on the path
            others.append(one)
    return {name: found[name] for name in sorted(found)}
