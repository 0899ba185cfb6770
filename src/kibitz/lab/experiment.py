"""An experiment: published tables as data, with the set-up that should reproduce them."""

import json
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path
from typing import Any

from kibitz.core import plugins
from kibitz.core.errors import BadValue, KibitzError, UnknownName
from kibitz.lab.experiment_outcome import COUNTS, PLACEHOLDER, QUESTION
from kibitz.lab.trials import Trial, kind_of_trial, kinds
from kibitz.lab.validation import any_value, list_of, number, one_of, table, table_of, text, truth

ENDING = ".toml"
TEXTS = ("title", "document", "place", "about", "choices", "cause")
KINDS = ("document", QUESTION)  # an experiment repeats what a document published, or asks something new
OF_TRIALS = (  # for all its trials
    "origin", "origin_note", "fitted", "held_out", "alternative", "headline", "margin", "table", "assumed_games",
)  # fmt: skip
MOST_DIFFERENCE = 0.25  # that may be called too small to matter: a larger one is half of an even share
_KEYS = {
    **dict.fromkeys(TEXTS, text), **dict.fromkeys(OF_TRIALS, any_value), "kind": one_of("kind of experiment", KINDS),
    "difference": number(0, MOST_DIFFERENCE, above=True), "aside": truth, "quick": number(0, 1),
    "trial": list_of(table_of(any_value)),
}  # fmt: skip


class WrittenNumber(float):
    """A number as a file writes it: 2.30 is known to two digits."""

    def __new__(cls, written: str) -> "WrittenNumber":
        """Read it; its text is that of the file."""
        number = super().__new__(cls, written)
        number.written = written
        return number

    written: str

    def __str__(self) -> str:
        return self.written


@dataclass(frozen=True)
class Experiment:
    """A set-up and the published numbers."""

    name: str
    title: str
    trials: tuple[Trial, ...]
    document: str = ""  # which it comes from
    place: str = ""  # where in it
    about: str = ""  # what is compared
    choices: str = ""  # what the document leaves open, and what was chosen
    cause: str = ""  # why figures differ, where they do
    kind: str = "document"  # or "question", if nothing is published
    difference: float = 0.05  # what matters to a question, as a share
    aside: bool = False  # whether `all` leaves it out
    quick: float = 0.0  # its scale in the quick set; 0 if it is not in it
    file: str = ""  # of a user's own experiment
    data: str = ""  # a hash of what its file says

    @property
    def texts(self) -> dict[str, str]:
        """The texts that are not empty, by name."""
        return {key: getattr(self, key) for key in TEXTS if getattr(self, key)}

    def check(self) -> None:
        """Refuse trials that cannot be run; this builds games and agents."""
        for place, trial in enumerate(self.trials, 1):
            with _named(f"trial {place}"):
                trial.check()

    @property
    def size(self) -> dict[str, int]:
        """The numbers of games, tests, moves and positions at full scale."""
        total: Counter[str] = Counter()
        for trial in self.trials:
            total.update(trial.size)
        return {unit: number for unit, number in total.items() if number}


def names() -> list[str]:
    """Return the names of the experiments that packages bring."""
    return sorted(_files())


def _files() -> dict[str, Path]:
    """Return the files of the experiments in packages that entry points name, by the name of the experiment."""
    found: dict[str, tuple[Path, plugins.Plugin]] = {}
    for plugin, package in plugins.loaded("experiments"):
        for path in Path(package.__file__ or "").parent.glob(f"*{ENDING}"):
            if path.stem in found:
                both = [f"{one.package} {one.version}" for one in (found[path.stem][1], plugin)]
                raise plugins.clash("experiments", path.stem, both)
            found[path.stem] = path, plugin
    return {name: path for name, (path, _) in found.items()}


def find(name: str) -> Experiment:
    """Return an experiment by its name or by the path of its file, checked; this builds games and agents."""
    found = outline(name)
    with _named(_path(name)):
        found.check()
    return found


def outline(name: str) -> Experiment:
    """Return an experiment by its name or path, unchecked; this builds no game or agent."""
    path = _path(name)
    found = _read(path)
    return replace(found, file=str(path.resolve())) if name.endswith(ENDING) else found


def read(path: Path) -> Experiment:
    """Read an experiment from its file, checked; errors name the file and the trial."""
    found = _read(path)
    with _named(path):
        found.check()
    return found


def _path(name: str) -> Path:
    if name.endswith(ENDING):
        if not Path(name).is_file():
            raise BadValue(f"there is no file {name}")
        return Path(name)
    known = _files()
    if name not in known:
        raise UnknownName("experiment", name, known)
    return known[name]


@contextmanager
def _named(where: object) -> Iterator[None]:
    """Put a place in front of error messages."""
    try:
        yield
    except KibitzError as error:
        raise BadValue(f"{where}: {error}") from None


def _read(path: Path) -> Experiment:
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"), parse_float=WrittenNumber)
    except OSError as error:
        raise BadValue(f"cannot read {path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadValue(f"{path} is not valid TOML: {error}") from None
    with _named(path):
        return _experiment(path.stem, data)


def _experiment(name: str, data: Mapping[str, Any]) -> Experiment:
    table("key", _KEYS)("", data)
    if not data.get("title"):
        raise BadValue("title is missing: what is this experiment about?")
    if not data.get("trial"):
        raise BadValue("an experiment has at least one [[trial]]")
    trials = tuple(_trial(place, _usual(data, entry) | entry) for place, entry in enumerate(data["trial"], 1))
    _check_names([trial.what for trial in trials])
    texts = {key: data.get(key, "").strip() for key in TEXTS}
    rest = {key: data[key] for key in ("kind", "difference", "aside", "quick") if key in data}
    if "difference" in rest and rest.get("kind") != QUESTION:
        raise BadValue('difference is for experiments of kind = "question"; of published numbers say margin')
    for place, entry in enumerate(data["trial"], 1):
        if rest.get("kind") == QUESTION and "published" in entry:
            raise BadValue(f"trial {place}: published has no place in a question, which nobody has answered")
    for key, told in texts.items():
        _check_placeholders(key, told, [trial.what for trial in trials])
    return Experiment(name, trials=trials, data=_hash(data), **rest, **texts)


def _check_names(names: Sequence[str]) -> None:
    """Refuse two trials of one name, from which seeds follow, and by which texts name them."""
    for place, name in enumerate(names, 1):
        if (first := names.index(name) + 1) < place:
            raise BadValue(f"trials {first} and {place} are both called {name!r}; give each a name of its own")


def _check_placeholders(key: str, told: str, names: Sequence[str]) -> None:
    """Refuse a placeholder that nothing fills."""
    for found in PLACEHOLDER.findall(told):
        if found not in COUNTS and not any(found.startswith(f"{name}: ") for name in names):
            known = ", ".join(f"{{{name}}}" for name in COUNTS)
            raise BadValue(f"{key} has {{{found}}}, which nothing fills; known: {known} and {{TRIAL: ROW}}")


def _hash(data: Mapping[str, Any]) -> str:
    """Return a hash of what a file says, whatever its comments and line ends."""
    return blake2b(json.dumps(data, sort_keys=True, default=str).encode(), digest_size=6).hexdigest()


def _usual(data: Mapping[str, Any], entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the head of a file says for a trial; a trial that names its own origin has its own note."""
    return {key: data[key] for key in OF_TRIALS if key in data and not (key == "origin_note" and "origin" in entry)}


def _trial(place: int, given: Mapping[str, Any]) -> Trial:
    with _named(f"trial {place}"):
        kind = given.get("kind", "match")
        one_of("kind of trial", kinds())("kind", kind)
        return kind_of_trial(kind).read({key: value for key, value in given.items() if key != "kind"})
