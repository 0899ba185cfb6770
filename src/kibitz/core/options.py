"""Options of games, agents, values and policies, declared and checked."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any

from kibitz.core.errors import BadValue, UnknownName
from kibitz.core.spec import Spec

_TRUTH = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}
MOST_WHOLE = 2**62  # whole numbers must fit into cells
NESTED = ("value", "policy", "agent", "filter", "order")  # kinds of options whose text is a specification


@dataclass(frozen=True)
class Option:
    """One option: its default, what it means, and what is allowed."""

    default: Any
    help: str
    least: float | None = None
    most: float | None = None
    choices: tuple[str, ...] = ()
    kind: str = ""  # int, float, bool, word or one of NESTED; empty: the type of the default
    by_name: bool = False  # whether it must be given by name

    @property
    def sort(self) -> str:
        """The kind of value that fits."""
        if self.kind:
            return self.kind
        return {bool: "bool", int: "int", float: "float"}.get(type(self.default), "word")

    @property
    def shown(self) -> str:
        """The default as a user types it; … if it depends on the game."""
        return "…" if self.default is None else as_text(self.default)

    @property
    def allowed(self) -> str:
        """What fits, in a few words."""
        if self.choices:
            return " or ".join(self.choices)
        if self.sort == "bool":
            return "true or false"
        words = {"int": "a whole number", "float": "a number"}.get(
            self.sort, f"{'an' if self.sort[0] in 'aeiou' else 'a'} {self.sort}"
        )
        least, most = ("" if bound is None else f"{bound:.15g}" for bound in (self.least, self.most))
        if least and most:
            return f"{words} from {least} to {most}"
        if least:
            return f"{words}, at least {least}"
        return f"{words}, at most {most}" if most else words

    def read(self, owner: str, name: str, given: Spec) -> Any:
        """Return the value of an option from its text; a BadValue says what is wrong."""
        wrong = BadValue(f"{owner}: option {name}={given} does not fit; it takes {self.allowed}")
        if self.sort in NESTED:
            return given
        if self.kind and self.default is None and str(given) == "none":
            return None
        if given.args:
            raise wrong
        text = given.name
        if self.sort == "bool":
            if text.lower() not in _TRUTH:
                raise wrong
            return _TRUTH[text.lower()]
        if self.sort == "word":
            if self.choices and text not in self.choices:
                raise wrong
            return text
        try:
            number = int(text) if self.sort == "int" else float(text)
        except ValueError:
            raise wrong from None
        too_small = self.least is not None and number < self.least
        too_large = self.most is not None and number > self.most
        if (self.sort == "int" and abs(number) > MOST_WHOLE) or not isfinite(number) or too_small or too_large:
            raise wrong
        return number

    def encode(self, value: Any) -> int:
        """Return the value as one cell of a state."""
        return self.choices.index(value) if self.choices else int(value)


def read_options(owner: str, declared: Mapping[str, Option], spec: Spec) -> dict[str, Any]:
    """Return every declared option with its value; those without a name come in the order of declaration."""
    values = {name: option.default for name, option in declared.items()}
    names, taken = list(declared), set()
    in_order = [name for name, option in declared.items() if not option.by_name]
    for key, given in spec.args.items():
        if key.isdigit():
            if int(key) >= len(in_order):
                raise BadValue(f"{owner}: {given} is one option too many; it takes {', '.join(names) or 'none'}")
            key = in_order[int(key)]
        if key not in declared:
            raise UnknownName(f"option of {owner}", key, names)
        if key in taken:
            raise BadValue(f"{owner}: option {key} is given twice")
        taken.add(key)
        values[key] = declared[key].read(owner, key, given)
    return values


def as_text(value: Any) -> str:
    """Return a value the way a user types it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return f"{value:g}"
    return "none" if value is None else str(value)
