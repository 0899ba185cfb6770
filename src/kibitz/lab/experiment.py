"""An experiment: published tables as data, with the set-up that should give them again."""

import tomllib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from kibitz.core.errors import BadValue, KibitzError, UnknownName
from kibitz.lab.trials import KINDS, Trial

HERE = Path(__file__).with_name("experiments")
ENDING = ".toml"
_TEXTS = ("title", "document", "place", "about", "choices", "cause")
_KEYS = (*_TEXTS, "aside", "quick", "trial")


@dataclass(frozen=True)
class Experiment:
    """What is run, and what was published."""

    name: str
    title: str
    trials: tuple[Trial, ...]
    document: str = ""  # which it comes from
    place: str = ""  # where in it
    about: str = ""  # what is compared
    choices: str = ""  # what the document leaves open, and what was chosen
    cause: str = ""  # why figures differ, where they do
    aside: bool = False  # whether it is run only when it is named, not with all others
    quick: float = 0.0  # the scale at which it is part of the quick set; 0 if it is not
    file: str = ""  # of one's own

    @property
    def size(self) -> dict[str, int]:
        """How many games, tests, moves and positions there are at the document's own size."""
        total: Counter[str] = Counter()
        for trial in self.trials:
            total.update(trial.size)
        return {unit: number for unit, number in total.items() if number}


def names() -> list[str]:
    """Return the names of the experiments that Kibitz brings along."""
    return sorted(path.stem for path in HERE.glob(f"*{ENDING}"))


def find(name: str) -> Experiment:
    """Return an experiment by its name, or by the path of its file."""
    path = Path(name) if name.endswith(ENDING) else HERE / f"{name}{ENDING}"
    if not path.is_file():
        if name.endswith(ENDING):
            raise BadValue(f"there is no file {name}")
        raise UnknownName("experiment", name, names())
    found = read(path)
    return replace(found, file=str(path.resolve())) if name.endswith(ENDING) else found


def read(path: Path) -> Experiment:
    """Read an experiment from its file; what is wrong is said with the file and the place."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadValue(f"cannot read {path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadValue(f"{path} is no TOML: {error}") from None
    try:
        return _experiment(path.stem, data)
    except KibitzError as error:
        raise BadValue(f"{path}: {error}") from None


def _experiment(name: str, data: Mapping[str, Any]) -> Experiment:
    for key in data:
        if key not in _KEYS:
            raise UnknownName("key", key, _KEYS)
    for key in _TEXTS:
        if not isinstance(data.get(key, ""), str):
            raise BadValue(f"{key} must be a text, not {data[key]!r}")
    if not isinstance(data.get("aside", False), bool):
        raise BadValue(f"aside must be true or false, not {data['aside']!r}")
    quick = data.get("quick", 0)
    if isinstance(quick, bool) or not isinstance(quick, int | float) or not 0 <= quick <= 1:
        raise BadValue(f"quick must be a scale from 0 to 1, not {quick!r}")
    if not data.get("title"):
        raise BadValue("title is missing: what is this experiment about?")
    given = data.get("trial")
    if not isinstance(given, list) or not given:
        raise BadValue("an experiment has at least one [[trial]]")
    trials = tuple(_trial(number, entry) for number, entry in enumerate(given, 1))
    texts = {key: data.get(key, "").strip() for key in _TEXTS}
    return Experiment(name, trials=trials, aside=data.get("aside", False), quick=float(quick), **texts)


def _trial(number: int, given: Any) -> Trial:
    try:
        kind = given.get("kind", "match")
        if kind not in KINDS:
            raise UnknownName("kind of trial", str(kind), KINDS)
        return KINDS[kind].read({key: value for key, value in given.items() if key != "kind"})
    except KibitzError as error:
        raise BadValue(f"trial {number}: {error}") from None
