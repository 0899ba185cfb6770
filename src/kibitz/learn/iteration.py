"""Expert iteration: a search plays by a network, a new network is fitted to what it found, and is kept if it is better.

All that a round makes lies in a folder beside the network: the data, the candidate, the games of the gate, and what
was measured. A run that was killed goes on from there.
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
from kibitz.learn.data_generation import gather, usual_gathering
from kibitz.learn.fit import FitTask, epoch_line, fit_network
from kibitz.learn.fit_options import FitOptions
from kibitz.learn.resume_check import check_same, plain_game
from kibitz.learn.strength import strength
from kibitz.networks.net import value_of
from kibitz.networks.network_file import Network, as_bytes, read_network

STRENGTH_GAMES = 240
OPENING = 6  # random plies before the strength alone is measured
_ROUND, _MEETING, _GATE = range(20, 23)  # numbers of streams
_ANEW = "choose another name for new rounds, or remove the folder to begin anew"
Show = Callable[[str], None]


@dataclass(frozen=True)
class IterationOptions:
    """How rounds are played; a run goes on only with the same."""

    agent: str  # the search, which takes the network as its value and, if it can, as its prior
    games: int = 200  # of self-play in a round
    window: int = 4  # rounds whose data a network is fitted to
    hidden: tuple[int, ...] = (64,)  # of a first network
    result: float = 0.5  # see data_file.py
    epochs: int = 20
    rate: float = 0.001
    better: float = 0.05  # what the sequential test looks for: so much more than its share
    gate_games: int = 400  # at most; what is undecided then is not kept
    openings: int = 6
    seed: int = 1
    start: str = ""  # the digest of the first network


@dataclass(frozen=True)
class IterationRound:
    """What a round came to."""

    round: int
    positions: int  # of self-play in the round
    agreement: float  # with the search, on games that were held out
    policy_entropy: float
    least_entropy: float
    value_entropy: float
    alone: float  # what one seat earns that looks a move ahead by the network, against the game's usual value
    in_search: float  # what the search with it earned against the search with the network before
    games: int  # in which it did so
    call: str  # what the sequential test said

    @property
    def kept(self) -> bool:
        """Whether the network took the place of the one before."""
        return self.call == Call.BETTER

    def __str__(self) -> str:
        verdict = "kept" if self.kept else "not kept"
        return (
            f"round {self.round}: {self.positions:,} positions; agreement {self.agreement:.1%}, policy cross-entropy "
            f"{self.policy_entropy:.3f} (least {self.least_entropy:.3f}), value {self.value_entropy:.3f}; alone "
            f"{self.alone:.2f}, in the search {self.in_search:.3f} in {self.games:,} games: {self.call}, {verdict}"
        )


def searching(agent: str, network: Network | None, path: Path) -> str:
    """Return the text of a search that uses a network: as its value, and as its prior where both allow that."""
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
    """Play rounds until there are so many, and yield what each came to; those that are there already are not played."""
    run = _Iterating(game, how, out, start, jobs, show)
    while len(run.steps) < rounds:
        yield run.round()


class _Iterating:
    """The rounds so far, and the network that was kept last."""

    def __init__(self, game: Game, how: IterationOptions, out: Path, start: Network | None, jobs: int, show: Show):
        self.game, self.how, self.out, self.jobs, self.show = game, how, out, jobs, show
        self.folder = out.with_suffix(".rounds")
        build(searching(how.agent, None, out), game, 1)  # refuses what does not fit, as does the next
        usual_gathering(game)
        self.steps = self._begun(start)

    def _begun(self, start: Network | None) -> list[IterationRound]:
        """Return the rounds that an earlier run has finished; begin anew where there is none."""
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
        """Return the network that was kept last; at first, the one to begin with, if there is one."""
        number = next((step.round for step in reversed(self.steps) if step.kept), 0)
        path = self._kept(number)
        return (read_network(path) if number or path.exists() else None), path

    def round(self) -> IterationRound:
        """Play, fit, measure and decide."""
        number = len(self.steps) + 1
        current, path = self._current()
        before = searching(self.how.agent, current, path)
        data = self._data(number, before)
        network = self._fitted(number, data, current)
        step = self._judged(number, len(data[-1]), network, before)
        if step.kept:
            write_bytes(self.out, as_bytes(network))
        self.steps.append(step)
        self._save(self.steps)
        return step

    def _data(self, number: int, agent: str) -> list[Data]:
        """Gather the data of a round, and return it with that of the rounds before, as far as they count."""
        how = self.how
        gathering = usual_gathering(
            self.game, agent=agent, openings=how.openings, seed=derive_seed(how.seed, LEARN, _ROUND, number)
        )  # fmt: skip
        run = gather(self.game, gathering, how.games, self.folder / f"data-{number}.npz", self.jobs)
        for progress in run:
            self.show(f"round {number}, play: {progress}")
        first = max(1, number - how.window + 1)
        return [read_data(self.folder / f"data-{at}.npz") for at in range(first, number + 1)]

    def _fitted(self, number: int, data: list[Data], current: Network | None) -> Network:
        """Fit a network to data; one that an earlier run has fitted is read."""
        path, how = self._kept(number), self.how
        if path.exists():
            return read_network(path)
        options = FitOptions(epochs=how.epochs, rate=how.rate, seed=number)
        settings = FitTask(how.hidden, how.result, start=current)
        network, _ = fit_network(
            data, settings, options, lambda epoch: self.show(f"round {number}, {epoch_line(epoch, how.epochs)}")
        )
        write_bytes(path, as_bytes(network))
        return network

    def _judged(self, number: int, positions: int, network: Network, before: str) -> IterationRound:
        """Let the search with the new network meet the search as it was."""
        how, game = self.how, self.game
        hero = searching(how.agent, network, self._kept(number))
        seed = derive_seed(how.seed, LEARN, _GATE, number)
        plan = Plan.make(
            game, [hero, before], hero=hero, games=how.gate_games, seed=seed,
            stop={"better": how.better, "games": how.gate_games},
        )  # fmt: skip
        self.show(f"round {number}, gate: at most {plan.planned:,} games")
        result = play_tournament(plan, self.folder / "gates.db", self.jobs)
        row = next(row for row in result.standings if row.agent == plan.agents[0])
        value, usual = value_of(game, network), game.value(game.usual_value)
        alone = strength(game, value, usual, STRENGTH_GAMES, OPENING, derive_seed(how.seed, LEARN, _MEETING, number))
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
    """Return data as a file of JSON gives it back."""
    found: dict[str, Any] = json.loads(json.dumps(told))
    return found


def _read_rounds(path: Path) -> dict[str, Any]:
    """Return what a file says of the rounds so far; what makes no sense there is a BadValue."""
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
    """Return whether plain data is what a round came to."""
    kinds = {name: (int, float) if kind is float else kind for name, kind in get_type_hints(IterationRound).items()}
    return isinstance(told, dict) and {*told} == {*kinds} and all(isinstance(told[name], kinds[name]) for name in kinds)
