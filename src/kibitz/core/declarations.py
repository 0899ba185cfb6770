"""What a game's rules.py declares beside its rules: cells, seats, options and limits, all checked before play."""

import re
from collections.abc import Callable
from math import isfinite
from pathlib import Path
from types import ModuleType
from typing import Any

from kibitz.core.cells import Cells
from kibitz.core.contract import MOST_SEATS
from kibitz.core.errors import BadGame
from kibitz.core.options import Option
from kibitz.core.payoff import Payoff

_REQUIRED = {"CELLS": "cells(SEAT=1, …)", "SEATS": "2, or (2, 4) for two to four", "MOST_MOVES": "20"}  # by example


def check_declarations(name: str, rules_module: ModuleType) -> None:
    """Refuse a rules.py that lacks a declaration or has a wrong one."""
    lacking = [f"{what} = {example}" for what, example in _REQUIRED.items() if not hasattr(rules_module, what)]
    if lacking:
        raise BadGame(f"{name}: rules.py lacks {' and '.join(lacking)}; docs/adding-a-game.md tells how")
    for what, (fits, wanted) in _WANTED.items():
        given = getattr(rules_module, what, None)
        if (what in _REQUIRED or given is not None) and not fits(given):
            raise BadGame(f"{_place(rules_module, what)}: {what} is {given!r}; it must be {wanted}")
    rules_module.CELLS.check_names(rules_module)


def seat_range(rules_module: ModuleType) -> tuple[int, int]:
    """Return the least and the greatest number of seats of a game."""
    seats = rules_module.SEATS
    return (seats, seats) if isinstance(seats, int) else tuple(seats)


def declared_options(rules_module: ModuleType) -> dict[str, Option]:
    """Return a game's options; `seats` is one of them if the number can be chosen."""
    least, most = seat_range(rules_module)
    options: dict[str, Option] = dict(getattr(rules_module, "OPTIONS", {}))
    if least == most:
        return options
    default = getattr(rules_module, "USUAL_SEATS", least)
    return {"seats": Option(default, "how many take part", least=least, most=most), **options}


def _place(module: ModuleType, name: str) -> str:
    """Return the file and line in which a module declares a name, for messages."""
    lines = Path(module.__file__ or "").read_text(encoding="utf-8").splitlines()
    number = next((number for number, line in enumerate(lines, 1) if re.match(rf"{name}\b.*=", line)), 1)
    return f"{module.__file__}, line {number}"


def _is_whole(given: Any) -> bool:
    return isinstance(given, int) and not isinstance(given, bool)


def _are_seats(given: Any) -> bool:
    span = given if isinstance(given, tuple) else (given, given)
    return len(span) == 2 and all(map(_is_whole, span)) and 1 <= span[0] <= span[1] <= MOST_SEATS


# What a declaration must be: a test, and the same in words.
_WANTED: dict[str, tuple[Callable[[Any], bool], str]] = {
    "CELLS": (
        lambda given: isinstance(given, Cells) and "SEAT" in given.starts,
        "cells(…), with a cell SEAT for the seat to move",
    ),
    "MOST_MOVES": (
        lambda given: _is_whole(given) and 1 <= given <= 1_000_000,
        "a whole number from 1 to 1,000,000",
    ),
    "SEATS": (_are_seats, f"a number from 1 to {MOST_SEATS}, or (least, most)"),
    "MOVES_BELOW": (lambda given: _is_whole(given) and given >= 1, "a whole number, at least 1, above every move"),
    "PAYOFF_SUM": (
        lambda given: (_is_whole(given) or isinstance(given, float)) and isfinite(given),
        "what all seats earn together",
    ),
    "PAYOFF": (lambda given: isinstance(given, Payoff), 'as in Payoff("points", least=-26, most=0)'),
    "SHARED": (lambda given: isinstance(given, bool), "True if all seats always earn the same"),
}
