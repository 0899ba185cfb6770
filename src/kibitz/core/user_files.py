"""Files of the user: games and agents that a path names, and files that are written as a whole or not at all."""

import ast
import hashlib
import importlib.util
import os
import re
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from textwrap import shorten
from types import ModuleType
from typing import IO, Any

from kibitz.core.errors import BadValue, KibitzError
from kibitz.core.signals import from_outside
from kibitz.core.spec import Spec, parse

_LONGEST_COMPLAINT = 300
_LINES_SHOWN = 3  # of a traceback
_PACKAGE = Path(__file__).resolve().parent.parent
_LIBRARY = str(Path(os.__file__).parent)
PUBLIC = ("kibitz.rules", "kibitz.scenes", "kibitz.search", "kibitz")  # what code of others imports from
COMMAND = "cmd"  # the option of an agent that holds a command; its words do not name agents


def state_folder() -> Path:
    """Return the folder of what Kibitz keeps for this user, such as unfinished games."""
    home = os.environ.get("XDG_STATE_HOME")
    return (Path(home) if home else Path.home() / ".local" / "state") / "kibitz"


def is_path(name: str) -> bool:
    """Return whether the name of a game or an agent is a path, such as ./mygame."""
    return "/" in name


def is_network_path(name: str) -> bool:
    """Return whether the name of a network is a path, such as mine.npz."""
    return is_path(name) or name.endswith(".npz")


def commands_in(text: str) -> Iterator[str]:
    """Yield the commands in an agent's text, which run when it is used."""
    return (spec.args[COMMAND].name for spec in parse(text).nested(COMMAND) if COMMAND in spec.args)


def networks_in(text: str) -> Iterator[Path]:
    """Yield the files of networks and opening books in an agent's text."""
    for spec in parse(text).nested():
        args = [*spec.args.values()] if spec.name == "net" else []
        args += [spec.args["book"]] if "book" in spec.args else []
        yield from (Path(arg.name) for arg in args if is_network_path(arg.name))


def file_fingerprint(path: Path) -> str:
    """Return a hash of a file; empty if there is no file."""
    return hashlib.blake2b(path.read_bytes(), digest_size=8).hexdigest() if path.is_file() else ""


def with_paths(text: str, change: Callable[[str], str]) -> str:
    """Return an agent's text with every path in it changed; a text that cannot be read stays as it is."""
    try:
        return str(_changed(parse(text), change)) if "/" in text else text
    except BadValue:
        return text


def _changed(spec: Spec, change: Callable[[str], str]) -> Spec:
    name = change(spec.name) if is_path(spec.name) else spec.name
    args = {key: value if key == COMMAND else _changed(value, change) for key, value in spec.args.items()}
    return Spec(name, args)


def existing(name: str) -> Path:
    """Return a name as a path; a BadValue if nothing is there."""
    path = Path(name)
    if not path.exists():
        raise BadValue(f"there is nothing at {name}; it should be a folder or a Python file")
    return path


def import_path(name: str) -> str:
    """Import a folder (as a package) or a file and return the name of the module; a failure is a BadValue."""
    path = existing(name).resolve()
    module_name = f"kibitz_own_{path.stem}_{hashlib.blake2b(str(path).encode(), digest_size=4).hexdigest()}"
    if module_name not in sys.modules:
        module = _module_at(path, module_name)
        sys.modules[module_name] = module
        try:
            if module.__spec__ is not None and module.__spec__.loader is not None:
                with _neighbours_of(path), printing_on_stderr():
                    module.__spec__.loader.exec_module(module)
        except BaseException as error:
            del sys.modules[module_name]
            if from_outside(error):
                raise
            raise BadValue(f"{name} cannot be imported: {explained(error)}") from error
    return module_name


@contextmanager
def printing_on_stderr() -> Iterator[None]:
    """Send what the user's code prints to standard error, so that it does not mix with our output."""
    with redirect_stdout(sys.stderr):
        yield


@contextmanager
def _neighbours_of(path: Path) -> Iterator[None]:
    """Let a file import the files beside it, even if two folders have files with the same names."""
    folder, before = str(path.parent), set(sys.modules)
    if path.is_dir():
        yield
        return
    sys.path.insert(0, folder)
    try:
        yield
    finally:
        sys.path.remove(folder)
        if folder not in sys.path:
            sys.path.append(folder)  # for later imports, inside functions
        for name in set(sys.modules) - before:
            if Path(getattr(sys.modules[name], "__file__", None) or "/").parent == path.parent:
                del sys.modules[name]


def _module_at(path: Path, module_name: str) -> ModuleType:
    """Return the module of a file or folder, not yet executed; a folder needs no __init__.py."""
    source = path / "__init__.py" if path.is_dir() else path
    if path.is_dir() and not source.exists():
        module = ModuleType(module_name)
        module.__path__ = [str(path)]
        return module
    inside = [str(path)] if path.is_dir() else None
    spec = importlib.util.spec_from_file_location(module_name, source, submodule_search_locations=inside)
    if spec is None or spec.loader is None:
        raise BadValue(f"{path.name} is not a Python file")
    return importlib.util.module_from_spec(spec)


def explained(error: BaseException) -> str:
    """Return an error of the user's code in one line, with its file and line."""
    what = str(error) if isinstance(error, KibitzError) else f"{type(error).__name__}: {error}"
    if isinstance(error, SyntaxError):
        return f"{error.filename}, line {error.lineno}: {type(error).__name__}: {error.msg}"
    steps = _own_steps(error)
    folder = Path(steps[-1].filename).parent if steps else None
    what += _where_it_is(error, folder) if isinstance(error, ImportError) else ""
    return f"{steps[-1].filename}, line {steps[-1].lineno}: {what}" if steps else what


def _where_it_is(error: ImportError, folder: Path | None) -> str:
    """Return where to import from, as the end of a sentence; empty if nothing is known."""
    module, wanted = error.name or "", re.match(r"cannot import name '(\w+)'", str(error))
    if folder is not None and (folder / f"{module}.py").is_file():
        return f"; inside a folder of Kibitz write: from .{module} import …"
    if module.partition(".")[0] != _PACKAGE.name:
        return ""
    names = {name: public for public in reversed(PUBLIC) for name in getattr(import_module(public), "__all__", ())}
    if wanted and wanted[1] in names:
        return f"; {wanted[1]} is in {names[wanted[1]]}"
    near = get_close_matches(wanted[1], names, n=1) if wanted else []
    if near:
        return f"; did you mean {near[0]!r} of {names[near[0]]}?"
    return f"; what games and agents need is in {', '.join(PUBLIC[:-1])} and {PUBLIC[-1]}"


def with_last_lines(error: BaseException) -> str:
    """Return an error of the user's code in one line, with the last lines of that code in its traceback."""
    try:
        shown = f"{type(error).__name__}: {error}".encode(errors="replace").decode()
        shown = shorten(shown, _LONGEST_COMPLAINT, placeholder=" …")
        lines = [f"{Path(step.filename).name}, line {step.lineno}: {step.line}" for step in _own_steps(error)]
        return f"{shown} ({'; '.join(lines[-_LINES_SHOWN:])})" if lines else shown
    except Exception:  # the text of the user's error may fail
        return type(error).__name__


def _own_steps(error: BaseException) -> list[traceback.FrameSummary]:
    """Return the steps of a traceback that lie in the user's code."""
    steps = traceback.extract_tb(error.__traceback__)
    return [step for step in steps if not _is_of_others(step.filename)]


def _is_of_others(file: str) -> bool:
    """Return whether code is that of Kibitz or of Python, not the user's."""
    of_python = file.startswith(_LIBRARY) and "site-packages" not in file
    return file.startswith("<") or of_python or Path(file).is_relative_to(_PACKAGE)


def command_fingerprint(command: str) -> str:
    """Return a hash of the files in a command."""
    return " ".join(fingerprint(word) for word in command.split() if Path(word).is_file())


def fingerprint(name: str) -> str:
    """Return a hash of all Python code at a path."""
    path = Path(name)
    sources = sorted(path.rglob("*.py")) if path.is_dir() else _with_neighbours(path)
    found = hashlib.blake2b(digest_size=8)
    for source in sources:
        found.update(source.name.encode() + b"\0" + source.read_bytes())
    return found.hexdigest()


def _with_neighbours(path: Path) -> list[Path]:
    """Return a file and the files beside it that it imports, directly or through others."""
    found, waiting = [path], [path]
    while waiting:
        for name in _imported(waiting.pop()):
            beside = path.with_name(f"{name}.py")
            if beside.is_file() and beside not in found:
                found.append(beside)
                waiting.append(beside)
    return found[:1] + sorted(found[1:])


def _imported(path: Path) -> Iterator[str]:
    try:
        tree = ast.parse(path.read_bytes())
    except (SyntaxError, ValueError):  # its import will tell
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]


@contextmanager
def whole_file(path: Path, overwrite: bool = False, binary: bool = False) -> Iterator[IO[Any]]:
    """Open a file for writing; it appears under its name only when all of it is written."""
    try:
        if path.exists() and not overwrite:
            raise BadValue(f"{path} exists already; choose another name or remove it first")
        descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        part = Path(name)
        try:
            with os.fdopen(descriptor, "wb" if binary else "w", encoding=None if binary else "utf-8") as out:
                yield out
            mask = os.umask(0)
            os.umask(mask)
            part.chmod(0o666 & ~mask)
            part.replace(path)
        except BaseException:
            part.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise BadValue(f"cannot write {path}: {error.strerror}") from None


def write_bytes(path: Path, content: bytes) -> None:
    """Write or replace a file so that nobody ever finds half of it."""
    with whole_file(path, overwrite=True, binary=True) as out:
        out.write(content)


def check_writable(path: Path) -> None:
    """Refuse a file that exists or cannot be written, before the work that it is for."""
    try:
        if path.exists():
            raise BadValue(f"{path} exists already; choose another name or remove it first")
        tempfile.TemporaryFile(prefix=f".{path.name}.", dir=path.parent).close()
    except OSError as error:
        raise BadValue(f"cannot write {path}: {error.strerror}") from None
