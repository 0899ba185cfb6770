"""Measure what compiling costs, and what each agent needs of it, for the forecasts of a first time.

`python -m kibitz.cli.measure_compile_costs` writes core/compile_costs.json; run it when many functions have changed
their names. Each purpose has its own process, so that it loads all that it needs.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from kibitz.core.code_on_disk import forecast
from kibitz.core.compile_forecast import LOG, USUAL_COSTS, purpose_of
from kibitz.core.level import LEVELS

TERMINAL, BROWSER = "terminal", "browser"


def main() -> None:
    """Measure everything, or what one purpose needs if its game and agent are named."""
    if len(sys.argv) > 1:
        _report(*sys.argv[1:])
        return
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(KIBITZ_CACHE=folder, KIBITZ_IGNORE_SHIPPED="1")
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            found = dict(pool.map(_needs, purposes()))
        costs = {}
        for name, first, _ in map(json.loads, (Path(folder) / LOG).read_text(encoding="utf-8").splitlines()):
            if not isinstance(first, list):
                costs[name] = round(first, 2)
    names = sorted({name for needed in found.values() for name in needed})
    needs = {purpose: sorted(map(names.index, needed)) for purpose, needed in sorted(found.items())}
    table = {"functions": {name: costs.get(name, 0.0) for name in names}, "needs": needs}
    USUAL_COSTS.write_text(json.dumps(table, separators=(",", ":")) + "\n", encoding="utf-8")
    print(f"{len(needs)} purposes, {len(names)} functions, {sum(costs.values()):.0f} s")


def purposes() -> Iterator[tuple[str, str]]:
    """Yield the games and agents of the package, and what else compiles for itself."""
    from kibitz import agents, games
    from kibitz.agents.levels import opponent

    for name in games.names():
        game = games.find(name)
        texts = [TERMINAL, BROWSER, *(opponent(game, level) for level in LEVELS), *game.agents]
        texts += [agent for agent in agents.names() if not agents.refusal(agent, game)]
        seen = set()
        for text in texts:
            if (purpose := purpose_of(name, text)) not in seen:
                seen.add(purpose)
                yield name, text


def _needs(of: tuple[str, str]) -> tuple[str, list[str]]:
    done = subprocess.run([sys.executable, "-m", __spec__.name, *of], capture_output=True, text=True, check=True)
    print(*of, flush=True)
    return purpose_of(*of), json.loads(done.stdout.splitlines()[-1])


def _report(name: str, agent: str) -> None:
    from kibitz.arena.play import warm_up
    from kibitz.games import find
    from kibitz.web import precompile_table

    game = find(name)
    with forecast.seen() as needed:
        if agent == TERMINAL:
            warm_up.warm_up_table(game)
        elif agent == BROWSER:
            precompile_table.warm_up_table(game)
        else:
            warm_up.warm_up_agents(game, [agent])
    print(json.dumps(sorted(needed)))


if __name__ == "__main__":
    main()
