"""Training by self-play: in rounds, a network fills a replay buffer and learns from it.

A round plays whole games until the replay buffer is full, then learns from its positions in random order. A round
depends only on the network, the dice and some counts, all of which the file holds: a killed run resumes from its file
and arrives at the same weights.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import numpy as np

from kibitz.core.code_on_disk import forecast
from kibitz.core.dice import roll
from kibitz.core.errors import BadValue
from kibitz.core.game import Game, option_values
from kibitz.core.seeds import LEARN, derive_seed
from kibitz.core.user_files import check_writable, write_bytes
from kibitz.learn.gradient import descend
from kibitz.learn.resume_check import check_same, game_of, plain_game
from kibitz.learn.self_play import BY_POLICY, GAMES, KEPT, new_self_play, play_games
from kibitz.learn.strength import strength
from kibitz.learn.td_leaf import agent_with_network, play_leaves
from kibitz.learn.training_settings import CPU, LAMBDA, LONGEST_GAME, Q, TrainingSettings, sides_of
from kibitz.networks.encoding_laws import try_encoding
from kibitz.networks.inference import read_layers, write_layers
from kibitz.networks.net import encodings, network, numberings, value_of
from kibitz.networks.network_file import MOST_LAYERS, MOST_UNITS, About, Network, as_bytes, new_network

Layer = tuple[np.ndarray, np.ndarray]  # weights and biases

USUAL_SECONDS = 60.0
SLOWEST = 0.05  # the learning rate at the end, as a share of the first
SAVE_EVERY = 10.0  # seconds
MEASURED = 12  # measurements of the strength in a run
GAMES_MEASURED = 240  # games of a measurement
_NETWORK, _PLAY, _STRENGTH = range(3)  # numbers of random streams


@dataclass(frozen=True)
class TrainingProgress:
    """How far a run has come."""

    part: float  # of the budget, 0 to 1
    positions: int
    games: int
    seconds: float
    games_per_second: float  # of the last round
    error: float  # the average cross-entropy of the last round
    strength: float | None  # the payoff of one seat that plays by it against the usual value, one move ahead

    def __str__(self) -> str:
        strength = "" if self.strength is None else f", strength {self.strength:.2f}"
        return (
            f"{self.part:.0%}, {self.games:,} games, {self.games_per_second:,.0f} a second, error {self.error:.3f}"
            f"{strength}"
        )


@dataclass(frozen=True)
class TrainingBudget:
    """How long to learn: a number of positions, or of seconds."""

    positions: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        for name in ("positions", "seconds"):
            number = getattr(self, name)
            if number is not None and not number > 0:
                raise BadValue(f"{name}={number}: learning needs more than 0")

    def part(self, positions: int, seconds: float) -> float:
        """Return how much of the budget is used, from 0 to 1."""
        used = positions / self.positions if self.positions is not None else seconds / (self.seconds or 1)
        return min(used, 1.0)


def train(
    game: Game, settings: TrainingSettings, budget: TrainingBudget, out: Path, start: Network | None = None
) -> Iterator[TrainingProgress]:
    """Train a network, or resume the run with the same settings that is in `out`; write it there and yield progress."""
    settings = replace(settings, start=start.digest if start else "")
    if settings.device == CPU:
        yield from Training(game, settings, budget, out, start).rounds()
    else:
        from kibitz.learn.batch_training import BatchTraining

        yield from BatchTraining(game, settings, budget, out, start).rounds()


class Training:
    """A network in training, and the counts that its file holds."""

    def __init__(
        self, game: Game, settings: TrainingSettings, budget: TrainingBudget, out: Path, start: Network | None
    ):
        self.game, self.settings, self.budget, self.out = game, settings, budget, out
        try_encoding(game, settings.encoding)
        begun = self._begun()
        network = begun or start or self._new()
        if settings.by and begun is None:
            self._check_agent(network)
        self._unsaved: Network | None = None  # after the last round, if the file does not hold it
        self.about = replace(network.about, options=option_values(game))
        self.value = value_of(game, network)
        self.buffer = new_self_play(
            game, self.value, game.policy(settings.against or settings.first), encodings(game)[settings.encoding],
            settings.round + LONGEST_GAME * game.seats, settings.trace, settings.epsilon, settings.openings,
            settings.longest, derive_seed(settings.seed, LEARN, _PLAY), settings.method == Q, bool(settings.against),
        )  # fmt: skip
        told: Mapping[str, Any] = _progress(begun, out) if begun else {}
        self.positions, self.games = told.get("positions", 0), told.get("games", 0)
        self.seconds, self.strengths = told.get("seconds", 0.0), list(told.get("strengths", []))
        self.buffer.rng[0] = np.uint64(told.get("dice", self.buffer.rng[0]))
        self._activations, self._gradients = np.zeros((2, MOST_LAYERS * MOST_UNITS), dtype=np.float32)
        if settings.standardise:
            self._standardise(told, new=network is not start)

    def _check_agent(self, network: Network) -> None:
        """Refuse an agent that cannot use a network as its value, before `out` is written."""
        with TemporaryDirectory() as folder:
            path = Path(folder) / self.out.name
            write_bytes(path, as_bytes(network))
            agent_with_network(self.settings.by, self.game, path, 1)

    def _standardise(self, told: Mapping[str, Any], new: bool) -> None:
        """Measure mean and standard deviation of the inputs in the first games, or recall those of an earlier run."""
        mean, deviation = self.buffer.mean, self.buffer.deviation
        inputs, dice = self.about.inputs, self.buffer.rng[0]
        if "mean" in told:
            mean[:inputs], deviation[:inputs] = told["mean"], told["spread"]
            return
        play_games(self.buffer, self.settings.round)
        kept = self.buffer.numbers[: int(self.buffer.control[KEPT]) * inputs].reshape(-1, inputs)
        mean[:inputs], deviation[:inputs] = kept.mean(axis=0), kept.std(axis=0)
        deviation[deviation == 0] = 1
        self.buffer.rng[0] = dice
        if new:
            layers = read_layers(self.buffer.net)
            write_layers((_folded(layers[0], mean[:inputs], deviation[:inputs]), *layers[1:]), self.buffer.net)

    def _new(self) -> Network:
        game, settings = self.game, self.settings
        about = About(
            Path(game.name).name, game.version, option_values(game), game.seats, settings.encoding,
            encodings(game)[settings.encoding].length, settings.activation, sides_of(game),
            (game.moves_below or 0) if settings.policy else 0,
            next(iter(numberings(game)), "") if settings.policy else "",
        )  # fmt: skip
        return new_network(about, settings.hidden, derive_seed(settings.seed, LEARN, _NETWORK))

    def _begun(self) -> Network | None:
        """Return the network of an earlier run with the same settings; None if there is no file."""
        if not self.out.exists():
            check_writable(self.out)
            return None
        found = network(self.game, str(self.out) if "/" in str(self.out) else f"./{self.out}")
        before, now = found.about.trained.get("lesson"), self.settings.plain
        if not isinstance(before, dict):
            raise BadValue(f"{self.out} exists already; choose another name or remove it first")
        check_same(self.out, game_of(found.about), plain_game(self.game), "a new network")
        other = [name for name in now if before.get(name) != now[name]]
        if other:
            name = other[0]
            was = f"{LAMBDA.get(name, name)}={before.get(name)}, not {now[name]}"
            if name == "round":
                was = f"another number of positions to learn from (rounds of {before.get(name)}, not {now[name]})"
            raise BadValue(
                f"{self.out} was begun with {was}; choose another name for a new network, or go on with the same"
            )
        return found

    @property
    def part(self) -> float:
        """How much of the budget is used."""
        return self.budget.part(self.positions, self.seconds)

    def rounds(self) -> Iterator[TrainingProgress]:
        """Play and learn until the budget is used up; if interrupted, the file keeps all complete rounds."""
        self._compile()
        try:
            yield from self._rounds()
        except (KeyboardInterrupt, SystemExit, GeneratorExit):
            if self._unsaved is not None:
                self._save()
            raise

    def _rounds(self) -> Iterator[TrainingProgress]:
        saved = perf_counter()
        while self.part < 1:
            progress = self._round()
            self._unsaved = self._network()
            if self.part >= 1 or perf_counter() - saved > SAVE_EVERY:
                self._save()
                saved = perf_counter()
            yield progress

    def _compile(self) -> None:
        """Compile everything first, so that the time of the budget is spent on learning."""
        play_games(self.buffer, 0)
        descend(self.buffer, 0, 0.0, self._activations, self._gradients)
        self._measured_strength(0, 0)

    def _round(self) -> TrainingProgress:
        """Fill the replay buffer, learn from it, and count."""
        buffer, settings, begun = self.buffer, self.settings, forecast.clock()
        control = buffer.control
        self._play()
        error = self._learn(settings.rate * (1 - self.part * (1 - SLOWEST)))
        spent = forecast.clock() - begun
        if not np.isfinite(error):
            raise BadValue(f"the weights grew beyond all bounds; a smaller rate than {settings.rate} may help")
        self.positions += int(control[KEPT])
        self.games += int(control[GAMES])
        self.seconds += spent
        self._measure()
        found = self.strengths[-1] if self.strengths else None
        return TrainingProgress(
            self.part, self.positions, self.games, self.seconds, int(control[GAMES]) / spent, error, found
        )  # fmt: skip

    def _play(self) -> None:
        """Fill the replay buffer."""
        buffer, settings = self.buffer, self.settings
        buffer.control[BY_POLICY] = settings.first != "random" and self.part < settings.watched
        if settings.by:
            self._unsaved = self._network()
            self._save()
            mind = agent_with_network(settings.by, self.game, self.out, int(roll(buffer.rng, 1 << 30)))
            play_leaves(self.game, mind, self.value, buffer, settings.round)
        else:
            play_games(buffer, settings.round)

    def _learn(self, rate: float) -> float:
        """Learn from the replay buffer; return the average cross-entropy."""
        samples = int(self.settings.reuse * self.buffer.control[KEPT])
        return float(descend(self.buffer, samples, rate, self._activations, self._gradients))

    def _measure(self) -> None:
        """Measure the strength if it is time to, MEASURED times in a run; that does not affect what is learnt."""
        if len(self.strengths) < int(self.part * MEASURED):
            seed = derive_seed(self.settings.seed, LEARN, _STRENGTH, len(self.strengths))
            self.strengths.append(round(self._measured_strength(GAMES_MEASURED, seed), 4))

    def _measured_strength(self, games: int, seed: int) -> float:
        usual = self.game.value(self.game.usual_value)
        return strength(self.game, self.value, usual, games, self.settings.openings, seed, self.settings.method == Q)

    def _save(self) -> None:
        """Write the network of the last round."""
        assert self._unsaved is not None
        write_bytes(self.out, as_bytes(self._unsaved))
        self._unsaved = None

    def _network(self) -> Network:
        """Return a copy of the network, with the counts that a run resumes from."""
        trained = {
            "method": self.settings.method, "lesson": self.settings.plain, "positions": self.positions,
            "games": self.games, "seconds": round(self.seconds, 1), "strengths": list(self.strengths),
            "dice": int(self.buffer.rng[0]),
        }  # fmt: skip
        if self.settings.standardise:
            inputs = self.about.inputs
            trained["mean"] = self.buffer.mean[:inputs].tolist()
            trained["spread"] = self.buffer.deviation[:inputs].tolist()
        return Network(replace(self.about, trained=trained), read_layers(self.buffer.net))


def _progress(network: Network, path: Path) -> dict[str, Any]:
    """Return the counts in the file of a network; refuse a file that holds none."""
    told = network.about.trained
    counts = all(type(told.get(name)) is int and 0 <= told[name] < 1 << 64 for name in ("positions", "games", "dice"))
    lists = [told.get("strengths"), *(told[name] for name in ("mean", "spread") if name in told)]
    numbers = all(isinstance(one, list) and all(type(number) is float for number in one) for one in lists)
    fit = all(isinstance(one, list) and len(one) == network.about.inputs for one in lists[1:])
    if not (
        counts and numbers and fit and type(told.get("seconds")) is float and ("mean" in told) == ("spread" in told)
    ):
        raise BadValue(f"{path} is damaged: it does not say how far it has come")
    return told


def _folded(layer: Layer, mean: np.ndarray, deviation: np.ndarray) -> Layer:
    """Return a layer that maps raw inputs to what the given layer maps standardised inputs to."""
    weights, biases = layer
    folded = weights / deviation[:, None]
    return folded, biases - mean @ folded
