"""The text that names a game, an agent, a value or a policy: `name`, or `name(option=text, …)`, nested at will.

>>> parse("minimax(depth=3, opening=flat(playouts=100))").args["opening"].args["playouts"].name
'100'
>>> str(parse(" greedy( value = completing_relative(2) ) "))
'greedy(value=completing_relative(2))'
"""

import re
from dataclasses import dataclass, field

from kibitz.core.errors import BadValue

DEEPEST = 20
_PLAIN = r"[A-Za-z0-9_.+\-^/~]+"
_TOKEN = re.compile(rf"\s*({_PLAIN}|'[^']+'|\"[^\"]+\"|[(),=])")


@dataclass(frozen=True)
class Spec:
    """A name with options; an option's key is its position ("0", "1", …) where the text gives no name."""

    name: str
    args: dict[str, "Spec"] = field(default_factory=dict)

    def __str__(self) -> str:
        quote = "" if re.fullmatch(_PLAIN, self.name) else '"' if "'" in self.name else "'"
        name = f"{quote}{self.name}{quote}"
        if not self.args:
            return name
        inner = (str(arg) if key.isdigit() else f"{key}={arg}" for key, arg in self.args.items())
        return f"{name}({', '.join(inner)})"


def parse(text: str) -> Spec:
    """Read a specification; what cannot be read is a BadValue that says where."""
    spec, rest = _spec(text, _tokens(text))
    if rest:
        raise BadValue(f"cannot read {text!r}: {rest[0]!r} is left over{_hint(text)}")
    return spec


def _tokens(text: str) -> list[str]:
    tokens, at = [], 0
    while text[at:].strip():
        match = _TOKEN.match(text, at)
        if match is None:
            raise BadValue(f"cannot read {text!r}: {text[at:].strip()[0]!r} has no place in it{_hint(text)}")
        tokens.append(match.group(1))
        at = match.end()
    return tokens


def _spec(text: str, tokens: list[str], depth: int = 0) -> tuple[Spec, list[str]]:
    if depth > DEEPEST:
        raise BadValue(f"cannot read {text[:40]!r}…: it is nested more than {DEEPEST} deep")
    if not tokens or tokens[0] in "(),=":
        raise BadValue(f"cannot read {text!r}: a name was expected{f' before {tokens[0]!r}' if tokens else ''}")
    name, tokens = tokens[0][1:-1] if tokens[0][0] in "'\"" else tokens[0], tokens[1:]
    args: dict[str, Spec] = {}
    if tokens and tokens[0] == "(":
        tokens = tokens[1:]
        while tokens and tokens[0] != ")":
            key = str(len(args))
            if len(tokens) > 1 and tokens[1] == "=":
                key, tokens = tokens[0], tokens[2:]
                if key.isdecimal():
                    raise BadValue(f"cannot read {text!r}: {key!r} is no name of an option")
            if key in args:
                raise BadValue(f"cannot read {text!r}: {key!r} is given twice")
            args[key], tokens = _spec(text, tokens, depth + 1)
            if tokens and tokens[0] == ",":
                tokens = tokens[1:]
            elif tokens and tokens[0] != ")":
                raise BadValue(f"cannot read {text!r}: ',' or ')' was expected before {tokens[0]!r}{_hint(text)}")
        if not tokens:
            raise BadValue(f"cannot read {text!r}: ')' is missing")
        tokens = tokens[1:]
    return Spec(name, args), tokens


def _hint(text: str) -> str:
    """Return how to name a path with unusual characters, if this looks like one."""
    if "/" not in text:
        return ""
    return "; a path with spaces or unusual letters needs quotes of its own, as in \"'./my agents/x.py'\""
