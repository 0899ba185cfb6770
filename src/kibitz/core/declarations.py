"""What a game's rules.py declares beside its rules: cells, seats, options and limits, all checked before play."""

import re
from collections.abc import Callable
from inspect import isfunction
from math import isfinite
from pathlib import Path
from types import ModuleType
from typing import Any

from kibitz.core.address import Native
from kibitz.core.cells import Cells
from kibitz.core.contract import CONTRACT, MOST_SEATS, OLDEST_CONTRACT, REQUIRED, RULES, SINCE, where
from kibitz.core.errors import BadGame, BadValue
from kibitz.core.options import Option, as_text
from kibitz.core.payoff import Payoff
from kibitz.core.spec import Spec

UNMISTAKABLE = (*REQUIRED, "guess", "odds")  # rules whose names nobody would give to another function
_REQUIRED = {"CELLS": "cells(SEAT=1, …)", "SEATS": "2, or (2, 4) for two to four", "MOST_MOVES": "20"}  # by example


def check_contract(name: str, rules_file: Path) -> None:
    """Refuse a game for another contract, before its code runs: that may need names that are not there."""
    said = re.search(r"(?m)^CONTRACT\b[^=\n]*=\s*(\d+)", rules_file.read_text(encoding="utf-8", errors="replace"))
    if said and int(said[1]) > CONTRACT:
        known = f"this Kibitz knows contract {CONTRACT}"
        raise BadGame(f"{name} is made for contract {said[1]}, and {known}: pip install --upgrade kibitz")
    if said and int(said[1]) < OLDEST_CONTRACT:
        known = f"this Kibitz takes {OLDEST_CONTRACT} to {CONTRACT}"
        raise BadGame(f"{name} is made for contract {said[1]}, and {known}; docs/contract.md says how to port it")


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
    _check_options(rules_module)
    _check_rules(name, rules_module)
    least, most = seat_range(rules_module)
    usual, names = getattr(rules_module, "USUAL_SEATS", least), getattr(rules_module, "SEAT_NAMES", None)
    if not least <= usual <= most:
        raise BadGame(f"{_place(rules_module, 'USUAL_SEATS')}: USUAL_SEATS is {usual}; SEATS is {least} to {most}")
    if names is not None and len(names) < most:
        raise BadGame(f"{_place(rules_module, 'SEAT_NAMES')}: SEAT_NAMES has {len(names)} names for {most} seats")


def _check_options(rules_module: ModuleType) -> None:
    """Refuse an option that is none, or whose default does not fit it."""
    for name, option in getattr(rules_module, "OPTIONS", {}).items():
        place = _place(rules_module, "OPTIONS")
        if not isinstance(option, Option):
            raise BadGame(f"{place}: option {name} is {option!r}; write {name!r}: Option({option!r}, 'what it means')")
        if option.default is None or option.sort not in ("bool", "int", "float", "word"):
            continue
        try:
            option.read("OPTIONS", name, Spec(as_text(option.default)))
        except BadValue as error:
            raise BadGame(f"{place}: the default does not fit: {error}") from error


def _check_rules(name: str, rules_module: ModuleType) -> None:
    """Refuse rules without their decorator, rules that need another, and rules of a later contract than declared."""
    declared = {each for each, found in vars(rules_module).items() if isinstance(found, Native)}
    for each in RULES:
        if each in UNMISTAKABLE and isfunction(found := getattr(rules_module, each, None)):
            raise BadGame(f"{where(found)}: the function {each} lacks @rule above it")
        since, contract = SINCE.get(each, OLDEST_CONTRACT), getattr(rules_module, "CONTRACT", CONTRACT)
        if each in declared and since > contract:
            raise BadGame(
                f"{name}: the rule {each} came with contract {since}, but rules.py says CONTRACT = {contract}"
            )
    if "guess" in declared and "view" not in declared:
        raise BadGame(
            f"{name}: rules.py has the rule guess, but no rule view, so nothing is hidden; write both or none"
        )


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
    "OPTIONS": (
        lambda given: isinstance(given, dict) and all(isinstance(name, str) and name.isidentifier() for name in given),
        "a dictionary, as in {'squares': Option(False, 'the 2x2 squares count as lines too')}",
    ),
    "VERSION": (lambda given: _is_whole(given) and given >= 1, "a whole number, at least 1"),
    "CONTRACT": (_is_whole, f"a whole number, {OLDEST_CONTRACT} to {CONTRACT}"),
    "USUAL_SEATS": (_is_whole, "a number of seats"),
    "SEAT_NAMES": (
        lambda given: isinstance(given, list | tuple) and all(isinstance(name, str) for name in given),
        "a name for each seat, as in ('red', 'green')",
    ),
    "PAYOFF_SUM": (
        lambda given: (_is_whole(given) or isinstance(given, float)) and isfinite(given),
        "what all seats earn together",
    ),
    "PAYOFF": (lambda given: isinstance(given, Payoff), 'as in Payoff("points", least=-26, most=0)'),
    "SHARED": (lambda given: isinstance(given, bool), "True if all seats always earn the same"),
}
