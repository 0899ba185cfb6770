"""Commands on a card are held against processors and timed: python -m tests.batches.commands_on_card [GAME …].

Matches, balance, perft and decisions of `flat` are made on both devices and compared; then balance plays many games on
the card. It prints a row for each, and exits with 1 if anything differs.
"""

import argparse
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, NamedTuple

from kibitz import games
from kibitz.agents import build
from kibitz.arena.balance import play_balance
from kibitz.arena.match import play_match
from kibitz.batches.card import load_cupy
from kibitz.batches.card_perft import counter_on
from kibitz.core import perft
from kibitz.core.errors import BadValue
from kibitz.core.game import Game
from kibitz.core.table import Table
from kibitz.core.threads import available_threads

OTHERS = [f"./tests/{name}" for name in ("pig", "kuhn", "tricks", "cheating")]
MATCH, BALANCE, PLAYOUTS = 4000, 200_000, 20_000
DEPTHS = {"quarto": 6, "chexers": 6, "cartagena": 5, "colonizers": 8}  # of perft
DEPTH = 4  # … elsewhere
DEVICES = ("cpu", "gpu")
LINE = "{:<12} {:<10} {:<26} {:>14} {:>10.3f} {:>10.3f} {:>8.1f}  {}"


class Compared(NamedTuple):
    """What both devices made of the same work."""

    what: str
    amount: int
    seconds: list[float]  # on processors, then on the card
    equal: bool


def compared(what: str, amount: int, work: Callable[[str], Any]) -> Compared:
    """Do the same work on both devices, the second time with all code loaded."""
    found, seconds = [], []
    for device in DEVICES:
        work(device)
        begun = perf_counter()
        found.append(work(device))
        seconds.append(perf_counter() - begun)
    return Compared(what, amount, seconds, found[0] == found[1])


def matches(game: Game, folder: Path) -> Iterator[Compared]:
    """Play matches of each policy against the random one, with records."""
    for policy in [f"policy({name})" for name in [*game.policies][:2]] or ["random"]:

        def work(device: str, policy: str = policy) -> Any:
            file = folder / f"{device}.jsonl"
            file.unlink(missing_ok=True)
            agents = [policy, *["random"] * (game.seats - 1)]
            result = play_match(game, agents, MATCH, 1, available_threads(), save=file, device=device)
            return replace(result, seconds=0), file.read_bytes()

        yield compared(f"match {policy}", MATCH, work)


def comparisons(game: Game, folder: Path) -> Iterator[Compared]:
    """Do on both devices whatever commands and agents do there."""
    yield from matches(game, folder)
    for policy in ["random", *(f"policy({name})" for name in game.policies)][:2]:

        def balance(device: str, policy: str = policy) -> Any:
            return replace(play_balance(game, policy, BALANCE, 1, available_threads(), device=device), seconds=0)

        yield compared(f"balance {policy}", BALANCE, balance)
    start, depth = perft.start_of(Table(game, 1)), DEPTHS.get(game.name, DEPTH)
    paths = perft.perft(start, depth)
    yield compared(f"perft {depth}", paths, lambda device: perft.perft(start, depth, counter_on(device, game)))
    table = Table(game, 1)
    count = len(table.moves()) * PLAYOUTS

    def decide(device: str) -> Any:
        how = "device=gpu" if device == "gpu" else "apart=true"
        return build(f"flat(playouts={PLAYOUTS}, {how})", game, 1).decide(table.view(table.turn))

    yield compared(f"flat {PLAYOUTS:,}", count, decide)


def many(game: Game, number: int) -> None:
    """Print how many games of balance a card plays in a second."""
    begun = perf_counter()
    result = play_balance(game, "random", number, 1, device="gpu")
    whole, speed = perf_counter() - begun, number / result.seconds
    print(f"{game}: {number:,} random games in {whole:.1f} s, {speed:,.0f} a second while playing; {result!r}")


def main() -> None:
    """Compare, then time."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=[*games.names(), *OTHERS])
    parser.add_argument("--many", type=int, default=100_000_000, help="games of balance on the card, of Quarto")
    asked = parser.parse_args()
    try:
        load_cupy()
    except BadValue as error:
        sys.exit(f"there is nothing to compare: {error}")
    print("game         work                                 amount   cpu s      card s    times  equal")
    different = 0
    with TemporaryDirectory() as folder:
        for text in asked.games:
            game = games.find(text)
            for row in comparisons(game, Path(folder)):
                what, which = row.what.partition(" ")[::2]
                times = row.seconds[0] / row.seconds[1]
                equal = "yes" if row.equal else "DIFFERENT"
                print(LINE.format(Path(game.name).name, what, which, f"{row.amount:,}", *row.seconds, times, equal))
                sys.stdout.flush()
                different += not row.equal
    many(games.find("quarto"), asked.many)
    many(games.find("chexers"), max(1000, asked.many // 100))
    sys.exit(int(different > 0))


if __name__ == "__main__":
    main()
