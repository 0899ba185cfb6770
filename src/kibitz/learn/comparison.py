"""A network compared with an agent: how often they choose the same move in the positions of the agent's games."""

from dataclasses import dataclass, replace

import numpy as np

from kibitz.core.errors import BadValue
from kibitz.core.game import Game
from kibitz.core.record import record_of
from kibitz.core.spec import Spec
from kibitz.learn.data_file import Data, concatenated_data
from kibitz.learn.data_generation import DataOptions, about_data, annotate_game, play_game
from kibitz.learn.fit_math import NEVER
from kibitz.learn.fit_metrics import assess, predict
from kibitz.learn.fit_options import FitOptions
from kibitz.learn.samples import NONE
from kibitz.networks.encoding_laws import try_encoding
from kibitz.networks.network_file import Network


@dataclass(frozen=True)
class Comparison:
    """How well a network agrees with an agent, on average over positions with a choice."""

    positions: int
    choices: int  # positions with more than one legal move
    agreement: float  # how often the network's move is the agent's
    among: float | None  # how often it is among the agent's `best` moves; None: only its best move is known
    best: int
    ranked: int  # positions in which the agent ranks more than its best move
    by_chance: float  # how often a random legal move would be the agent's
    legal: float | None  # how often the network's best of all moves is legal; None: it has no policy head
    policy_entropy: float | None  # the cross-entropy of its policy, in nats
    least_entropy: float | None  # the entropy of the agent's policy
    value_entropy: float | None  # the cross-entropy of its values, against the agent's or else the results


def compare(game: Game, network: Network, name: str, how: DataOptions, positions: int, best: int = 3) -> Comparison:
    """Let an agent play until there are `positions` positions, and compare a network with it there.

    A network without a policy head chooses the move with the best value one move ahead.
    """
    how = replace(how, encoding=network.about.encoding)
    try_encoding(game, how.encoding)
    student = "" if network.about.moves else str(Spec("greedy", {"value": Spec("net", {"0": Spec(name)})}))
    teacher, chosen = _games(game, how, student, positions, network.about.numbering)
    known = teacher.shares.any(axis=1)
    if not known.any():
        raise BadValue(
            f"no choice is known in {len(teacher)} positions of {game}: each has one legal move, or the game does not "
            f"declare MOVES_BELOW"
        )
    if chosen is None:
        chosen = _by_policy(network, teacher)
    shares, own = teacher.shares[known], _own_shares(teacher, chosen)[known]
    among, ranked = among_best(shares, own, best)
    found = Comparison(
        len(teacher), int(known.sum()), float((own >= shares.max(axis=1)).mean()), among, best, ranked,
        float((1 / (teacher.moves != NONE).sum(axis=1)[known]).mean()), None, None, None, None,
    )  # fmt: skip
    samples = teacher.samples(result=0.0)
    if not network.about.moves:
        samples = samples.without_policy()
    measured = assess(network.layers, samples, FitOptions(activation=network.about.activation))
    if not network.about.moves:
        return replace(found, value_entropy=measured.value_entropy)
    return replace(
        found, legal=measured.legal, policy_entropy=measured.policy_entropy, least_entropy=measured.least_entropy,
        value_entropy=measured.value_entropy,
    )  # fmt: skip


def _games(
    game: Game, how: DataOptions, student: str, positions: int, numbering: str
) -> tuple[Data, np.ndarray | None]:
    """Return positions of the agent's games and, if the student is an agent, its choice in each."""
    about, parts = replace(about_data(game, how, {}), numbering=numbering), list[Data]()
    choices, number = list[np.ndarray](), 0
    while sum(map(len, parts)) < positions:
        part, table = play_game(game, how, about, number)
        parts.append(part)
        if student:
            seen = annotate_game(game, replace(how, agent=student), about, number, record_of(table, [""] * game.seats))
            at = seen.shares.argmax(axis=1)[:, None] if seen.shares.shape[1] else np.zeros((len(seen), 0), dtype=int)
            picked = np.take_along_axis(seen.moves, at, axis=1)[:, 0] if at.size else np.full(len(seen), NONE)
            choices.append(picked[len(seen) - len(part) :])  # the agent kept the last positions
        number += 1
    return concatenated_data(parts, about, number), np.concatenate(choices) if choices else None


def _by_policy(network: Network, data: Data) -> np.ndarray:
    """Return the best legal move by the policy head in each position."""
    options = FitOptions(activation=network.about.activation)
    logits = predict(network.layers, data.samples(), options)[:, network.about.seats :]
    listed = np.where(data.moves == NONE, NEVER, np.take_along_axis(logits, np.maximum(data.moves, 0), axis=1))
    return np.take_along_axis(data.moves, listed.argmax(axis=1)[:, None], axis=1)[:, 0]


def _own_shares(teacher: Data, chosen: np.ndarray) -> np.ndarray:
    """Return the share that the agent gives to the chosen move."""
    return np.where(teacher.moves == chosen[:, None], teacher.shares, 0).sum(axis=1)


def among_best(shares: np.ndarray, own: np.ndarray, best: int) -> tuple[float | None, int]:
    """Return how often moves with the shares `own` are among the best, and in how many positions that is known.

    Where one move has the whole share of a position, the rank of the others is unknown. A move without a share is not
    among the best.
    """
    ranks, several = (shares > own[:, None]).sum(axis=1), (shares > 0).sum(axis=1) > 1
    found = (ranks < best) & (own > 0)
    return (float(found[several].mean()) if several.any() else None), int(several.sum())
