"""Networks of a game: `net(file)` as a value, a policy and an order, and what features.py declares."""

from pathlib import Path
from typing import Any

import numpy as np

from kibitz.core.address import Native
from kibitz.core.errors import BadValue
from kibitz.core.game import Game
from kibitz.core.heuristics import BoundHeuristic, ValueProperties
from kibitz.core.native import INTERPRETED
from kibitz.core.options import Option, read_options
from kibitz.core.spec import Spec
from kibitz.core.user_files import is_network_path
from kibitz.networks.encoding import Actions, Encoding, Numbering, Symmetry
from kibitz.networks.inference import (
    ENCODER,
    LISTING,
    MOST_CHOICES,
    NUMBERING,
    pack,
    policy_by_network,
    set_policy,
    value_by_network,
)
from kibitz.networks.network_file import Network, read_network

NET = "net"  # the name of the value, policy and order by network
NET_OPTIONS = {"file": Option("champion", "a network that comes with the game, or the path of one")}
NET_POLICY_OPTIONS = {
    **NET_OPTIONS,
    "temperature": Option(
        1.0, "how much chance there is in the choice; 0: the move that the network finds best", 0, 100
    ),
}
_FEATURES = "features"  # the file of a game


def encodings(game: Game) -> dict[str, Encoding]:
    """Return a game's encodings by name."""
    return game.members(_FEATURES, Encoding)


def numberings(game: Game) -> dict[str, Numbering]:
    """Return a game's numberings of moves by name; a new network uses the first."""
    return game.members(_FEATURES, Numbering)


def actions(game: Game) -> dict[str, Actions]:
    """Return a game's actions of networks by name."""
    return game.members(_FEATURES, Actions)


def symmetry(game: Game) -> Symmetry | None:
    """Return the symmetry of a game's seats, if it declares one."""
    return next(iter(game.members(_FEATURES, Symmetry).values()), None)


def networks(game: Game) -> dict[str, Path]:
    """Return the files of the networks that come with a game, by name."""
    return {path.stem: path for path in sorted((game.folder / "nets").glob("*.npz"))}


def network(game: Game, name: str) -> Network:
    """Read a network that fits a game: one that comes with it, by name, or any by the path of its file."""
    if is_network_path(name):
        return _fitting(game, read_network(Path(name)), name)
    known = networks(game)
    if name not in known:
        raise BadValue(
            f"{game.name} has no network {name!r}; those that come with it: {', '.join(known) or 'none'}; a file is "
            f"named by its path, as in net(./mine.npz)"
        )
    return _fitting(game, read_network(known[name]), name)


def network_of(game: Game, spec: Spec) -> Network:
    """Return the network that a text such as net(file) names."""
    return network(game, read_options(NET, NET_OPTIONS, spec)["file"])


def value_of(game: Game, network: Network, text: str = NET) -> BoundHeuristic:
    """Return a network that fits a game as a value: the probability that each seat wins."""
    if network.about.actions:
        raise BadValue(
            f"{text} only chooses among {network.about.actions}: it plays as imitation(…), and judges no positions"
        )
    entries = (0, value_by_network.handle, 0)
    handle = entries if INTERPRETED else np.array(entries, dtype=np.int64)
    properties = ValueProperties(positive=True, total=1.0, unit="wins", chances=True)
    calls = functions_of(game, network)
    return BoundHeuristic(text, handle, packed(game, network), properties, native=value_by_network, calls=calls)


def packed(game: Game, network: Network) -> np.ndarray:
    """Return a network that fits a game as compiled code takes it."""
    about = network.about
    return pack(network, encodings(game)[about.encoding], game.cells["SEAT"], numberings(game).get(about.numbering))


def functions_of(game: Game, network: Network) -> dict[int, Native]:
    """Return the functions that a packed network calls, by the places of their addresses."""
    about = network.about
    found = {ENCODER: encodings(game)[about.encoding], NUMBERING: numberings(game).get(about.numbering)}
    return {place: function for place, function in found.items() if function is not None}


def policy_head(game: Game, file: str) -> np.ndarray:
    """Return a network with a policy head, as compiled code takes it, by its name or path."""
    return packed(game, _with_head(game, file))


def _with_head(game: Game, file: str) -> Network:
    found = network(game, file)
    if not found.about.moves:
        raise BadValue(f"the network {file} says nothing of moves: it has no policy head")
    if game.most_moves > MOST_CHOICES:
        raise BadValue(f"{game.name} has up to {game.most_moves} moves; networks weigh at most {MOST_CHOICES}")
    return found


def value(game: Game, spec: Spec) -> BoundHeuristic:
    """Return net(file) as a value."""
    return value_of(game, network_of(game, spec), str(spec))


def policy(game: Game, spec: Spec) -> BoundHeuristic:
    """Return net(file, temperature) as a policy that chooses by the network's policy head."""
    chosen: dict[str, Any] = read_options(NET, NET_POLICY_OPTIONS, spec)
    found, lister = _with_head(game, chosen["file"]), game.rule("moves")
    head, calls = packed(game, found), {**functions_of(game, found), LISTING: lister}
    set_policy(head, lister, chosen["temperature"])
    handle, nothing = policy_by_network.handle, ValueProperties()
    return BoundHeuristic(str(spec), handle, head, nothing, native=policy_by_network, calls=calls)


def order(game: Game, spec: Spec) -> BoundHeuristic:
    """Return net(file) as an order: handle 0, and the network in place of the weights."""
    head = policy_head(game, read_options(NET, NET_OPTIONS, spec)["file"])
    return BoundHeuristic(str(spec), 0, head, ValueProperties())


def _fitting(game: Game, found: Network, name: str) -> Network:
    wrong = _misfit(game, found)
    if wrong:
        raise BadValue(f"the network {name} {wrong}")
    return found


def _misfit(game: Game, found: Network) -> str:
    """Return why a network does not fit a game; empty if it does."""
    about, own, known = found.about, Path(game.name).name, encodings(game)
    if (about.game, about.version) != (own, game.version):
        return f"is for {about.game}, version {about.version}, and this is {own}, version {game.version}"
    if about.seats != game.seats:
        return f"is for {about.seats} seats, and {game} has {game.seats}"
    if about.encoding not in known:
        return f"is shown positions by the encoding {about.encoding!r}; those of {own}: {', '.join(known) or 'none'}"
    if about.inputs != known[about.encoding].length:
        length = known[about.encoding].length
        return f"has {about.inputs} inputs, and the encoding {about.encoding} has {length}"
    if about.moves not in (0, game.moves_below or 0):
        return f"knows {about.moves} moves, and {own} has {game.moves_below or 'no numbers for all of them'}"
    if about.numbering and about.numbering not in numberings(game):
        listed = ", ".join(numberings(game)) or "none"
        return f"numbers moves by {about.numbering!r}; the numberings of {own}: {listed}"
    return _misfit_of_actions(game, found) if about.actions else ""


def _misfit_of_actions(game: Game, found: Network) -> str:
    name, known = found.about.actions, actions(game)
    if name not in known:
        return f"chooses among {name!r}; {Path(game.name).name} knows {', '.join(known) or 'no such actions'}"
    units, length = found.layers[-1][1].size, known[name].length
    return f"has {units} units for {name}, which are {length}" if units != length else ""
