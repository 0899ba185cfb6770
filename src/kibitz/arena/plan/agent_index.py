"""The agents of a plan by number: equal texts are one agent, also where it is listed twice."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kibitz.core.errors import BadValue
from kibitz.core.spec import parse

MOST_COPIES = 16
_COPIES = re.compile(r"(\d+) *\* *(.*)", re.DOTALL)


@dataclass(frozen=True)
class AgentIndex:
    """The agents of a plan that differ, and which of them each place in its list stands for."""

    agents: tuple[str, ...]
    number: np.ndarray  # of the agent that stands in each place of the list

    @classmethod
    def of_list(cls, listed: Sequence[str]) -> "AgentIndex":
        """Return who is in a list of agents."""
        agents = tuple(dict.fromkeys(listed))
        return cls(agents, np.array([agents.index(text) for text in listed], dtype=np.int64))


def copies_of(text: str) -> list[str]:
    """Return the agents that a text of a plan stands for, as they are written in full: `2*random` is random twice."""
    found = _COPIES.fullmatch(text.strip())
    if found is None:
        return [str(parse(text))]
    copies, agent = int(found[1]), found[2]
    if not 1 <= copies <= MOST_COPIES or not agent:
        raise BadValue(f"{text!r} is no agent; copies are written as 2*random, from 1 to {MOST_COPIES} of them")
    return [str(parse(agent))] * copies
