"""Expert iteration: a search plays with a network, a new network is fitted to its data, and is kept if it is better.

A folder beside the network holds the data, the candidate, the gating games and the measurements of every round. A
killed run resumes from there.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, get_type_hints

from kibitz.agents import build
from kibitz.arena.plan.plan import Plan
from kibitz.arena.results.statistics.stopping import Call
from kibitz.arena.tournament import play_tournament
from kibitz.core.errors import BadValue
from kibitz.core.game import Game
from kibitz.core.seeds import LEARN, derive_seed
from kibitz.core.spec import Spec, parse
from kibitz.core.user_files import check_writable, write_bytes
from kibitz.learn.data_file import Data, read_data
from kibitz.learn.data_generation import default_data_options, generate
from kibitz.learn.fit import FitTask, epoch_line, fit_network
from kibitz.learn.fit_options import FitOptions
from kibitz.learn.resume_check import check_same, plain_game
from kibitz.learn.strength import strength
from kibitz.networks.net import value_of
from kibitz.networks.network_file import Network, as_bytes, read_network

STRENGTH_GAMES = 240
OPENING = 6  # random plies when the strength without search is measured
_ROUND, _STRENGTH, _GATE = range(20, 23)  # numbers of random streams
_ANEW = "choose another name for new rounds, or remove the folder to begin anew"
Show = Callable[[str], None]


@dataclass(frozen=True)
class IterationOptions:
    """How rounds are played; a run resumes only with the same options."""

    agent: str  # the search; the network is its value and, if it takes one, its prior
    games: int = 200  # of self-play in a round
    window: int = 4  # rounds of the replay window: a network is fitted to their data
    hidden: tuple[int, ...] = (64,)  # layers of the first network
    result: float = 0.5  # see data_file.py
    epochs: int = 20
    rate: float = 0.001
    better: float = 0.05  # the gain in payoff over an even share that the sequential test looks for
    gate_games: int = 400  # at most; a network that is undecided then is not kept
    openings: int = 6
    seed: int = 1
    start: str = ""  # the digest of the first network


@dataclass(frozen=True)
class IterationRound:
    """The measurements of a round."""

    round: int
    positions: int  # of self-play in the round
    agreement: float  # with the search, on held-out games
    policy_entropy: float
    least_entropy: float
    value_entropy: float
    alone: float  # the payoff of one seat that searches one move ahead by the network, against the usual value
    in_search: float  # the payoff of the search with it against the search with the network before
    games: int  # of that match
    call: str  # of the sequential test

    @property
    def kept(self) -> bool:
        """Whether the network replaced the one before."""
        return self.call == Call.BETTER

    def __str__(self) -> str:
        verdict = "kept" if self.kept else "not kept"
        return (
            f"round {self.round}: {self.positions:,} positions; agreement {self.agreement:.1%}, policy cross-entropy "
            f"{self.policy_entropy:.3f} (least {self.least_entropy:.3f}), value {self.value_entropy:.3f}; alone "
            f"{self.alone:.2f}, in the search {self.in_search:.3f} in {self.games:,} games: {self.call}, {verdict}"
        )


def search_with_network(agent: str, network: Network | None, path: Path) -> str:
    """Return the text of a search that uses a network as its value and, if both allow it, as its prior."""
    spec = parse(agent)
    taken = [name for name in ("value", "prior") if name in spec.args]
    if taken:
        raise BadValue(f"{agent} names a {taken[0]}, and that is to be the network that learns")
    if network is None:
        return str(spec)
    net = Spec("net", {"0": Spec(str(path.resolve()))})
    prior = {"prior": net} if spec.name == "mcts" and network.about.moves else {}
    return str(Spec(spec.name, {**spec.args, "value": net, **prior}))


def iterate(
    game: Game, how: IterationOptions, rounds: int, out: Path, start: Network | None = None, jobs: int = 1,
    show: Show = lambda text: None,
) -> Iterator[IterationRound]:  # fmt: skip
    """Play rounds until there are `rounds` of them, those of an earlier run included; yield each new one."""
    run = _Iteration(game, how, out, start, jobs, show)
    while len(run.steps) < rounds:
        yield run.round()


class _Iteration:
    """The rounds so far, and the files that they are kept in."""

    def __init__(self, game: Game, how: IterationOptions, out: Path, start: Network | None, jobs: int, show: Show):
        self.game, self.how, self.out, self.jobs, self.show = game, how, out, jobs, show
        self.folder = out.with_suffix(".rounds")
        build(search_with_network(how.agent, None, out), game, 1)  # refuses an agent that does not fit
        default_data_options(game)  # refuses a game without an encoding
        self.steps = self._begun(start)

    def _begun(self, start: Network | None) -> list[IterationRound]:
        """Return the rounds of an earlier run; start a new run if there is none."""
        state = self.folder / "rounds.json"
        if not state.exists():
            check_writable(self.out)
            self.folder.mkdir(parents=True, exist_ok=True)
            if start is not None:
                write_bytes(self._kept(0), as_bytes(start))
            self._save([])
            return []
        told = _read_rounds(state)
        check_same(self.folder, told["game"], _plain(plain_game(self.game)), "new rounds")
        check_same(self.folder, told["how"], _plain(asdict(self.how)), "new rounds")
        return [IterationRound(**step) for step in told["steps"]]

    def _save(self, steps: list[IterationRound]) -> None:
        told = {"game": plain_game(self.game), "how": asdict(self.how), "steps": [asdict(step) for step in steps]}
        write_bytes(self.folder / "rounds.json", json.dumps(told, indent=1).encode())

    def _kept(self, number: int) -> Path:
        """Return the file of the network of a round."""
        return self.folder / f"net-{number}.npz"

    def _current(self) -> tuple[Network | None, Path]:
        """Return the network that was kept last; before any was, the initial network, if there is one."""
        number = next((step.round for step in reversed(self.steps) if step.kept), 0)
        path = self._kept(number)
        return (read_network(path) if number or path.exists() else None), path

    def round(self) -> IterationRound:
        """Play, fit, measure and decide."""
        number = len(self.steps) + 1
        current, path = self._current()
        before = search_with_network(self.how.agent, current, path)
        data = self._data(number, before)
        network = self._fitted(number, data, current)
        step = self._judged(number, len(data[-1]), network, before)
        if step.kept:
            write_bytes(self.out, as_bytes(network))
        self.steps.append(step)
        self._save(self.steps)
        return step

    def _data(self, number: int, agent: str) -> list[Data]:
        """Generate the data of a round, and return the data of all rounds in the window."""
        how = self.how
        options = default_data_options(
            self.game, agent=agent, openings=how.openings, seed=derive_seed(how.seed, LEARN, _ROUND, number)
        )  # fmt: skip
        run = generate(self.game, options, how.games, self.folder / f"data-{number}.npz", self.jobs)
        for progress in run:
            self.show(f"round {number}, play: {progress}")
        first = max(1, number - how.window + 1)
        return [read_data(self.folder / f"data-{at}.npz") for at in range(first, number + 1)]

    def _fitted(self, number: int, data: list[Data], current: Network | None) -> Network:
        """Fit a network to data, or read the one that an earlier run has fitted."""
        path, how = self._kept(number), self.how
        if path.exists():
            return read_network(path)
        options = FitOptions(epochs=how.epochs, rate=how.rate, seed=number)
        task = FitTask(how.hidden, how.result, start=current)
        network, _ = fit_network(
            data, task, options, lambda epoch: self.show(f"round {number}, {epoch_line(epoch, how.epochs)}")
        )
        write_bytes(path, as_bytes(network))
        return network

    def _judged(self, number: int, positions: int, network: Network, before: str) -> IterationRound:
        """Let the search with the new network play the search with the one before; return the measurements."""
        how, game = self.how, self.game
        hero = search_with_network(how.agent, network, self._kept(number))
        seed = derive_seed(how.seed, LEARN, _GATE, number)
        plan = Plan.make(
            game, [hero, before], hero=hero, games=how.gate_games, seed=seed,
            stop={"better": how.better * game.scoring.span, "games": how.gate_games},
        )  # fmt: skip
        self.show(f"round {number}, gate: at most {plan.planned:,} games")
        result = play_tournament(plan, self.folder / "gates.db", self.jobs)
        row = next(row for row in result.standings if row.agent == plan.agents[0])
        value, usual = value_of(game, network), game.value(game.usual_value)
        alone = strength(game, value, usual, STRENGTH_GAMES, OPENING, derive_seed(how.seed, LEARN, _STRENGTH, number))
        held: dict[str, Any] = network.about.trained["held"] or network.about.trained["train"]
        measured = {
            name: held[name] if held[name] is not None else float("nan")
            for name in ("agreement", "policy_entropy", "least_entropy", "value_entropy")
        }
        assert result.stop is not None
        return IterationRound(
            round=number, positions=positions, **measured, alone=round(alone, 4), in_search=round(row.mean_payoff, 4),
            games=result.played, call=result.stop.call,
        )  # fmt: skip


def _plain(told: dict[str, Any]) -> dict[str, Any]:
    """Return data as it is read back from JSON."""
    found: dict[str, Any] = json.loads(json.dumps(told))
    return found


def _read_rounds(path: Path) -> dict[str, Any]:
    """Return the rounds in a file; refuse a damaged one."""
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        told = None
    parts = {"game": dict, "how": dict, "steps": list}
    if not isinstance(told, dict) or any(not isinstance(told.get(name), kind) for name, kind in parts.items()):
        raise BadValue(f"{path} is damaged: it does not say of which game and how rounds were played; {_ANEW}")
    for number, step in enumerate(told["steps"], 1):
        if not _is_step(step) or step["round"] != number:
            raise BadValue(f"{path} is damaged: it does not say what round {number} came to; {_ANEW}")
    return told


def _is_step(told: Any) -> bool:
    """Return whether plain data describes a round."""
    kinds = {name: (int, float) if kind is float else kind for name, kind in get_type_hints(IterationRound).items()}
    return isinstance(told, dict) and {*told} == {*kinds} and all(isinstance(told[name], kinds[name]) for name in kinds)
