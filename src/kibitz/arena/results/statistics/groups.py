"""Groups: agents whose results hold their ratings together; between groups only the prior does."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Groups:
    """Agents in groups: within one, everybody drew with or beat everybody else, at least through others."""

    group: list[int]  # of each agent
    above: list[bool]  # of each agent: nobody outside its group ever drew with or beat one of the group
    below: list[bool]  # of each agent: nobody of its group ever drew with or beat an agent outside
    met: list[int]  # of each agent: agents with the same number met, at least through others

    @property
    def count(self) -> int:
        """How many groups there are."""
        return len(set(self.group))

    def means(self) -> np.ndarray:
        """Return one row a group that gives the mean of its agents."""
        held = np.array(self.group)[None, :] == np.unique(self.group)[:, None]
        return held / held.sum(axis=1, keepdims=True)


def groups_of(seatings: np.ndarray, payoffs: np.ndarray, agents: int) -> Groups:
    """Return the groups of agents: ratings are finite, without a prior, only within strongly connected ones."""
    from scipy.sparse.csgraph import connected_components

    held, met = np.eye(agents, dtype=bool), np.eye(agents, dtype=bool)  # held[a, b]: a drew with b or beat it
    ordered = (payoffs > payoffs.min(axis=1, keepdims=True)) | (np.ptp(payoffs, axis=1) == 0)[:, None]
    for one in range(seatings.shape[1]):
        for other in range(seatings.shape[1]):
            rows = (payoffs[:, one] >= payoffs[:, other]) & ordered[
                :, one
            ]  # seats tied in the last place have no order
            held[seatings[rows, one], seatings[rows, other]] = True
            met[seatings[:, one], seatings[:, other]] = True
    count, group = connected_components(held, connection="strong")
    outside = held & (group[:, None] != group)
    above = [count > 1 and not outside[:, group == group[agent]].any() for agent in range(agents)]
    below = [count > 1 and not outside[group == group[agent]].any() for agent in range(agents)]
    return Groups(group.tolist(), above, below, connected_components(met, directed=False)[1].tolist())


def group_notes(groups: Groups, names: Sequence[str]) -> list[str]:
    """Return which ratings are held by the prior alone, as sentences."""
    parts = [[names[agent] for agent in members] for members in _members(groups.met)]
    found = []
    if len(parts) > 1:
        apart = "; ".join(listed(part) for part in parts)
        found.append(f"Ratings can be compared only among agents that met, at least through others: {apart}.")
    for members in _members(groups.group):
        above, below = groups.above[members[0]], groups.below[members[0]]
        named = [names[agent] for agent in members]
        if above != below:
            found.append(_no_loss(named) if above else _no_win(named))
    return found


def _no_loss(names: list[str]) -> str:
    if len(names) == 1:
        return f"No agent ever drew with or beat {names[0]}, so its true rating could be much higher."
    return (
        f"No other agent ever drew with or beat {listed(names, 'or')}, so the true ratings of this group could be "
        "much higher."
    )


def _no_win(names: list[str]) -> str:
    if len(names) == 1:
        return f"{names[0]} never drew with or beat another agent, so its true rating could be much lower."
    return (
        f"None of {listed(names)} ever drew with or beat an agent outside this group, so its true ratings could be "
        "much lower."
    )


def listed(names: Sequence[str], word: str = "and") -> str:
    """Return names as a list in a sentence."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {word} {names[-1]}"


def _members(numbers: Sequence[int]) -> Iterator[list[int]]:
    """Yield the agents of each number, in the order of the first of them."""
    for number in dict.fromkeys(numbers):
        yield [agent for agent, other in enumerate(numbers) if other == number]
