"""Fit a network to data. Runs on a machine with nothing but Python and NumPy, or JAX: `python -m kibitz.learn.fit`."""

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, fields, replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.core.errors import BadValue, KibitzError
from kibitz.core.user_files import write_bytes
from kibitz.learn.data_file import Data, read_data
from kibitz.learn.fit_metrics import FitMetrics
from kibitz.learn.fit_options import FitOptions
from kibitz.learn.fitting import Epoch, Fitted, fit
from kibitz.learn.samples import joined
from kibitz.networks.network_file import (
    MOST_LAYERS,
    MOST_UNITS,
    About,
    Layers,
    Network,
    as_bytes,
    checked,
    new_network,
    read_network,
)

METHOD = "fit"
HIDDEN = (64,)
RESULT = 0.5  # the part that what came of a game has in its targets


@dataclass(frozen=True)
class FitTask:
    """What a network is fitted to, and what it begins with."""

    hidden: tuple[int, ...] = HIDDEN
    result: float = RESULT
    policy: bool = True  # fit a policy head, where the game numbers its moves
    start: Network | None = None


def fit_network(
    data: Sequence[Data], settings: FitTask, options: FitOptions, show: Callable[[Epoch], None] = lambda epoch: None
) -> tuple[Network, Fitted]:
    """Fit a network to data, value and policy together; return it with all that was measured."""
    about = _about(data, settings, options)
    samples = joined([part.samples(settings.result) for part in data])
    if not about.moves:
        samples = replace(samples, moves=np.zeros((len(samples), 0), dtype=np.int32), shares=samples.shares[:, :0])
    network = _first(about, settings, options)
    options = replace(options, activation=network.about.activation)
    found = fit(network.layers, samples, options, show)
    trained = {
        "method": METHOD, "options": asdict(options), "result": settings.result, "by": found.by,
        "data": [{"agent": part.about.agent, "positions": len(part), **part.about.made} for part in data],
        "start": settings.start.digest if settings.start else "", "epochs": len(found.epochs), "best": found.best,
        "train": _plain(found.train), "held": _plain(found.held),
    }  # fmt: skip
    fitted = Network(replace(network.about, trained=trained), found.layers)
    return checked(fitted, "the fitted network"), found


def _about(data: Sequence[Data], settings: FitTask, options: FitOptions) -> About:
    """Return what a network for data is for."""
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
        first.sides, first.moves if settings.policy else 0, first.numbering if settings.policy else "",
    )  # fmt: skip


def _first(about: About, settings: FitTask, options: FitOptions) -> Network:
    """Return the network to begin with: the given one, with a policy head if it has none, or a new one."""
    start = settings.start
    if start is None:
        if not all(1 <= units <= MOST_UNITS for units in settings.hidden) or len(settings.hidden) >= MOST_LAYERS:
            raise BadValue(f"hidden layers {settings.hidden}: each has 1 to {MOST_UNITS} units, and they are few")
        return new_network(about, settings.hidden, options.seed)
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
    """Return a network with a policy head that takes all moves for equal, if it has none yet."""
    if network.about.moves:
        return network
    weights, biases = network.layers[-1]
    wider = np.pad(weights, ((0, 0), (0, moves))), np.pad(biases, (0, moves))
    layers: Layers = (*network.layers[:-1], wider)
    return Network(replace(network.about, moves=moves, numbering=numbering), layers)


def _plain(measures: FitMetrics | None) -> dict[str, Any] | None:
    """Return measures as JSON can hold them."""
    if measures is None:
        return None
    return {name: None if number != number else round(number, 5) for name, number in asdict(measures).items()}


def epoch_line(epoch: Epoch, of: int) -> str:
    """Return an epoch in a line."""
    held = "" if epoch.held is None else f"; held out: {measures_text(epoch.held)}"
    return f"epoch {epoch.number} of {of}, {epoch.seconds:.0f} s: error {epoch.error:.4f}{held}"


def measures_text(found: FitMetrics) -> str:
    """Return measures in words; nothing of a head that is not there."""
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
    """Return what was measured, a line each."""
    held = [f"held out: {measures_text(found.held)}"] if found.held else []
    head = f"{out}: epoch {found.best} of {len(found.epochs)}, {found.epochs[-1].seconds:.0f} s by {found.by}"
    return [head, f"learnt from: {measures_text(found.train)}", *held]


def sizes(text: str) -> tuple[int, ...]:
    """Return the sizes of hidden layers that a text names."""
    try:
        return () if text.strip() == "0" else tuple(int(word) for word in text.split(","))
    except ValueError:
        raise BadValue(f"hidden layers are numbers, as in 64 or 64,32, not {text!r}") from None


def fit_files(
    paths: Sequence[Path], out: Path, settings: FitTask, options: FitOptions, show: Callable[[Epoch], None]
) -> Fitted:
    """Fit a network to the data of files, and write it."""
    if out.exists():
        raise BadValue(f"{out} exists already; choose another name or remove it first")
    network, found = fit_network([read_data(path) for path in paths], settings, options, show)
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
        settings = FitTask(sizes(given.hidden), given.result, not given.no_policy, start)
        found = fit_files(
            given.data, given.out, settings, options, lambda epoch: print(epoch_line(epoch, options.epochs), flush=True)
        )
    except KibitzError as error:
        sys.exit(f"kibitz: {error}")
    print(*summary(given.out, found), sep="\n")


if __name__ == "__main__":
    main()
