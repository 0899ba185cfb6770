"""Identification in an experiment: which settings that a document leaves open give its numbers of moves.

All combinations of some options are tried on the same deals. They are chosen by some of the published numbers; others,
which have no part in the choice, judge it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import exp, log
from typing import Annotated

import numpy as np

from kibitz.agents import build
from kibitz.agents.agent import decide_at
from kibitz.core.errors import BadValue, UnknownName
from kibitz.core.seeds import DEAL, MIND, derive_seed
from kibitz.core.table import Table
from kibitz.games import find
from kibitz.lab.fact import Fact
from kibitz.lab.judging import TrialRun
from kibitz.lab.trials.trial import Trial, TrialSetup
from kibitz.lab.validation import Agents, Count, Numbers, Text, list_of, table_of, text

Setting = dict[str, str]  # option and choice
Counted = dict[str, tuple[np.ndarray, np.ndarray]]  # by agent: nodes and turns of each game
NAMED = 5  # of the best settings


@dataclass(frozen=True)
class IdentificationTrial(Trial):
    """Games between agents in whose texts options stand in braces, and the published nodes a turn of each agent."""

    game: Text
    options: Annotated[Mapping[str, Sequence[str]], table_of(list_of(text, 1), 1)]
    used: Annotated[Mapping[str, str], table_of(text)]  # the choices in other experiments
    agents: Agents
    published: Numbers  # by which settings are chosen
    other_agents: Annotated[Mapping[str, str], table_of(text)] = field(default_factory=dict)
    other_published: Numbers = field(default_factory=dict)  # by which the choice is judged
    play: Count = 12  # games with each setting

    @property
    def settings(self) -> list[Setting]:
        """All combinations of choices."""
        return [dict(zip(self.options, chosen, strict=True)) for chosen in product(*self.options.values())]

    @property
    def size(self) -> dict[str, int]:
        """The games with all settings."""
        return {"games": self.play * (len(self.settings) + bool(self.other_agents))}

    def check(self) -> None:
        """Refuse settings that are not among those tried, and agents without published numbers or that do not exist."""
        if self.used not in self.settings:
            raise BadValue(f"used must be a choice of each option, not {dict(self.used)!r}")
        for agents, published in ((self.agents, self.published), (self.other_agents, self.other_published)):
            if {*agents} != {*published}:
                odd = sorted({*agents} ^ {*published})[0]
                raise UnknownName("agent with a published number", odd, sorted({*agents} & {*published}))
            for option, choices in self.options.items():
                for setting in ({**self.used, option: choice} for choice in choices):
                    for template in agents.values():
                        build(_filled(template, setting), find(_filled(self.game, setting)), 1)

    def facts(self, setup: TrialSetup) -> list[Fact]:
        """Try all settings, choose, and judge the choice."""
        return list(self.run(setup).facts)

    def run(self, setup: TrialSetup) -> TrialRun:
        """Try all settings with the first seed and choose; only what had no part in the choice shows how good it is."""
        games, seed = setup.games(self.play), setup.seeds(self)[0]
        errors = [_error(self._counted(self.agents, one, games, seed), self.published) for one in self.settings]
        ranked = [(self.settings[place], errors[place]) for place in np.argsort(errors, kind="stable")]
        chosen, used = ranked[0][0], errors[self.settings.index(dict(self.used))]
        found = [
            Fact(f"nearest of {len(errors)} settings", _shown(chosen)),
            *(_shown_error(f"mean error of {_shown(setting)}", error) for setting, error in ranked[:NAMED]),
            _shown_error(f"mean error of the setting used, {_shown(self.used)}", used),
        ]
        if self.other_agents:
            error = _error(self._counted(self.other_agents, chosen, games, seed), self.other_published)
            found.append(_shown_error("mean error of the nearest in numbers held out", error))
        played = games * (len(errors) + bool(self.other_agents))
        about = self.about(games=played, blocks=games, seeds=(seed,), untimed="nodes are counted here")
        return TrialRun(about, found)

    def _counted(self, agents: Mapping[str, str], setting: Setting, games: int, seed: int) -> Counted:
        """Return nodes and turns of each agent by game."""
        nodes, turns = np.zeros((len(agents), games)), np.zeros((len(agents), games))
        game = find(_filled(self.game, setting))
        for number in range(games):
            table = Table(game, derive_seed(seed, DEAL, number))
            minds = [
                build(_filled(template, setting), game, derive_seed(seed, MIND, number, place))
                for place, template in enumerate(agents.values())
            ]
            while not table.over:
                place = (table.turn + number) % len(minds)
                found = decide_at(table, minds[place])
                nodes[place, number] += found.nodes
                turns[place, number] += found.nodes > 0
                table.play(found.move)
        return {name: (nodes[place], turns[place]) for place, name in enumerate(agents)}


def _filled(template: str, setting: Mapping[str, str]) -> str:
    for option, choice in setting.items():
        template = template.replace(f"{{{option}}}", choice)
    return template


def _error(counted: Counted, published: Mapping[str, float]) -> float:
    """Return the mean distance of logarithms, by which twice and half as many are equally wrong."""
    means = {name: float(nodes.sum() / turns.sum()) for name, (nodes, turns) in counted.items()}
    return float(np.mean([abs(log(mean / published[name])) for name, mean in means.items()]))


def _shown_error(what: str, error: float) -> Fact:
    return Fact(what, round(100 * (exp(error) - 1), 1), unit="%")


def _shown(setting: Mapping[str, str]) -> str:
    return ", ".join(f"{option}={choice}" for option, choice in setting.items())
