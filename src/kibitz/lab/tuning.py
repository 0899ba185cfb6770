"""Tuning: numbers in an agent's text are chosen by matches on common seeds, and tested on fresh ones."""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kibitz.arena.match import play_match
from kibitz.arena.plan.plan import Plan, default_seed
from kibitz.arena.results.row import AgentRow, Row
from kibitz.arena.session import preflight
from kibitz.core.errors import BadValue, KibitzError
from kibitz.core.scoring import Scoring
from kibitz.core.seeds import POSITION, derive_seed, secret_seed
from kibitz.core.spec import Spec, parse
from kibitz.games import find

DIGITS = 4  # significant digits of a number that is tried
Progress = Callable[["TuningTrial", int, int], None]  # what was tried, how many tries, of how many


@dataclass(frozen=True)
class Parameter:
    """A number in an agent's text, and its range."""

    path: tuple[str, ...]  # options from outside to inside, such as ("value", "score")
    low: float
    high: float
    whole: bool
    log: bool

    @property
    def name(self) -> str:
        """Its name, such as value.score."""
        return ".".join(self.path)

    @classmethod
    def read(cls, text: str) -> "Parameter":
        """Return a parameter from a text such as value.score=1:1000 or value.score=1:1000:log."""
        name, equals, span = text.partition("=")
        parts = span.split(":")
        kinds = parts[2:]
        try:
            low, high = float(parts[0]), float(parts[1])
        except (ValueError, IndexError):
            low, high = 1.0, 0.0
        if not equals or not name.strip() or not low < high or kinds not in ([], ["log"]) or (kinds and low <= 0):
            raise BadValue(
                f"cannot read {text!r} as a parameter; it is NAME=LOW:HIGH, as in depth=1:4 or value.score=1:1000:log, "
                "where log, for numbers above 0, seeks evenly by factors"
            )
        whole = all(part.strip().lstrip("+-").isdigit() for part in parts[:2])
        return cls(tuple(name.strip().split(".")), low, high, whole, bool(kinds))

    def put(self, spec: Spec, number: float) -> Spec:
        """Return an agent's text with this number set."""
        return _put(spec, self.path, Spec(f"{round(number)}" if self.whole else f"{number:.{DIGITS}g}"))


def _put(spec: Spec, path: tuple[str, ...], number: Spec) -> Spec:
    if not path:
        return number
    inner = spec.args.get(path[0])
    if inner is None and len(path) > 1:
        raise BadValue(f"{spec} names no {path[0]}, so {'.'.join(path)} has no place in it; write it out")
    return Spec(spec.name, {**spec.args, path[0]: _put(inner or Spec(""), path[1:], number)})


@dataclass(frozen=True)
class TuningTrial(Row):
    """Numbers that were tried, and the agent's mean payoff with them."""

    numbers: dict[str, float]
    agent: str
    payoff: float


@dataclass(frozen=True)
class TuningResult(Row):
    """The result of tuning: the best numbers, and a match against the original agent on fresh deals."""

    game: str
    scoring: Scoring
    agent: str
    best: TuningTrial
    tries: tuple[TuningTrial, ...]
    games: int  # in each match
    tuned: AgentRow
    before: AgentRow
    notes: tuple[str, ...]


def tune(
    game_text: str,
    agent: str,
    parameters: Sequence[Parameter],
    against: Sequence[str] = (),
    trials: int = 50,
    games: int = 60,
    seed: int | None = None,
    jobs: int = 1,
    progress: Progress | None = None,
) -> TuningResult:
    """Find the numbers with which an agent earns most against others or, without any, against itself as it is.

    All tries play the same deals, so that only their numbers differ. The payoff of the best of many tries is biased
    upwards, so a match on fresh deals measures the gain. The default seed is 1, or a secret one where a user's own
    programs play a game with secrets.
    """
    game, usual = find(game_text), parse(agent)
    if not parameters:
        raise BadValue("name at least one parameter, as in value.score=1:1000")
    names = [each.name for each in parameters]
    for name in names:
        if names.count(name) > 1:
            raise BadValue(f"parameter {name} is given twice; it has one range")
    rivals = [str(parse(text)) for text in against] or [str(usual)]
    if seed is None:
        seed = default_seed(game, [str(usual), *rivals]) or secret_seed()
    preflight(jobs)
    _optuna()
    scheme = "cross-play" if game.scoring.shared else "rotation"
    for text in (str(usual), str(_with(usual, parameters, [each.low for each in parameters]))):
        for rival in rivals:
            table = [*dict.fromkeys((text, rival))] if game.scoring.shared else [text, rival]
            Plan.make(game, table, scheme=scheme, games=max(games, len(table) * game.seats), seed=seed)
    tries: list[TuningTrial] = []

    def earned(numbers: Mapping[str, float]) -> float:
        spec = _with(usual, parameters, [numbers[each.name] for each in parameters])
        payoff = _payoff(game_text, str(spec), rivals, games, seed, jobs)
        tries.append(TuningTrial(dict(numbers), str(spec), payoff))
        if progress is not None:
            progress(tries[-1], len(tries), trials)
        return payoff

    _seek(earned, parameters, trials, seed, _numbers_in(usual, parameters))
    best = max(tries, key=lambda found: found.payoff)
    shown = play_match(game_text, [best.agent, str(usual)], 2 * games, derive_seed(seed, POSITION), jobs)
    tuned, before = shown.agents[0], shown.agents[-1]  # the same row if nothing better was found
    return TuningResult(
        game_text, game.scoring, str(usual), best, tuple(tries), shown.games, tuned, before, shown.notes
    )


def _payoff(game: str, agent: str, rivals: Sequence[str], games: int, seed: int, jobs: int) -> float:
    """Return the mean payoff of an agent against rivals, or together with them where all seats earn the same.

    If it has no rival but itself, that is an equal share, or what it scores with copies of itself.
    """
    rules = find(game)
    others = [rival for rival in rivals if rival != agent]
    if rules.scoring.shared:
        played = play_match(rules, [agent, *others], games, seed, jobs).teams[0]
        parts = (played.cross_play if others else played.self_play,)
        return sum(part.mean_payoff for part in parts if part is not None)
    if not others:
        return rules.scoring.level(rules.seats)[0]
    found = [play_match(rules, [agent, rival], games, seed, jobs).agents[0].mean_payoff for rival in others]
    return sum(found) / len(found)


def _numbers_in(spec: Spec, parameters: Sequence[Parameter]) -> dict[str, float]:
    """Return the numbers in an agent's original text, which are tried first; empty unless all are in range."""
    found = {}
    for parameter in parameters:
        inner: Spec | None = spec
        for name in parameter.path:
            inner = inner.args.get(name) if inner else None
        try:
            found[parameter.name] = float(inner.name) if inner else float("nan")
        except ValueError:
            return {}
        if not parameter.low <= found[parameter.name] <= parameter.high:
            return {}
    return found


def _with(spec: Spec, parameters: Sequence[Parameter], numbers: Sequence[float]) -> Spec:
    for parameter, number in zip(parameters, numbers, strict=True):
        spec = parameter.put(spec, number)
    return spec


def _seek(
    earned: Callable[[Mapping[str, float]], float], parameters: Sequence[Parameter], trials: int, seed: int,
    first: Mapping[str, float],
) -> None:  # fmt: skip
    optuna = _optuna()
    optuna.logging.set_verbosity(logging.WARNING)

    def objective(trial: Any) -> float:
        return earned({each.name: _suggested(trial, each) for each in parameters})

    study = optuna.create_study(direction="maximize", sampler=optuna.samplers.TPESampler(seed=seed % 2**32))
    if first:
        study.enqueue_trial(dict(first))
    study.optimize(objective, n_trials=trials)


def _optuna() -> Any:
    try:
        import optuna
    except ImportError:
        raise KibitzError("tuning needs Optuna; install it with: pip install 'kibitz[tune]'") from None
    return optuna


def _suggested(trial: Any, parameter: Parameter) -> float:
    if parameter.whole:
        return int(trial.suggest_int(parameter.name, int(parameter.low), int(parameter.high), log=parameter.log))
    return float(trial.suggest_float(parameter.name, parameter.low, parameter.high, log=parameter.log))
