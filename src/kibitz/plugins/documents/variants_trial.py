"""Variants: a match with one thing changed at a time, and how much more often its games are drawn then."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from kibitz.arena.plan.plan import Plan
from kibitz.arena.plan.schemes import SCHEMES, seatings
from kibitz.arena.results.statistics.interval import LEVEL, wilson_of_blocks
from kibitz.arena.results.statistics.verdict import Gap
from kibitz.arena.session import Interrupted
from kibitz.core.errors import BadValue, UnknownName
from kibitz.games import find
from kibitz.lab.experiment_outcome import AgentTime
from kibitz.lab.fact import POINTS, Fact, share
from kibitz.lab.judging import TrialRun
from kibitz.lab.trials.sample import Sample, joined
from kibitz.lab.trials.trial import PlayedTrial, TrialSetup, written_in_full
from kibitz.lab.validation import Agents, Openings, one_of, table_of, text

UNCHANGED = "unchanged"


@dataclass(frozen=True, kw_only=True)
class VariantsTrial(PlayedTrial):
    """A match between agents, and the same deals with some of the agents replaced."""

    agents: Agents
    variants: Annotated[Mapping[str, Mapping[str, str]], table_of(table_of(text, 1), 1)]  # by name, what is replaced
    scheme: Annotated[str, one_of("scheme", SCHEMES)] = "rotation"
    openings: Openings = "auto"

    @property
    def games(self) -> int:
        """How many games are played at full scale."""
        return super().games * (1 + len(self.variants))

    def check(self) -> None:
        """Refuse variants that replace no agent, and matches that cannot be played."""
        for name, changed in self.variants.items():
            if name == UNCHANGED:
                raise BadValue(f"a variant cannot be named {UNCHANGED}, as what it is compared with")
            for agent in changed:
                if agent not in self.agents:
                    raise UnknownName("agent of this trial", agent, self.agents)
            self._plan_of(changed, 1.0, 1)
        self.plan()

    def plan(self, scale: float = 1.0, seed: int = 1) -> Plan:
        """Return what is played unchanged at a scale, with a seed."""
        return self._plan_of({}, scale, seed)

    def _plan_of(self, changed: Mapping[str, str], scale: float, seed: int) -> Plan:
        texts = list(dict.fromkeys(written_in_full({**self.agents, **changed}).values()))
        tables = len(seatings(self.scheme, len(texts), find(self.game).seats, None))
        return Plan.make(
            self.game, texts, scheme=self.scheme, games=max(TrialSetup(scale).games(self.play), tables), seed=seed,
            openings=self.openings,
        )  # fmt: skip

    def run(self, setup: TrialSetup) -> TrialRun:
        """Play all variants; after Ctrl-C, raise Interrupted with those that are complete."""
        seeds, samples = setup.seeds(self), dict[str, Sample]()
        try:
            for name, changed in {UNCHANGED: {}, **self.variants}.items():
                plans = [self._plan_of(changed, setup.scale, seed) for seed in seeds]
                samples[name] = joined([self._sample(plan, setup) for plan in plans])
        except Interrupted:
            raise Interrupted(self._told(samples, setup)) from None
        return self._told(samples, setup)

    def _told(self, samples: Mapping[str, Sample], setup: TrialSetup) -> TrialRun:
        played = list(samples.values())
        about = self.about(
            games=sum(len(sample.games.numbers) for sample in played),
            blocks=sum(len(set(sample.games.blocks.tolist())) for sample in played), seeds=tuple(setup.seeds(self)),
            runs=tuple(name for sample in played for name in sample.runs) if setup.db is not None else (),
            times=_times(played),
        )  # fmt: skip
        found = self.found(played[0], setup) if played else []
        for name, sample in list(samples.items())[1:]:
            found.append(self._compared(name, sample, played[0], setup))
        return TrialRun(about, found, why=self.why)

    def _compared(self, name: str, sample: Sample, unchanged: Sample, setup: TrialSetup) -> Fact:
        """Return by how many points the share drawn differs, as if the games were independent of each other.

        Where deals decide, they are not, and the interval is too wide rather than too narrow.
        """
        (more, games), (drawn, of) = _drawn(sample), _drawn(unchanged)
        gap = Gap(
            float(more.sum() / games.sum()), float(drawn.sum() / of.sum()),
            lambda level: wilson_of_blocks(more, games, level), lambda level: wilson_of_blocks(drawn, of, level),
            blocks=int(min((games > 0).sum(), (of > 0).sum())),
        )  # fmt: skip
        low, high = gap.interval(LEVEL)
        return Fact(
            f"{name}, drawn more often", POINTS.shown(gap.value), None, (POINTS.shown(low), POINTS.shown(high)),
            unit="points", gap=gap, margin=setup.difference or self.margin_of("share"), scale=POINTS,
        )  # fmt: skip

    def found(self, sample: Sample, setup: TrialSetup) -> list[Fact]:
        """Return how often games are drawn unchanged."""
        return [share(f"{UNCHANGED}, drawn", *_drawn(sample))]


def _times(samples: Sequence[Sample]) -> tuple[AgentTime, ...]:
    """Return how long each agent thought in all variants, by its text."""
    found: dict[str, AgentTime] = {}
    for sample in samples:
        for mine in sample.times({agent: agent for agent in sample.games.agents}):
            found[mine.name] = found[mine.name].with_(mine) if mine.name in found else mine
    return tuple(found.values())


def _drawn(sample: Sample) -> tuple[np.ndarray, np.ndarray]:
    """Return how many games were drawn, and how many there were, by block."""
    games = sample.games
    drawn = (games.payoffs == games.payoffs[:, :1]).all(axis=1)
    return np.bincount(games.blocks, weights=drawn), np.bincount(games.blocks)
