"""Training: a network plays and learns in rounds, and a file keeps it.

A round plays whole games until so many positions are kept, then learns from them in random order. Rounds begin with
nothing but the network, the dice and counts, all of which the file holds: a run that was killed goes on from its file,
and comes to the same weights as one that was not.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import numpy as np

from kibitz.core.contract import UNKNOWN
from kibitz.core.dice import roll
from kibitz.core.errors import BadValue
from kibitz.core.game import Game, option_values
from kibitz.core.seeds import LEARN, derive_seed
from kibitz.core.table import Table
from kibitz.core.user_files import check_writable, write_bytes
from kibitz.learn.gradient import learn
from kibitz.learn.resume_check import check_same, game_of, plain_game
from kibitz.learn.self_play import BY_POLICY, GAMES, KEPT, new_self_play, play_games
from kibitz.learn.strength import strength
from kibitz.learn.td_leaf import by_network, play_leaves
from kibitz.learn.training_settings import LONGEST_GAME, WORDS, Q, TrainingSettings
from kibitz.networks.encoding_laws import try_encoding
from kibitz.networks.inference import read_layers, write_layers
from kibitz.networks.net import encodings, network, numberings, value_of
from kibitz.networks.network_file import EACH, MOST_LAYERS, MOST_UNITS, MOVER, About, Network, as_bytes, new_network

Layer = tuple[np.ndarray, np.ndarray]  # weights and biases

USUAL_SECONDS = 60.0
SLOWEST = 0.05  # of the first learning rate, at the end
SAVE_EVERY = 10.0  # seconds
MEASURED = 12  # times that the strength is measured in a run
GAMES_MEASURED = 240  # each time
LOOKED_AT = 20  # plies
_NETWORK, _PLAY, _MEETING = range(3)  # numbers of streams


@dataclass(frozen=True)
class TrainingProgress:
    """How far a run has come."""

    part: float  # 0 to 1
    positions: int
    games: int
    seconds: float
    games_per_second: float  # of the last round
    error: float  # the average cross-entropy of the last round
    strength: float | None  # the payoff of one seat that plays by it, against others one move ahead by the usual value


@dataclass(frozen=True)
class TrainingBudget:
    """How long to learn: so many positions, or so many seconds."""

    positions: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        for name in ("positions", "seconds"):
            number = getattr(self, name)
            if number is not None and not number > 0:
                raise BadValue(f"{name}={number}: a lesson needs more than 0")

    def part(self, positions: int, seconds: float) -> float:
        """Return how much of the budget is used, from 0 to 1."""
        used = positions / self.positions if self.positions is not None else seconds / (self.seconds or 1)
        return min(used, 1.0)


def teach(
    game: Game, settings: TrainingSettings, budget: TrainingBudget, out: Path, start: Network | None = None
) -> Iterator[TrainingProgress]:
    """Teach a network, or go on with the one in `out` that the same lesson began; keep it there, and yield progress."""
    yield from _Training(game, replace(settings, start=start.digest if start else ""), budget, out, start).rounds()


class _Training:
    """A network that is being taught, and the counts that its file holds."""

    def __init__(
        self, game: Game, settings: TrainingSettings, budget: TrainingBudget, out: Path, start: Network | None
    ):
        self.game, self.settings, self.budget, self.out = game, settings, budget, out
        try_encoding(game, settings.encoding)
        begun = self._begun()
        network = begun or start or self._new()
        if settings.by and begun is None:
            self._check_by(network)
        self._unsaved: Network | None = None  # as it was after the last round, where the file does not hold that
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
        self._units, self._slopes = np.zeros((2, MOST_LAYERS * MOST_UNITS), dtype=np.float32)
        if settings.standardise:
            self._standardise(told, new=network is not start)

    def _check_by(self, network: Network) -> None:
        """Refuse an agent that cannot play by a network, before there is a file that another lesson could not use."""
        with TemporaryDirectory() as folder:
            path = Path(folder) / self.out.name
            write_bytes(path, as_bytes(network))
            by_network(self.settings.by, self.game, path, 1)

    def _standardise(self, told: Mapping[str, Any], new: bool) -> None:
        """Measure the numbers of a dense encoding in the first games, or recall what an earlier run has measured."""
        mean, spread = self.buffer.mean, self.buffer.spread
        inputs, dice = self.about.inputs, self.buffer.rng[0]
        if "mean" in told:
            mean[:inputs], spread[:inputs] = told["mean"], told["spread"]
            return
        play_games(self.buffer, self.settings.round)
        kept = self.buffer.numbers[: int(self.buffer.control[KEPT]) * inputs].reshape(-1, inputs)
        mean[:inputs], spread[:inputs] = kept.mean(axis=0), kept.std(axis=0)
        spread[spread == 0] = 1
        self.buffer.rng[0] = dice
        if new:
            layers = read_layers(self.buffer.net)
            write_layers((_folded(layers[0], mean[:inputs], spread[:inputs]), *layers[1:]), self.buffer.net)

    def _new(self) -> Network:
        game, settings = self.game, self.settings
        about = About(
            Path(game.name).name, game.version, option_values(game), game.seats, settings.encoding,
            encodings(game)[settings.encoding].length, settings.activation, EACH if have_secrets(game) else MOVER,
            (game.moves_below or 0) if settings.policy else 0,
            next(iter(numberings(game)), "") if settings.policy else "",
        )  # fmt: skip
        return new_network(about, settings.hidden, derive_seed(settings.seed, LEARN, _NETWORK))

    def _begun(self) -> Network | None:
        """Return the network that an earlier run of the same lesson has left; None if there is no file."""
        if not self.out.exists():
            check_writable(self.out)
            return None
        found = network(self.game, str(self.out) if "/" in str(self.out) else f"./{self.out}")
        before, now = found.about.trained.get("lesson"), self.settings.plain
        if not isinstance(before, dict):
            raise BadValue(f"{self.out} exists already; choose another name or remove it first")
        check_same(self.out, game_of(found.about), plain_game(self.game), "a new lesson")
        other = [name for name in now if before.get(name) != now[name]]
        if other:
            name = other[0]
            was = f"{WORDS.get(name, name)}={before.get(name)}, not {now[name]}"
            if name == "round":
                was = f"another number of positions to learn from (rounds of {before.get(name)}, not {now[name]})"
            raise BadValue(
                f"{self.out} was begun with {was}; choose another name for a new lesson, or go on with the same"
            )
        return found

    @property
    def part(self) -> float:
        """How much of the budget is used."""
        return self.budget.part(self.positions, self.seconds)

    def rounds(self) -> Iterator[TrainingProgress]:
        """Play and learn until the budget is used up; who stops that finds all whole rounds in the file."""
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
        """Compile what is not compiled yet: that is no time to learn."""
        play_games(self.buffer, 0)
        learn(self.buffer, 0, 0.0, self._units, self._slopes)
        self._meet(0, 0)

    def _round(self) -> TrainingProgress:
        """Play, learn from what was played, and count."""
        buffer, settings, begun = self.buffer, self.settings, perf_counter()
        control = buffer.control
        control[BY_POLICY] = settings.first != "random" and self.part < settings.watched
        if settings.by:
            self._unsaved = self._network()
            self._save()
            mind = by_network(settings.by, self.game, self.out, int(roll(buffer.rng, 1 << 30)))
            play_leaves(self.game, mind, self.value, buffer, settings.round)
        else:
            play_games(buffer, settings.round)
        rate = settings.rate * (1 - self.part * (1 - SLOWEST))
        samples = int(settings.reuse * control[KEPT])
        error = float(learn(buffer, samples, rate, self._units, self._slopes))
        spent = perf_counter() - begun
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

    def _measure(self) -> None:
        """Measure the strength, as often in a run as MEASURED says; that changes nothing of what is learnt."""
        if len(self.strengths) < int(self.part * MEASURED):
            seed = derive_seed(self.settings.seed, LEARN, _MEETING, len(self.strengths))
            self.strengths.append(round(self._meet(GAMES_MEASURED, seed), 4))

    def _meet(self, games: int, seed: int) -> float:
        usual = self.game.value(self.game.usual_value)
        return strength(self.game, self.value, usual, games, self.settings.openings, seed, self.settings.method == Q)

    def _save(self) -> None:
        """Write what the last round came to."""
        assert self._unsaved is not None
        write_bytes(self.out, as_bytes(self._unsaved))
        self._unsaved = None

    def _network(self) -> Network:
        """Return a copy of the network as it is, with how far it has come."""
        trained = {
            "method": self.settings.method, "lesson": self.settings.plain, "positions": self.positions,
            "games": self.games, "seconds": round(self.seconds, 1), "strengths": list(self.strengths),
            "dice": int(self.buffer.rng[0]),
        }  # fmt: skip
        if self.settings.standardise:
            inputs = self.about.inputs
            trained["mean"] = self.buffer.mean[:inputs].tolist()
            trained["spread"] = self.buffer.spread[:inputs].tolist()
        return Network(replace(self.about, trained=trained), read_layers(self.buffer.net))


def _progress(network: Network, path: Path) -> dict[str, Any]:
    """Return how far a network in a file has come; what makes no sense there is a BadValue."""
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


def _folded(layer: Layer, mean: np.ndarray, spread: np.ndarray) -> Layer:
    """Return a layer that does to raw numbers what a layer does to those with mean 0 and spread 1."""
    weights, biases = layer
    folded = weights / spread[:, None]
    return folded, biases - mean @ folded


def have_secrets(game: Game) -> bool:
    """Return whether seats see different things, by a look at the beginning of a game of first moves."""
    table = Table(game, 1)
    while not table.over and table.ply < LOOKED_AT:
        views = [table.view(seat) for seat in range(game.seats)]
        if any(((views[0] == UNKNOWN) != (view == UNKNOWN)).any() for view in views):
            return True
        table.play(table.moves()[0])
    return False
