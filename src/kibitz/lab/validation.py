"""Validation of values in files; errors name the key and the value."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from math import inf, isfinite
from reprlib import Repr
from typing import Annotated, Any, NoReturn, get_args, get_type_hints

from kibitz.arena.plan.plan import MOST_GAMES
from kibitz.core.errors import BadValue, UnknownName

Form = Callable[[str, Any], None]  # takes a key and its value, and raises BadValue if the value does not fit

_SHORT = Repr()
_SHORT.maxstring = _SHORT.maxother = 60  # characters of a value in an error
SIGNS = {"<": "less", ">": "more", "=": "as much"}


def refuse(key: str, wanted: str, value: Any) -> NoReturn:
    """Raise the error of a value that does not fit its key."""
    raise BadValue(f"{key} must be {wanted}, not {_SHORT.repr(value)}")


def any_value(key: str, value: Any) -> None:
    """Accept every value: it is checked elsewhere."""


def text(key: str, value: Any) -> None:
    """Refuse all but texts."""
    if not isinstance(value, str):
        refuse(key, "a text", value)


def truth(key: str, value: Any) -> None:
    """Refuse all but true and false."""
    if not isinstance(value, bool):
        refuse(key, "true or false", value)


def whole(least: int = 0, most: int = MOST_GAMES) -> Form:
    """Return the form of a whole number in a range."""

    def check(key: str, value: Any) -> None:
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            refuse(key, f"a whole number from {least} to {most}", value)

    return check


def number(least: float = -inf, most: float = inf, *, above: bool = False) -> Form:
    """Return the form of a finite number in a range; `above` excludes the least one."""
    if isfinite(least) and isfinite(most):
        wanted = f"a number {'above' if above else 'from'} {least:g} {'and up ' if above else ''}to {most:g}"
    else:
        wanted = f"a number {'above' if above else 'of at least'} {least:g}" if isfinite(least) else "a finite number"

    def check(key: str, value: Any) -> None:
        fits = isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)
        if not fits or not least <= value <= most or (above and value == least):
            refuse(key, wanted, value)

    return check


def one_of(what: str, choices: Sequence[Any] | Mapping[str, Any]) -> Form:
    """Return the form of one of some names."""

    def check(key: str, value: Any) -> None:
        text(key, value)
        if value not in choices:
            raise UnknownName(what, value, choices)

    return check


def list_of(form: Form, least: int = 0, most: int | None = None) -> Form:
    """Return the form of a list whose entries have a form."""
    size = f" of {least} or more" if least else ""
    wanted = f"a list{size}" if most != least else f"a list of {least}"

    def check(key: str, value: Any) -> None:
        if not isinstance(value, list | tuple) or not least <= len(value) <= (inf if most is None else most):
            refuse(key, wanted, value)
        for place, entry in enumerate(value, 1):
            form(f"entry {place} of {key}", entry)

    return check


def table_of(form: Form, least: int = 0) -> Form:
    """Return the form of a table with any names, whose values have a form."""

    def check(key: str, value: Any) -> None:
        if not isinstance(value, Mapping) or len(value) < least:
            refuse(key, "a table of names" if least else "a table", value)
        for name, entry in value.items():
            form(_inside(key, name), entry)

    return check


def _inside(key: str, name: str) -> str:
    """Return the name of an entry of a table in errors."""
    return f"{name} of {key}" if " " in key else f"{key}.{name}" if key else name


def table(what: str, forms: Mapping[str, Form], needed: Sequence[str] = ()) -> Form:
    """Return the form of a table of known keys, each with its form."""

    def check(key: str, value: Any) -> None:
        table_of(any_value)(key, value)
        for name, entry in value.items():
            if name not in forms:
                raise UnknownName(what, str(name), forms)
            forms[name](_inside(key, name), entry)
        for name in needed:
            if name not in value:
                raise BadValue(f"{f'{key} lacks {name}' if key else f'{name} is missing'}")

    return check


def order_of(side: Form) -> Form:
    """Return the form of comparisons, such as [["Lazy", "<", "Eager"]]."""

    def entry(key: str, value: Any) -> None:
        list_of(any_value, 3, 3)(key, value)
        one, sign, other = value
        side(key, one)
        side(key, other)
        one_of("sign", SIGNS)(key, sign)
        if one == other:
            refuse(key, "a comparison of two", value)

    return list_of(entry)


def forms_of(cls: type) -> dict[str, Form]:
    """Return the forms that the fields of a dataclass are annotated with, by name."""
    hints = get_type_hints(cls, include_extras=True)
    return {entry.name: get_args(hints[entry.name])[-1] for entry in fields(cls)}


Text = Annotated[str, text]
Truth = Annotated[bool, truth]
Choices = Annotated[Sequence[str], list_of(text, 1)]
Agents = Annotated[Mapping[str, str], table_of(text, 1)]
Count = Annotated[int, whole(1)]
Openings = Annotated[int | str, any_value]  # the plan checks them, and limits
Limits = Annotated[Mapping[str, Any] | None, table_of(any_value)]
Numbers = Annotated[Mapping[str, float], table_of(number(0, above=True))]
Order = Annotated[Sequence[Sequence[str]], order_of(text)]
