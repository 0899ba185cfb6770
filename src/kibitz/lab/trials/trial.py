"""A trial: one set-up of an experiment, and how it is run."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, MISSING, dataclass, field, fields
from hashlib import blake2b
from math import ceil
from pathlib import Path
from typing import Annotated, Any, ClassVar, Self

from kibitz.arena.plan.plan import Plan
from kibitz.arena.play.local import play_locally
from kibitz.arena.results.run import Run
from kibitz.arena.results.statistics.verdict import margin_of_share
from kibitz.arena.session import Interrupted, OnProgress, Play, play_plan
from kibitz.core.errors import BadValue
from kibitz.core.seeds import TRIAL, derive_seed
from kibitz.core.spec import parse
from kibitz.lab.claim import ABOUT, CLAIMS
from kibitz.lab.experiment_outcome import TrialOutcome
from kibitz.lab.fact import Fact
from kibitz.lab.judging import TrialRun
from kibitz.lab.trials.published_games import PublishedGames
from kibitz.lab.trials.sample import Sample, joined, sample_of
from kibitz.lab.validation import Count, Text, Truth, forms_of, number, one_of, table, table_of, whole

ORIGINS = {
    "document": "",
    "program": "which program, its commit and licence where they are known",
    "derived": "how it was computed from what the document says",
}  # where a published number comes from, and what origin_note then tells
MARGINS = {"share": 0.05, "place": 0.1, "payoff": 0.1, "count": 0.1, "error": 0.1, "time": 0.25}
MOST_MARGINS = {**dict.fromkeys(MARGINS, 0.5), "share": 0.25, "time": 1.0}  # a larger difference does matter
HEADLINE_SEEDS = 3
_CLAIM = one_of("claim", CLAIMS)
_MARGIN = number(0, min(MOST_MARGINS.values()), above=True)  # of all kinds of numbers
_MARGINS = table("kind of margin", {kind: number(0, most, above=True) for kind, most in MOST_MARGINS.items()})


def _margin(key: str, value: Any) -> None:
    """Refuse all but a margin, or a table of margins by kind."""
    (_MARGINS if isinstance(value, Mapping) else _MARGIN)(key, value)


def _claim(key: str, value: Any) -> None:
    """Refuse all but a claim, or a table of claims by row."""
    (table_of(_CLAIM) if isinstance(value, Mapping) else _CLAIM)(key, value)


@dataclass(frozen=True)
class TrialSetup:
    """How a trial is run: its scale and seeds, who plays its games, and the ledger that keeps them."""

    scale: float = 1.0
    jobs: int = 1
    db: Path | None = None
    progress: OnProgress | None = None
    seed: int = 1  # of the run
    second: bool = False  # whether trials are played with a seed of their own, to confirm what contradicts
    experiment: str = ""  # the name, from which seeds of its trials are derived
    difference: float = 0.0  # that matters, if the experiment asks a question
    play: Play = play_locally

    def games(self, published: int) -> int:
        """Return how many games to play where the document has `published`."""
        return max(1, ceil(published * self.scale))

    def seeds(self, trial: "Trial") -> list[int]:
        """Return the seeds of a trial, which follow from names and not from places; equal `deals` share them."""
        names = (_number_of(self.experiment), _number_of(trial.deals or trial.what))
        first = trial.streams if self.second else 0
        return [derive_seed(self.seed, TRIAL, *names, first + stream) for stream in range(trial.streams)]

    def seed_of(self, name: str) -> int:
        """Return a seed that follows from the run, the experiment and a name."""
        again = (1,) if self.second else ()
        return derive_seed(self.seed, TRIAL, _number_of(self.experiment), _number_of(name), *again)


def _number_of(name: str) -> int:
    return int.from_bytes(blake2b(name.encode(), digest_size=8).digest(), "little")


@dataclass(frozen=True)
class Trial(ABC):
    """One set-up of an experiment; the keys below may also stand at the head of the experiment, for all its trials."""

    what: Text
    _: KW_ONLY
    origin: Annotated[str, one_of("origin", ORIGINS)] = "document"
    origin_note: Text = ""
    fitted: Text = ""  # settings that were found by published numbers
    held_out: Truth = False  # whether these numbers had no part in finding them
    alternative: Truth = False  # whether this is a set-up changed on purpose, which is not the document's
    headline: Truth = False  # whether it is run with several seeds
    margin: Annotated[float | Mapping[str, float], _margin] = field(default_factory=dict)  # by kind: of MARGINS
    table: Text = ""  # of the document: p values are corrected within it; the trial alone if it is empty
    assumed_games: Annotated[int, whole()] = 0  # that published numbers come from, where the document does not say it
    claim: Annotated[str | Mapping[str, str], _claim] = ABOUT  # what published numbers are: of CLAIMS, or by row
    deals: Text = ""  # trials that name the same share their deals
    why: Text = ""  # the cause of a difference, shown at rows that contradict

    @classmethod
    def read(cls, given: Mapping[str, Any]) -> Self:
        """Return the trial that plain data describes; `check` tells whether it can be run."""
        needed = [entry.name for entry in fields(cls) if entry.default is MISSING and entry.default_factory is MISSING]
        table("key", forms_of(cls), needed)("", given)
        trial = cls(**given)
        trial.check_keys()
        return trial

    @property
    def streams(self) -> int:
        """With how many seeds it is run."""
        return HEADLINE_SEEDS if self.headline else 1

    @property
    def games(self) -> int:
        """How many games are played at full scale."""
        return 0

    @property
    def size(self) -> dict[str, int]:
        """The size at full scale, by unit: games, or what the trial has in place of games."""
        return {"games": self.games}

    def margin_of(self, kind: str) -> float:
        """Return how large a difference of a kind of MARGINS counts as small."""
        return float(self.margin.get(kind, MARGINS[kind]) if isinstance(self.margin, Mapping) else self.margin)

    def margin_at(self, published: float | None) -> float:
        """Return the margin of a share."""
        return margin_of_share(published or 0.0, self.margin_of("share"))

    def check_keys(self) -> None:
        """Refuse keys that do not fit together."""
        wanted = ORIGINS[self.origin]
        if wanted and not self.origin_note:
            raise BadValue(f"origin is {self.origin}, so origin_note must tell {wanted}")
        PublishedGames.of(getattr(self, "published", {}), self.assumed_games)
        if self.origin_note and not wanted:
            named = " or ".join(name for name, note in ORIGINS.items() if note)
            raise BadValue(f"origin_note is of no use without origin: {named}")

    def check(self) -> None:
        """Refuse what cannot be run."""

    @abstractmethod
    def facts(self, setup: TrialSetup) -> list[Fact]:
        """Return what the trial finds with the first of its seeds."""

    def run(self, setup: TrialSetup) -> TrialRun:
        """Run the trial; after Ctrl-C, raise Interrupted with what was found until then."""
        return TrialRun(self.about(), self.facts(setup), why=self.why)

    def about(self, **found: Any) -> TrialOutcome:
        """Return what a report tells of the trial beside its rows."""
        given = {entry.name: getattr(self, entry.name) for entry in fields(self)}
        agents = given.get("agents") or ({given["agent"]: given["agent"]} if "agent" in given else {})
        return TrialOutcome(
            self.what, given.get("game", ""), dict(agents), self._options(given), self.table, self.origin,
            self.origin_note, self.fitted, self.held_out, self.alternative, **found,
        )  # fmt: skip

    def _options(self, given: Mapping[str, Any]) -> dict[str, str]:
        """Return as texts the keys of the trial that differ from their defaults and are shown nowhere else."""
        usual = {entry.name: entry.default for entry in fields(self)}
        shown = {entry.name for entry in fields(Trial)} | {"game", "agent", "agents", "published", "order"}
        return {key: str(value) for key, value in given.items() if key not in shown and value and value != usual[key]}


@dataclass(frozen=True, kw_only=True)
class PlayedTrial(Trial):
    """A trial whose facts come from games that agents play."""

    MOVES: ClassVar[bool] = False  # whether facts come from single moves
    RECORDS: ClassVar[bool] = False  # … from records

    game: Text
    play: Count = 1000  # games with each seed

    @property
    def games(self) -> int:
        """How many games are played at full scale."""
        return self.play * self.streams

    @abstractmethod
    def plan(self, scale: float = 1.0, seed: int = 1) -> Plan:
        """Return what is played at a scale, with a seed."""

    @abstractmethod
    def found(self, sample: Sample, setup: TrialSetup) -> list[Fact]:
        """Return what games show."""

    def facts(self, setup: TrialSetup) -> list[Fact]:
        """Play the games and return what they show."""
        return list(self.run(setup).facts)

    def run(self, setup: TrialSetup) -> TrialRun:
        """Play the games of every seed; after Ctrl-C, raise Interrupted with what was found until then."""
        samples: list[Sample] = []
        for seed in setup.seeds(self):
            try:
                samples.append(self._played(setup, seed))
            except Interrupted as stop:
                raise Interrupted(self._found([*samples, stop.result], setup)) from None
        return self._found(samples, setup)

    def _played(self, setup: TrialSetup, seed: int) -> Sample:
        """Play the games of one seed."""
        return self._sample(self.plan(setup.scale, seed), setup)

    def _sample(self, plan: Plan, setup: TrialSetup) -> Sample:
        """Play the games of a plan."""

        def collect(run: Run) -> Sample:
            return sample_of(run, self.MOVES, self.RECORDS)

        return play_plan(plan, collect, setup.db, setup.jobs, setup.progress, play=setup.play)

    def _found(self, samples: Sequence[Sample], setup: TrialSetup) -> TrialRun:
        whole = joined(samples)
        about = self.about(
            games=len(whole.games.numbers), blocks=len(set(whole.games.blocks.tolist())), seeds=whole.seeds,
            runs=whole.runs if setup.db is not None else (), times=whole.times(self.names_in(whole)),
        )  # fmt: skip
        alone = [self.found(sample, setup) for sample in samples] if len(samples) > 1 else []
        return TrialRun(about, self.found(whole, setup), alone, self.why)

    def names_in(self, sample: Sample) -> dict[str, str]:
        """Return the name of each agent by its text."""
        given = {text: name for name, text in written_in_full(getattr(self, "agents", {})).items()}
        return {text: given.get(text, text) for text in sample.games.agents}


def written_in_full(agents: Mapping[str, str]) -> dict[str, str]:
    """Return the texts of named agents as plans write them, by name."""
    return {name: str(parse(text)) for name, text in agents.items()}
