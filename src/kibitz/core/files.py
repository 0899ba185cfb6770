"""Games and agents from files of the user's own: a path in place of a name."""

import hashlib
import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path

from kibitz.core.errors import BadValue
from kibitz.core.signals import from_outside
from kibitz.core.spec import parse


def is_path(name: str) -> bool:
    """Tell whether a name is a path, as ./mygame is."""
    return "/" in name


def paths_in(text: str) -> Iterator[str]:
    """Yield the paths that a text names, such as those of agents within an agent."""
    waiting = [parse(text)]
    while waiting:
        spec = waiting.pop()
        if is_path(spec.name):
            yield spec.name
        waiting += spec.args.values()


def import_path(name: str) -> str:
    """Import a folder (as a package) or a file and return the name of the module; what fails is a BadValue."""
    path = Path(name).resolve()
    source = path / "__init__.py" if path.is_dir() else path
    if not source.is_file():
        raise BadValue(f"there is nothing to import at {name}; it should be a folder with __init__.py, or a file")
    module_name = f"kibitz_own_{path.stem}_{hashlib.blake2b(str(path).encode(), digest_size=4).hexdigest()}"
    if module_name not in sys.modules:
        inside = [str(path)] if path.is_dir() else None
        spec = importlib.util.spec_from_file_location(module_name, source, submodule_search_locations=inside)
        if spec is None or spec.loader is None:
            raise BadValue(f"{name} is no Python file")
        module = importlib.util.module_from_spec(spec)
        sys.modules[module_name] = module
        try:
            spec.loader.exec_module(module)
        except BaseException as error:
            del sys.modules[module_name]
            if from_outside(error):
                raise
            raise BadValue(f"{name} cannot be imported: {type(error).__name__}: {error}") from error
    return module_name


def fingerprint(name: str) -> str:
    """Return a hash of all Python code at a path."""
    path = Path(name)
    sources = sorted(path.rglob("*.py")) if path.is_dir() else [path]
    found = hashlib.blake2b(digest_size=8)
    for source in sources:
        found.update(source.name.encode() + b"\0" + source.read_bytes())
    return found.hexdigest()
