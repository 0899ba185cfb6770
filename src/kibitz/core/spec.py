"""The text that names a game, an agent, a value or a policy: `name`, or `name(option=text, …)`, nested at will.

>>> parse("minimax(depth=3, opening=flat(playouts=100))").args["opening"].args["playouts"].name
'100'
>>> str(parse(" greedy( value = completing_relative(2) ) "))
'greedy(value=completing_relative(2))'
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from kibitz.core.errors import BadValue

DEEPEST = 20
LONGEST_SHOWN = 200  # characters of a text that a message quotes
_PLAIN = r"[A-Za-z0-9_.+\-^/~]+"
_TOKEN = re.compile(rf"\s*({_PLAIN}|'[^']+'|\"[^\"]+\"|[(),=])")


@dataclass(frozen=True)
class Spec:
    """A name with options; the key of an option without a name is its position ("0", "1", …)."""

    name: str
    args: dict[str, "Spec"] = field(default_factory=dict)

    def __str__(self) -> str:
        quote = "" if re.fullmatch(_PLAIN, self.name) else '"' if "'" in self.name else "'"
        name = f"{quote}{self.name}{quote}"
        if not self.args:
            return name
        inner = (str(arg) if key.isdigit() else f"{key}={arg}" for key, arg in self.args.items())
        return f"{name}({', '.join(inner)})"

    def nested(self, skip: str = "") -> Iterator["Spec"]:
        """Yield the specification and those inside it, but not those of the option `skip`."""
        waiting = [self]
        while waiting:
            spec = waiting.pop()
            waiting += (arg for key, arg in spec.args.items() if key != skip)
            yield spec


def parse(text: str) -> Spec:
    """Read a specification; a BadValue says where a text cannot be read."""
    reader = _Reader(text)
    spec = reader.spec()
    if reader.next:
        raise BadValue(f"cannot read {reader.shown}: {reader.next!r} is left over{_hint(text)}")
    return spec


class _Reader:
    """Reads the words of a text one after another."""

    def __init__(self, text: str):
        self.text = text
        self._words, self._at = _words(text), 0

    @property
    def shown(self) -> str:
        """The text as a message quotes it."""
        return _quoted(self.text)

    @property
    def next(self) -> str:
        """The next word; empty at the end."""
        return self._word(0)

    def _word(self, ahead: int) -> str:
        at = self._at + ahead
        return self._words[at] if at < len(self._words) else ""

    def spec(self, depth: int = 0) -> Spec:
        """Read a name and its options."""
        if depth > DEEPEST:
            raise BadValue(f"cannot read {self.text[:40]!r}…: it is nested more than {DEEPEST} deep")
        name = self.next
        if name in ("", *"(),="):
            raise BadValue(f"cannot read {self.shown}: a name was expected{f' before {name!r}' if name else ''}")
        self._at += 1
        args: dict[str, Spec] = {}
        if self.next == "(":
            self._at += 1
            while self.next not in ("", ")"):
                self._option(args, depth)
            if not self.next:
                raise BadValue(f"cannot read {self.shown}: ')' is missing")
            self._at += 1
        return Spec(name[1:-1] if name[0] in "'\"" else name, args)

    def _option(self, args: dict[str, Spec], depth: int) -> None:
        key = str(len(args))
        if self._word(1) == "=":
            key = self.next
            self._at += 2
            if key.isdecimal():
                raise BadValue(f"cannot read {self.shown}: {key!r} is not the name of an option")
        if key in args:
            raise BadValue(f"cannot read {self.shown}: {key!r} is given twice")
        args[key] = self.spec(depth + 1)
        if self.next == ",":
            self._at += 1
        elif self.next not in ("", ")"):
            raise BadValue(f"cannot read {self.shown}: ',' or ')' was expected before {self.next!r}{_hint(self.text)}")


def _words(text: str) -> list[str]:
    words, at, end = [], 0, len(text.rstrip())
    while at < end:
        match = _TOKEN.match(text, at)
        if match is None:
            raise BadValue(f"cannot read {_quoted(text)}: {text[at:].strip()[0]!r} has no place in it{_hint(text)}")
        words.append(match.group(1))
        at = match.end()
    return words


def _quoted(text: str) -> str:
    return repr(text) if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]!r}…"


def _hint(text: str) -> str:
    """Return how to quote a path with unusual characters, if the text looks like one."""
    if "/" not in text:
        return ""
    return "; a path with spaces or unusual letters needs quotes around it, as in \"'./my agents/x.py'\""
