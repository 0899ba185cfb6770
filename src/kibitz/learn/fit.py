"""Fit a network to data. Runs on a machine with nothing but Python and NumPy, or JAX: `python -m kibitz.learn.fit`."""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields, replace
from itertools import combinations
from pathlib import Path

import numpy as np

from kibitz.core.errors import BadValue, KibitzError
from kibitz.core.user_files import write_bytes
from kibitz.learn.data_file import Data, read_data
from kibitz.learn.fit_metrics import FitMetrics
from kibitz.learn.fit_options import FitOptions, check_hidden, hidden_layers
from kibitz.learn.fitting import Epoch, Fitted, Show, fit
from kibitz.learn.samples import concatenated
from kibitz.networks.network_file import About, Layers, Network, as_bytes, checked, new_network, read_network

METHOD = "fit"
HIDDEN = (64,)
RESULT = 0.5  # the share of the game's result in the targets of the value head


@dataclass(frozen=True)
class FitTask:
    """What a network is fitted to, and what it starts from."""

    hidden: tuple[int, ...] = HIDDEN
    result: float = RESULT
    policy: bool = True  # fit a policy head, where the game numbers its moves
    start: Network | None = None


def fit_network(
    data: Sequence[Data], task: FitTask, options: FitOptions, show: Show = lambda epoch: None
) -> tuple[Network, Fitted]:
    """Fit a network to data, value and policy together; return it with its metrics."""
    about = _about(data, task, options)
    samples = concatenated([part.samples(task.result) for part in data])
    if not about.moves:
        samples = samples.without_policy()
    network = _initial(about, task, options)
    options = replace(options, activation=network.about.activation)
    found = fit(network.layers, samples, options, show)
    trained = {
        "method": METHOD, "options": asdict(options), "result": task.result, "by": found.by,
        "data": [{"agent": part.about.agent, "positions": len(part), **part.about.made} for part in data],
        "start": task.start.digest if task.start else "", "epochs": len(found.epochs), "best": found.best,
        "train": _plain(found.train), "held": _plain(found.held),
    }  # fmt: skip
    fitted = Network(replace(network.about, trained=trained), found.layers)
    return checked(fitted, "the fitted network"), found


def _about(data: Sequence[Data], task: FitTask, options: FitOptions) -> About:
    """Return the description of a network for data."""
    if not data or not sum(map(len, data)):
        raise BadValue("there is no position to learn from")
    if any(one.repeats(other) for one, other in combinations(data, 2)):
        raise BadValue("the same games are given twice, so that what is held out would be learnt from too")
    first = data[0].about
    for part in data[1:]:
        name = first.differs(part.about)
        if name:
            ours, theirs = getattr(first, name), getattr(part.about, name)
            raise BadValue(
                f"data of different kinds cannot be used together: {name} is {ours} in one, {theirs} in another"
            )
    return About(
        first.game, first.version, first.options, first.seats, first.encoding, first.length, options.activation,
        first.sides, first.moves if task.policy else 0, first.numbering if task.policy else "",
    )  # fmt: skip


def _initial(about: About, task: FitTask, options: FitOptions) -> Network:
    """Return the initial network: the given one, with a policy head if it has none, or a new one."""
    start = task.start
    if start is None:
        check_hidden(task.hidden)
        return new_network(about, task.hidden, options.seed)
    for name in ("game", "version", "seats", "encoding", "inputs", "sides"):
        ours, theirs = getattr(about, name), getattr(start.about, name)
        if ours != theirs:
            raise BadValue(f"the network to begin with does not fit the data: its {name} is {theirs}, not {ours}")
    if not about.moves:
        return start
    if start.about.moves and start.about.numbering != about.numbering:
        raise BadValue("the network to begin with does not fit the data: its moves are numbered in another way")
    return with_policy_head(start, about.moves, about.numbering)


def with_policy_head(network: Network, moves: int, numbering: str = "") -> Network:
    """Return a network with a policy head; a new head gives all moves the same probability."""
    if network.about.moves:
        return network
    weights, biases = network.layers[-1]
    wider = np.pad(weights, ((0, 0), (0, moves))), np.pad(biases, (0, moves))
    layers: Layers = (*network.layers[:-1], wider)
    return Network(replace(network.about, moves=moves, numbering=numbering), layers)


def _plain(metrics: FitMetrics | None) -> dict[str, float | None] | None:
    """Return metrics as JSON can hold them."""
    if metrics is None:
        return None
    return {name: None if number != number else round(number, 5) for name, number in asdict(metrics).items()}


def epoch_line(epoch: Epoch, of: int) -> str:
    """Return an epoch in a line."""
    held = "" if epoch.held is None else f"; held out: {metrics_text(epoch.held)}"
    return f"epoch {epoch.number} of {of}, {epoch.seconds:.0f} s: error {epoch.error:.4f}{held}"


def metrics_text(found: FitMetrics) -> str:
    """Return metrics in words, without those of a head that is missing."""
    words = [f"{found.positions:,} positions"]
    if found.value_entropy == found.value_entropy:
        words += [f"value cross-entropy {found.value_entropy:.4f}"]
    if found.agreement == found.agreement:
        words += [
            f"policy cross-entropy {found.policy_entropy:.4f} (least {found.least_entropy:.4f})",
            f"agreement {found.agreement:.1%}",
            f"legal {found.legal:.1%}",
        ]
    return ", ".join(words)


def summary(out: Path, found: Fitted) -> list[str]:
    """Return the metrics of a fitted network, a line each."""
    held = [f"held out: {metrics_text(found.held)}"] if found.held else []
    head = f"{out}: epoch {found.best} of {len(found.epochs)}, {found.epochs[-1].seconds:.0f} s by {found.by}"
    return [head, f"learnt from: {metrics_text(found.train)}", *held]


def fit_files(paths: Sequence[Path], out: Path, task: FitTask, options: FitOptions, show: Show) -> Fitted:
    """Fit a network to the data of files, and write it."""
    if out.exists():
        raise BadValue(f"{out} exists already; choose another name or remove it first")
    network, found = fit_network([read_data(path) for path in paths], task, options, show)
    write_bytes(out, as_bytes(network))
    return found


def _read(words: Sequence[str] | None) -> argparse.Namespace:
    usual = FitOptions()
    parser = argparse.ArgumentParser(prog="python -m kibitz.learn.fit", description=__doc__)
    parser.add_argument("data", nargs="+", type=Path)
    parser.add_argument("--out", required=True, type=Path)
    parser.add_argument("--start", type=Path, help="the file of a network to begin with")
    parser.add_argument("--hidden", default="64")
    parser.add_argument("--result", type=float, default=RESULT)
    parser.add_argument("--no-policy", action="store_true")
    for entry in fields(FitOptions):
        kind = type(getattr(usual, entry.name))
        parser.add_argument(f"--{entry.name.replace('_', '-')}", type=kind, default=getattr(usual, entry.name))
    return parser.parse_args(words)


def main(words: Sequence[str] | None = None) -> None:
    """Fit as the command line says."""
    given = _read(words)
    try:
        options = FitOptions(**{entry.name: getattr(given, entry.name) for entry in fields(FitOptions)})
        start = read_network(given.start) if given.start else None
        task = FitTask(hidden_layers(given.hidden), given.result, not given.no_policy, start)
        found = fit_files(
            given.data, given.out, task, options, lambda epoch: print(epoch_line(epoch, options.epochs), flush=True)
        )
    except KibitzError as error:
        sys.exit(f"kibitz: {error}")
    print(*summary(given.out, found), sep="\n")


if __name__ == "__main__":
    main()
