"""Imitation in an experiment: networks learn what an agent plays; how often they agree, and how well they play."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cache, lru_cache
from math import ceil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

import numpy as np

from kibitz.agents import build
from kibitz.arena.plan.plan import Plan
from kibitz.arena.session import play_plan
from kibitz.core.errors import BadValue, UnknownName
from kibitz.core.seeds import LEARN, derive_seed
from kibitz.core.spec import parse
from kibitz.games import find
from kibitz.lab.experiment_outcome import TrialOutcome
from kibitz.lab.fact import Fact, mean, ratio, rounding_of
from kibitz.lab.judging import TrialRun
from kibitz.lab.trials.effort_trial import Effort, compared, efforts_by_turn
from kibitz.lab.trials.published_games import ASSUMED, PublishedGames
from kibitz.lab.trials.sample import Sample, joined, sample_of
from kibitz.lab.trials.trial import Trial, TrialSetup
from kibitz.lab.validation import (
    Choices,
    Count,
    Form,
    Limits,
    Text,
    Truth,
    list_of,
    number,
    one_of,
    table,
    table_of,
    text,
    whole,
)
from kibitz.learn.fit_metrics import predict
from kibitz.learn.fit_options import LEGAL, FitOptions
from kibitz.learn.samples import Samples
from kibitz.networks import net
from kibitz.networks.network_file import Layers, as_bytes
from kibitz.plugins.documents.imitation_agent import PARTS, TEACHER
from kibitz.plugins.documents.imitation_learning import (
    Demonstrations,
    NetworkAnswers,
    TargetOutputs,
    TeacherGames,
    as_network,
    as_samples,
    imitate,
    said,
    sigmoid,
)
from kibitz.plugins.documents.published_share import beside_published, per_cent_or_bound

DIGITS = 5  # of an error
LEAST = 40  # positions, at any scale
PLAYERS = ("the search", "the networks")
KEPT = 4  # sets of positions in memory
TAUGHT, TESTED = 1, 2  # streams of the games that are learnt from and of those that are not

Counted = Callable[
    [NetworkAnswers], tuple[np.ndarray, np.ndarray]
]  # by position: how often something happened, and of how many
SHARES: dict[str, tuple[str, Counted]] = {
    "nul": ("outputs without a one", lambda s: (s.ones == 0, np.ones_like(s.ones))),
    "contains": ("outputs that contain the best action", lambda s: (s.contains, np.ones_like(s.ones))),
    "only": ("outputs that contain nothing else", lambda s: (s.only, np.ones_like(s.ones))),
    "invalid": ("ones that are invalid actions", lambda s: (s.invalid, s.ones)),
    "agrees": ("best legal output is the teacher's choice", lambda s: (s.agrees, np.ones_like(s.ones))),
    "among": ("… or as good to the teacher", lambda s: (s.among, np.ones_like(s.ones))),
}
FIGURES = ("error", "constant", "rounded", "reproduced", "zeros", "ones", *SHARES, "wins", "time")
BOUNDED = ("reproduced", "zeros", *SHARES, "wins")  # per cent, for which a document may give but a bound, such as ">50"
_FORMS = {"int": whole(), "float": number(), "str": text}
_FIT = {entry.name: _FORMS[str(getattr(entry.type, "__name__", entry.type))] for entry in fields(FitOptions)}


def _by_size(form: Form) -> Form:
    """Return the form of a number, or of a table of numbers by size."""
    return lambda key, value: (table_of(form) if isinstance(value, Mapping) else form)(key, value)


_PUBLISHED = {name: _by_size(per_cent_or_bound if name in BOUNDED else number(0)) for name in FIGURES}


@dataclass(frozen=True)
class Recipe:
    """How networks are trained; it determines all results."""

    game: str
    teacher: str
    seed: int  # of the games of the teacher, and of first weights
    actions: str
    encoding: str
    coded: bool  # the units are not actions, but their codes
    train: int
    test: int
    hidden: tuple[int, ...]
    fit: FitOptions
    aim: TargetOutputs
    sizes: tuple[int, ...]  # of sets that are learnt from before all of it
    hide: tuple[int, int]  # inputs that are left out: from, to

    def demonstrations(self, part: int, stream: int, positions: int) -> Demonstrations:
        """Return positions of a part of a turn, without the inputs that are left out."""
        seed = derive_seed(self.seed, LEARN, stream)
        found = _teacher_games(self.game, self.teacher, self.actions, seed).demonstrations(
            part, positions, self.encoding
        )
        found.inputs[:, self.hide[0] : self.hide[1]] = 0
        return found

    @property
    def tested(self) -> Demonstrations:
        """The positions of the first action of a turn that networks are tested on."""
        return self.demonstrations(0, TESTED, self.test)

    def targets(self, demonstrations: Demonstrations) -> np.ndarray:
        """Return what the units are to say."""
        if not self.coded:
            return self.aim.shares(demonstrations)
        return net.actions(find(self.game))[self.actions].codes[demonstrations.chosen]

    def samples(self, demonstrations: Demonstrations) -> Samples:
        """Return demonstrations as samples for fitting."""
        return as_samples(demonstrations, self.targets(demonstrations), self.fit.policy_error == LEGAL)


@lru_cache(KEPT)
def _teacher_games(game: str, teacher: str, actions: str, seed: int) -> TeacherGames:
    found = find(game)
    return TeacherGames(
        found, teacher, actions, [name for name, kind in net.encodings(found).items() if not kind.most], seed
    )


@cache
def _taught(recipe: Recipe, part: int, run: int) -> Layers:
    """Return the layers of a network; part and run settle its first weights."""
    fit = replace(recipe.fit, seed=derive_seed(recipe.seed, LEARN, run, part))
    train, test = (
        recipe.samples(recipe.demonstrations(part, stream, positions))
        for stream, positions in ((TAUGHT, recipe.train), (TESTED, recipe.test))
    )
    layers = imitate(train, test, recipe.hidden, fit, recipe.sizes)
    layers[0][0][recipe.hide[0] : recipe.hide[1]] = 0
    return layers


@dataclass(frozen=True)
class ImitationTrial(Trial):
    """Networks of several sizes, who teaches them what, and the published numbers."""

    game: Text
    encoding: Text
    hidden: Choices  # the units of the hidden layers, such as "135x135"
    train: Count  # positions
    test: Count
    teacher: Text = TEACHER
    actions: Text = "pirate_actions"
    coded: Truth = False
    fit: Annotated[Mapping[str, Any], table("option of a fit", _FIT)] = field(default_factory=dict)
    zero: Annotated[float, number()] = 0.0  # the target of an action that was not chosen
    one: Annotated[float, number()] = 1.0  # … of the one that was
    softness: Annotated[float, number(0)] = 0.0  # as shares: an action worth this much more has e times the share
    sizes: Annotated[Sequence[int], list_of(whole(1))] = ()
    hide: Annotated[Sequence[int], list_of(whole(), 2, 2)] = (0, 0)
    runs: Count = 1  # with different first weights
    figures: Annotated[Sequence[str], list_of(one_of("figure", FIGURES), 1)] = ("error",)
    play: Annotated[int, whole()] = 0  # games
    by: Text = ""  # options of the agent `imitation` that plays them
    against: Text = ""  # the teacher, if not said
    limits: Limits = None
    published: Annotated[Mapping[str, Any], table("figure", _PUBLISHED)] = field(default_factory=dict)
    of: Annotated[int, whole()] = 0  # positions or games that were published

    @property
    def games(self) -> int:
        """How many games there are at the document's own size."""
        return self.play

    @property
    def size(self) -> dict[str, int]:
        """The games, and the positions that networks learn from and are tested on."""
        return {"games": self.play, "positions": self.train + self.test}

    def check(self) -> None:
        """Refuse figures and sizes that make no sense."""
        for size in self.hidden:
            self.recipe(size)
        for name, given in self.published.items():
            if name not in self.figures:
                raise BadValue(f"published has {name}, which is not among figures")
            for size in given if isinstance(given, Mapping) else ():
                if size not in self.hidden:
                    raise UnknownName(f"size of hidden layers in published.{name}", size, self.hidden)
        game = find(self.game)
        encodings = [name for name, kind in net.encodings(game).items() if not kind.most]
        if self.encoding not in encodings:
            raise UnknownName(f"encoding of {game.name}", self.encoding, encodings)
        if self.actions not in net.actions(game):
            raise UnknownName(f"actions of {game.name}", self.actions, net.actions(game))
        if {"wins", "time"} & {*self.figures} and not self.play:
            raise BadValue("play is missing: how many games show wins or time?")
        if self.hide[0] > self.hide[1]:
            raise BadValue(f"hide must be a list of two, from and to, not {self.hide!r}")
        for agent in filter(None, (self.teacher, self.against)):
            build(agent, game, 0)
        parse(f"imitation({self.by})")

    def _recipe(self, size: str, setup: TrialSetup) -> Recipe:
        """Return how a network of one size is trained; trials that train in the same way share their positions."""
        way = repr(replace(self.recipe(size), hidden=()))
        return self.recipe(size, setup.scale, setup.seed_of(way))

    def recipe(self, size: str, scale: float = 1.0, seed: int = 1) -> Recipe:
        """Return how a network of one size is trained, with a part of the positions and a seed."""
        try:
            hidden = tuple(int(units) for units in size.split("x"))
        except ValueError:
            hidden = (0,)
        if min(hidden) < 1:
            raise BadValue(f"hidden has {size!r}; it takes units of layers, such as '135x135'")
        options = FitOptions(**self.fit)
        sizes = tuple(_scaled(positions, scale) for positions in self.sizes)
        return Recipe(
            self.game, self.teacher, seed, self.actions, self.encoding, self.coded, _scaled(self.train, scale),
            _scaled(self.test, scale), hidden, options, TargetOutputs(self.zero, self.one, self.softness), sizes,
            (self.hide[0], self.hide[1]),
        )  # fmt: skip

    def facts(self, setup: TrialSetup) -> list[Fact]:
        """Train the networks, test them, and let them play."""
        return list(self.run(setup).facts)

    def run(self, setup: TrialSetup) -> TrialRun:
        """Train the networks, test them, and let them play.

        At a scale below 1 they learn from fewer positions than the document's, so nothing is judged.
        """
        found, samples = list[Fact](), list[Sample]()
        for size in self.hidden:
            recipe = self._recipe(size, setup)
            found += self._of_outputs(size, recipe, max(1, ceil(self.runs * min(1.0, setup.scale))))
            if self.play:
                samples.append(self._meet(recipe, setup))
                found += self._of_games(size, samples[-1])
        if setup.scale < 1:
            found = [replace(fact, gap=None) for fact in found]
        return TrialRun(self._about(samples, setup), found, why=self.why)

    def _about(self, samples: Sequence[Sample], setup: TrialSetup) -> TrialOutcome:
        if not samples:
            recipe = self._recipe(self.hidden[0], setup)
            games = len({*recipe.tested.games.tolist()})
            untimed = "networks answer positions of these games"
            return self.about(games=games, blocks=games, seeds=(recipe.seed,), untimed=untimed)
        whole = joined([sample.among(PLAYERS) for sample in samples])
        return self.about(
            games=len(whole.games.numbers), blocks=len({*whole.games.blocks.tolist()}), seeds=whole.seeds[:1],
            times=whole.times(dict(zip(PLAYERS, PLAYERS, strict=True))),
        )  # fmt: skip

    def _of_outputs(self, size: str, recipe: Recipe, runs: int) -> list[Fact]:
        demonstrations = recipe.tested
        asked = as_samples(demonstrations, recipe.targets(demonstrations))
        logits = [predict(_taught(recipe, 0, run), asked, recipe.fit) for run in range(runs)]
        games = np.tile(demonstrations.games, runs)
        found = []
        for name in self.figures:
            if name in ("error", "rounded", "constant"):
                outputs = [_outputs(name, one, recipe) for one in logits]
                squares = np.concatenate([((one - asked.shares) ** 2).mean(axis=1) for one in outputs])
                found.append(self._mean(name, size, squares, games, "mean squared error"))
            elif name == "reproduced":
                found.append(self._reproduced(size, recipe, runs))
            elif name == "zeros":
                silent = np.array([said(one, demonstrations).silent.all() for one in logits])
                found.append(
                    self._share(name, size, silent, np.ones(runs), np.arange(runs), "runs with nothing but zeros")
                )
            elif name == "ones":
                ones = np.concatenate([said(one, demonstrations).ones for one in logits])
                found.append(self._mean(name, size, ones, games, "ones an output"))
            elif name in SHARES:
                what, counted = SHARES[name]
                pairs = [counted(said(one, demonstrations)) for one in logits]
                hits, of = (np.concatenate([pair[k] for pair in pairs]) for k in range(2))
                found.append(self._share(name, size, hits, of, games, what))
        return found

    def _reproduced(self, size: str, recipe: Recipe, runs: int) -> Fact:
        """Return how many of the positions that networks learnt from they answer rightly, in every unit."""
        demonstrations = recipe.demonstrations(0, TAUGHT, recipe.train)
        learnt = as_samples(demonstrations, recipe.targets(demonstrations))
        outputs = [np.round(sigmoid(predict(_taught(recipe, 0, run), learnt, recipe.fit))) for run in range(runs)]
        right = np.concatenate([(one == np.round(learnt.shares)).all(axis=1) for one in outputs])
        games = np.tile(demonstrations.games, runs)
        what = "positions it learnt from that are answered rightly"
        return self._share("reproduced", size, right, np.ones(len(right)), games, what)

    def _published(self, name: str, size: str) -> Any:
        given = self.published.get(name)
        return given.get(size) if isinstance(given, Mapping) else given

    def _title(self, size: str, what: str) -> str:
        return f"{size}, {what}" if len(self.hidden) > 1 else what

    def _mean(self, name: str, size: str, numbers: np.ndarray, games: np.ndarray, what: str) -> Fact:
        what = {"rounded": "part of the bits that are wrong", "constant": "error of the best constant"}.get(name, what)
        _, block = np.unique(games, return_inverse=True)
        sums, counts = np.bincount(block, weights=numbers), np.bincount(block).astype(float)
        published, title = self._published(name, size), self._title(size, what)
        if not published or not sums.sum():  # a mean of 0 is no part of another
            return mean(title, sums, counts, published, digits=DIGITS)
        rounding, margin = rounding_of(published), self.margin_of("error")
        return ratio(title, sums, counts, published, margin, rounding, digits=DIGITS, **self._assumed(len(counts)))

    def _assumed(self, games: int) -> dict[str, Any]:
        """Return how many times the games of a published mean there are here, and how many are assumed."""
        of = PublishedGames.of({}, self.assumed_games, ASSUMED)
        return {"times": of.times(games), "assumed_games": of.assumed}

    def _share(self, name: str, size: str, hits: np.ndarray, of: np.ndarray, games: np.ndarray, what: str) -> Fact:
        _, block = np.unique(games, return_inverse=True)
        return self._rate(name, size, np.bincount(block, weights=hits), np.bincount(block, weights=of), what)

    def _rate(self, name: str, size: str, happened: np.ndarray, held: np.ndarray, what: str) -> Fact:
        title, published = self._title(size, what), self._published(name, size)
        return beside_published(self, title, happened, held, published, self.of)

    def _meet(self, recipe: Recipe, setup: TrialSetup) -> Sample:
        """Let the networks play against the search, and name both without the files that they are in meanwhile."""
        game = find(self.game)
        with TemporaryDirectory() as folder:
            paths = []
            for number, part in enumerate(PARTS[: net.actions(game)[self.actions].parts]):
                layers = _taught(recipe, number, 0)
                network = as_network(game, self.encoding, self.actions, layers, recipe.fit, {"by": self.teacher})
                path = Path(folder, f"{part}.npz")
                path.write_bytes(as_bytes(network))
                paths.append(f"{part}=net({path})")
            taught = f"imitation({', '.join([*paths, f'teacher={self.teacher}', *filter(None, [self.by])])})"
            plan = Plan.make(
                self.game, [self.against or self.teacher, taught], scheme="rotation", games=setup.games(self.play),
                seed=setup.seeds(self)[0], openings=0, limits=self.limits,
            )  # fmt: skip
            plan = replace(plan, games=max(plan.games, len(plan.seatings)))
            sample = play_plan(plan, lambda run: sample_of(run, True, False), None, setup.jobs, setup.progress)
        return replace(sample, games=replace(sample.games, agents=PLAYERS))

    def _of_games(self, size: str, sample: Sample) -> list[Fact]:
        games, found = sample.games, list[Fact]()
        if "wins" in self.figures:
            won = (games.payoffs * (games.seatings == 1)).sum(axis=1)
            _, block = np.unique(games.blocks, return_inverse=True)
            happened, held = np.bincount(block, weights=won), np.bincount(block).astype(float)
            found.append(self._rate("wins", size, happened, held, "networks win"))
        if "time" in self.figures:
            found.append(self._time(size, sample))
        return found

    def _time(self, size: str, sample: Sample) -> Fact:
        """Return how many times as long the networks take for a turn as the other agent."""
        games = sample.games
        spent, count = (np.zeros((2, int(games.blocks.max()) + 1)) for _ in range(2))
        for seating, block, thoughts in zip(games.seatings, games.blocks, sample.moves, strict=True):
            for seat, seconds in efforts_by_turn(thoughts["seats"], thoughts["cpu"]) if thoughts else ():
                spent[seating[seat], block] += seconds
                count[seating[seat], block] += 1
        theirs, ours = (Effort.of(name, spent[at], count[at]) for at, name in enumerate(PLAYERS))
        published, title = self._published("time", size), self._title(size, "CPU time a turn, networks to the search")
        rounding = 0.0 if published is None else rounding_of(published)
        assumed = self._assumed(len(games.numbers))
        return ratio(title, *compared(ours, theirs), published, self.margin_of("time"), rounding, "x", 3, **assumed)


def _scaled(positions: int, scale: float) -> int:
    return max(min(LEAST, positions), ceil(positions * scale))


def _outputs(name: str, logits: np.ndarray, recipe: Recipe) -> np.ndarray:
    """Return outputs as they are, rounded, or of the best constant, which is the mean of the targets."""
    if name == "constant":
        demonstrations = recipe.demonstrations(0, TAUGHT, recipe.train)
        return np.broadcast_to(recipe.targets(demonstrations).mean(axis=0), logits.shape)
    return np.round(sigmoid(logits)) if name == "rounded" else sigmoid(logits)
