"""A sample: the games of a trial, with one seed or with several, and what is known of their moves."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from kibitz.arena.results.game_columns import GameColumns
from kibitz.arena.results.run import Run
from kibitz.core.arrays import Floats
from kibitz.core.scoring import Scoring
from kibitz.lab.experiment_outcome import AgentTime


@dataclass(frozen=True)
class Sample:
    """Games, those of one seed after those of another."""

    games: GameColumns
    cpu: Floats  # [game, agent]: seconds; NaN where they are not known of every move
    seeds: tuple[int, ...]
    runs: tuple[str, ...]  # their names in the ledger
    moves: tuple[dict[str, list[Any]] | None, ...] = ()  # what is known of the moves of each game, if it was asked for
    records: tuple[str, ...] = ()  # of each game, likewise

    def times(self, names: Mapping[str, str]) -> tuple[AgentTime, ...]:
        """Return how long each agent thought, by the name of its text."""
        found, spent = [], self.cpu.sum(axis=0)
        for number, text in enumerate(self.games.agents):
            mine = self.games.seatings == number
            moves, seconds = int(self.games.moves[mine].sum()), float(self.games.seconds[mine].sum())
            cpu = float(spent[number])
            known = None if np.isnan(cpu) or not cpu else round(cpu, 3)  # 0 if it decided in another process
            found.append(AgentTime(names[text], moves, known, round(seconds, 3) or None))
        return tuple(found)

    def among(self, agents: tuple[str, ...]) -> "Sample":
        """Return the same games of agents that are some of these, numbered as these are."""
        number = np.array([agents.index(text) for text in self.games.agents], dtype=np.int64)
        called, cpu = [""] * len(agents), np.zeros((len(self.cpu), len(agents)))
        for at, name in zip(number.tolist(), self.games.called, strict=True):
            called[at] = name
        cpu[:, number] = self.cpu
        games = replace(self.games, agents=agents, seatings=number[self.games.seatings], called=tuple(called))
        return replace(self, games=games, cpu=cpu)


def sample_of(run: Run, moves: bool, records: bool) -> Sample:
    """Return the games of a run, with what is known of single moves, and with records, if they are asked for."""
    games, known = run.games(), []
    cpu = np.zeros((len(games.seatings), len(games.agents)))
    for spent, seating, made, thoughts in zip(cpu, games.seatings, games.moves, run.move_stats(), strict=True):
        if moves:
            known.append(thoughts)
        if thoughts and "cpu" in thoughts:
            np.add.at(spent, seating[thoughts["seats"]], thoughts["cpu"])
        else:  # compiled code played the game, or an earlier version of Kibitz
            spent[seating[made > 0]] = np.nan
    kept = tuple(run.records()) if records else ()
    return Sample(games, cpu, (run.seed,), (run.name,), tuple(known), kept)


def joined(samples: Sequence[Sample]) -> Sample:
    """Return several samples of the same agents as one, in which their blocks remain apart."""
    first, *others = samples
    for other in others:
        number = int(first.games.numbers.max(initial=-1)) + 1
        block = int(first.games.blocks.max(initial=-1)) + 1
        later = replace(other.games, numbers=other.games.numbers + number, blocks=other.games.blocks + block)
        first = Sample(
            _after(first.games, later), np.concatenate([first.cpu, other.cpu]), first.seeds + other.seeds,
            first.runs + other.runs, first.moves + other.moves, first.records + other.records,
        )  # fmt: skip
    return first


def _after(one: GameColumns, other: GameColumns) -> GameColumns:
    """Return the games of one and then those of the other, with what the first knows of agents, which is in tuples."""
    columns: list[Any] = []
    for column in fields(GameColumns):
        first, second = getattr(one, column.name), getattr(other, column.name)
        if isinstance(first, tuple | Scoring):
            columns.append(first)
        else:
            columns.append(first + second if isinstance(first, list) else np.concatenate([first, second]))
    return GameColumns(*columns)
