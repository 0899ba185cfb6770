"""Agents in memory: a class of the user's, or an agent built from one, in place of an agent's text.

No other process can find it, so it runs in this one, trusted.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b
from inspect import getsource, isfunction
from typing import Any

from kibitz.agents.agent import Agent
from kibitz.agents.external_agent import ExternalAgent
from kibitz.core.dice import dice
from kibitz.core.errors import BadValue
from kibitz.core.game import Game
from kibitz.core.options import read_options
from kibitz.core.spec import Spec, parse


@dataclass(frozen=True)
class AgentInMemory:
    """A class, which makes an agent for each game and seat, or one agent, which plays all games."""

    name: str
    source: type[Agent] | Agent

    @classmethod
    def of(cls, source: Any) -> "AgentInMemory":
        """Return the AgentInMemory of a class or an agent; anything else is a BadValue."""
        kind = source if isinstance(source, type) else type(source)
        if not issubclass(kind, Agent) or issubclass(kind, ExternalAgent):
            raise BadValue(
                f"an agent is a text, as in 'maxn(depth=3)', or a class that inherits from kibitz.Agent, not "
                f"{source!r:.80}"
            )
        if kind.decide is Agent.decide:
            raise BadValue(f"class {kind.__name__} has no method decide(self, view)")
        return cls(str(parse(kind.__name__ if source is kind else source.text)), source)

    def __reduce__(self) -> tuple[Any, ...]:
        if not isinstance(self.source, type):
            raise BadValue(f"agent {self.name} is one object, so there are no copies of it; name its class instead")
        return AgentInMemory, (self.name, self.source)

    @property
    def kind(self) -> type[Agent]:
        """The class."""
        return self.source if isinstance(self.source, type) else type(self.source)

    def build(self, game: Game, seed: int) -> Agent:
        """Return an agent of the class, or the one agent with its dice reset."""
        if isinstance(self.source, type):
            return self.source(self.name, game, seed, read_options(self.name, self.source.OPTIONS, Spec(self.name)))
        if str(self.source.game) != str(game):
            raise BadValue(f"agent {self.name} was built for {self.source.game}, and this is {game}")
        self.source.seed = seed
        self.source.rng[:] = dice(seed)
        return self.source

    @property
    def fingerprint(self) -> str:
        """A hash of the source of a class; empty for an object, which may be in any state, or without source."""
        if not isinstance(self.source, type):
            return ""
        try:
            text = "".join(_source(kind) for kind in self.source.__mro__[: self.source.__mro__.index(Agent)])
        except (OSError, TypeError):
            return ""
        return blake2b(text.encode(), digest_size=8).hexdigest()


def _source(kind: type) -> str:
    """Return the source of a class or, as in notebooks, that of its methods."""
    try:
        return getsource(kind)
    except (OSError, TypeError):
        return "".join(_sources_of_methods(kind))


def _sources_of_methods(kind: type) -> Iterator[str]:
    for name, member in vars(kind).items():
        if isfunction(member):
            yield getsource(member)
        elif not name.startswith("__"):
            yield f"{name} = {member!r}\n"
