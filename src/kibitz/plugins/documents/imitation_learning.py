"""Imitation: networks learn what an agent plays in its own games, and are tested on how often they agree with it.

There is one network for each part of a turn. Its units stand for actions, which the game's features.py declares.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.agents import build
from kibitz.agents.agent import Decision, decide_at
from kibitz.core.game import Game, option_values
from kibitz.core.seeds import LEARN, derive_seed
from kibitz.core.table import Table
from kibitz.learn.fit_options import FitOptions
from kibitz.learn.fitting import fit_split
from kibitz.learn.samples import NONE, Samples
from kibitz.networks import net
from kibitz.networks.encoding import NO_MOVE, Encoding
from kibitz.networks.encoding_laws import encoded, named
from kibitz.networks.network_file import About, Layers, Network, checked, new_layers

MOST_PLIES = 600  # of a game; games of searchers can loop
SILENT = 1e-4  # an output below this is a zero, as the thesis counts them
ONE = 0.5  # an output from this on is a one


@dataclass(frozen=True)
class Demonstrations:
    """Positions of one part of a turn in which an agent was asked; the first axis of every array is the position."""

    inputs: np.ndarray  # as the network is shown them
    moves: np.ndarray  # position x unit: the legal move that a unit stands for, or NO_MOVE
    chosen: np.ndarray  # the first unit that stands for the move that was chosen
    worths: np.ndarray  # position x unit: what the agent thinks of the unit's move; NaN where it did not look
    games: np.ndarray

    def __len__(self) -> int:
        return len(self.chosen)

    def first(self, n: int) -> "Demonstrations":
        """Return the first positions."""
        return Demonstrations(**{field.name: getattr(self, field.name)[:n] for field in fields(self)})


class TeacherGames:
    """Games of an agent against itself, and what it played in them; as many as anybody asks for."""

    def __init__(self, game: Game, agent: str, actions: str, encodings: Sequence[str], seed: int):
        self.game, self.actions = game, net.actions(game)[actions]
        self.encodings = {name: net.encodings(game)[name] for name in encodings}
        self.mind = build(agent, game, seed)
        self.seed, self.played = seed, 0
        self._kept: list[list[dict[str, Any]]] = [[] for _ in range(self.actions.parts)]

    def demonstrations(self, part: int, positions: int, encoding: str) -> Demonstrations:
        """Return the first positions of a part of a turn; games are played until there are enough."""
        while len(self._kept[part]) < positions:
            self._play()
        kept = self._kept[part][:positions]
        names = (encoding, "moves", "chosen", "worths", "game")
        return Demonstrations(*(np.array([position[name] for position in kept]) for name in names))

    def _play(self) -> None:
        table = Table(self.game, derive_seed(self.seed, LEARN, self.played))
        while not table.over and table.ply < MOST_PLIES:
            view = table.view(table.turn)
            decision = decide_at(table, self.mind)
            if len(table.moves()) > 1:
                self._keep(view, table.turn, decision)
            table.play(decision.move)
        self.played += 1

    def _keep(self, view: np.ndarray, seat: int, decision: Decision) -> None:
        moves = named(self.actions, view)
        shown = {name: _shown(encoding, view, seat) for name, encoding in self.encodings.items()}
        worths = np.array([decision.considered.get(move, np.nan) for move in moves.tolist()], dtype=np.float32)
        chosen = int(np.flatnonzero(moves == decision.move)[0])
        self._kept[int(self.actions.part(view))].append(
            {**shown, "moves": moves.astype(np.int16), "chosen": chosen, "worths": worths, "game": self.played}
        )


def _shown(encoding: Encoding, view: np.ndarray, seat: int) -> np.ndarray:
    """Return what a network is shown of a position, in full."""
    found = encoded(encoding, view, seat)
    if not encoding.most:
        return found.astype(np.float16)
    numbers = np.zeros(encoding.length, dtype=np.float16)
    numbers[found] = 1
    return numbers


@dataclass(frozen=True)
class TargetOutputs:
    """What the units of a network are to say."""

    zero: float = 0.0
    one: float = 1.0
    softness: float = 0.0  # a move worth this much more to the agent is e times as good; 0: only its choice counts

    def shares(self, demonstrations: Demonstrations) -> np.ndarray:
        """Return the target of each unit."""
        at = np.arange(len(demonstrations))
        if not self.softness:
            out = np.full(demonstrations.moves.shape, self.zero, dtype=np.float32)
            out[at, demonstrations.chosen] = self.one
            return out
        known = _is_first(demonstrations.moves) & ~np.isnan(demonstrations.worths)
        worths = np.where(known, demonstrations.worths, -np.inf)
        worths[at, demonstrations.chosen] = np.maximum(worths.max(axis=1), worths[at, demonstrations.chosen])
        unsaid = np.isnan(demonstrations.worths[at, demonstrations.chosen])  # then only the choice counts
        worths[unsaid], worths[at[unsaid], demonstrations.chosen[unsaid]] = -np.inf, 0.0
        raised = np.exp((worths - worths.max(axis=1, keepdims=True)) / self.softness)
        return (raised / raised.sum(axis=1, keepdims=True)).astype(np.float32)


def _is_first(moves: np.ndarray) -> np.ndarray:
    """Return whether a unit is the first that stands for its move."""
    out = moves != NO_MOVE
    for unit in range(1, moves.shape[1]):
        out[:, unit] &= (moves[:, :unit] != moves[:, unit : unit + 1]).all(axis=1)
    return out


def as_samples(demonstrations: Demonstrations, targets: np.ndarray, legal_only: bool = False) -> Samples:
    """Return demonstrations as samples for fitting, with the targets of all units."""
    nothing = np.zeros((len(demonstrations), 0), dtype=np.float32)
    if not legal_only:
        return Samples(
            demonstrations.inputs, demonstrations.inputs.shape[1], nothing, targets, None, demonstrations.games
        )
    units = np.where(_is_first(demonstrations.moves), np.arange(targets.shape[1]), NONE)
    shares = np.where(units == NONE, 0, targets)
    return Samples(demonstrations.inputs, demonstrations.inputs.shape[1], nothing, shares, units, demonstrations.games)


def imitate(
    train: Samples, test: Samples, hidden: Sequence[int], options: FitOptions, sizes: Sequence[int] = ()
) -> Layers:  # fmt: skip
    """Return layers fitted to samples, as they were when their error on the test was least.

    `sizes` are those of smaller sets, the first of the samples, that are learnt from before all of them.
    """
    layers = new_layers(train.length, hidden, train.shares.shape[1], options.seed)
    for size in (*sizes, len(train)):
        layers = fit_split(layers, train.select(np.arange(size)), test, options).layers
    return layers


@dataclass(frozen=True)
class NetworkAnswers:
    """The answers of a network in the positions of demonstrations, by position; outputs lie between 0 and 1."""

    silent: np.ndarray  # all outputs are zeros
    ones: np.ndarray  # how many outputs are ones
    invalid: np.ndarray  # … of them, those that stand for no legal move
    contains: np.ndarray  # the choice of the agent is one of them
    only: np.ndarray  # … and the only one
    agrees: np.ndarray  # the legal move with the greatest output is the agent's
    among: np.ndarray  # … or one that it thinks as good


def said(logits: np.ndarray, demonstrations: Demonstrations) -> NetworkAnswers:
    """Return the answers of a network in the positions of demonstrations, given its logits."""
    outputs = sigmoid(logits)
    at, legal, ones = np.arange(len(demonstrations)), demonstrations.moves != NO_MOVE, outputs >= ONE
    best = np.where(legal, logits, -np.inf).argmax(axis=1)
    agrees = demonstrations.moves[at, best] == demonstrations.moves[at, demonstrations.chosen]
    contains = ones[at, demonstrations.chosen]
    return NetworkAnswers(
        silent=outputs.max(axis=1) < SILENT, ones=ones.sum(axis=1), invalid=(ones & ~legal).sum(axis=1),
        contains=contains, only=contains & (ones.sum(axis=1) == 1), agrees=agrees,
        among=agrees | (demonstrations.worths[at, best] >= demonstrations.worths[at, demonstrations.chosen]),
    )  # fmt: skip


def sigmoid(logits: np.ndarray) -> np.ndarray:
    """Return outputs between 0 and 1."""
    return 1 / (1 + np.exp(-logits.clip(-60, 60)))


def as_network(
    game: Game, encoding: str, actions: str, layers: Layers, options: FitOptions, how: dict[str, Any]
) -> Network:  # fmt: skip
    """Return layers as a network that the agent `imitation` plays by."""
    about = About(
        Path(game.name).name, game.version, option_values(game), game.seats, encoding,
        net.encodings(game)[encoding].length, options.activation, trained=how, actions=actions,
    )  # fmt: skip
    return checked(Network(about, layers), "a network that imitates")
