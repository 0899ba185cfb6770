"""Plugins: what installed packages bring, Kibitz included, found by entry points in the groups `kibitz.…`.

A package lists its plugins in its pyproject.toml; each is imported when somebody asks for it by name:

    [project.entry-points."kibitz.agents"]
    cautious = "kibitz_cautious.agent"
"""

import sys
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from kibitz.core.errors import BadValue
from kibitz.core.signals import from_outside
from kibitz.core.user_files import explained

GROUPS = {  # what the entry points of each group are
    "games": "a package with rules.py and its companions",
    "extensions": "a module with values, policies, filters or encodings for a game, named game.anything",
    "agents": "a module with one class that is an Agent",
    "values": "a module that makes values, policies and orders of texts such as net(file)",
    "commands": "a click command, or a group of them",
    "pages": "a Page of the browser",
    "laws": "a module with laws that `kibitz check` tries",
    "workers": "a function whose players play games elsewhere, for --on",
    "experiments": "a package with experiments as TOML files",
    "trials": "a kind of trial for experiments",
}


@dataclass(frozen=True)
class Plugin:
    """One entry point of a package."""

    group: str
    name: str
    target: str  # a module, or module:name
    package: str
    version: str

    def __str__(self) -> str:
        return f"{self.name} ({self.package} {self.version})"

    @property
    def ours(self) -> bool:
        """Whether its code is part of Kibitz."""
        return self._top == __name__.partition(".")[0]

    @property
    def place(self) -> str:
        """The folder or file of its package; no code runs to find it."""
        spec = find_spec(self._top)
        if spec is None:
            raise BadValue(f"{self} cannot be found: there is no module {self._top}")
        return next(iter(spec.submodule_search_locations or ()), str(spec.origin))

    @property
    def _top(self) -> str:
        return self.target.partition(":")[0].partition(".")[0]

    def load(self) -> Any:
        """Import it; if that fails, a BadValue names the package."""
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
    """Return the plugins of a group by name, without the names that two packages bring."""
    return {name: found[0] for name, found in _by_name(group).items() if len(found) == 1}


def names(group: str, own: Iterable[str] = ()) -> list[str]:
    """Return all names of a group, including those that clash, and the names in `own`."""
    return sorted({*own, *_by_name(group)})


def find(group: str, name: str, own: Container[str] = ()) -> Plugin | None:
    """Return the plugin with a name, or None; a name that several packages bring, or that is in `own`, is refused."""
    found = _by_name(group).get(name, [])
    packages = [*(["kibitz"] if name in own else []), *(f"{one.package} {one.version}" for one in found)]
    if found and len(packages) > 1:
        raise clash(group, name, packages)
    return found[0] if found else None


def loaded(group: str, ours: bool = False, prefix: str = "") -> Iterator[tuple[Plugin, Any]]:
    """Yield the plugins of a group with what they load; those that cannot be loaded are named on stderr, once.

    With `ours`, only those of Kibitz; with `prefix`, only those whose names start with it.
    """
    for name, plugin in plugins(group).items():
        if (ours and not plugin.ours) or not name.startswith(prefix):
            continue
        try:
            yield plugin, plugin.load()
        except BadValue as error:
            _complain(str(error))


def everything(group: str) -> Iterator[tuple[Plugin, str]]:
    """Yield all plugins of a group, each with what is wrong with it or an empty text."""
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
    """Return the error for a name that several packages bring."""
    what = group.removesuffix("s")
    return BadValue(f"the {what} {name} is in several packages: {' and '.join(packages)}; uninstall all but one")


@cache
def _by_name(group: str) -> dict[str, list[Plugin]]:
    from importlib.metadata import entry_points  # slow to import

    found: dict[str, list[Plugin]] = {}
    for point in entry_points(group=f"kibitz.{group}"):
        package, version = (point.dist.name, point.dist.version) if point.dist else ("?", "?")
        one, others = Plugin(group, point.name, point.value, package, version), found.setdefault(point.name, [])
        if one not in others:  # a package may be on the path twice
            others.append(one)
    return {name: found[name] for name in sorted(found)}
