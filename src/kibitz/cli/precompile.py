"""Compile what Kibitz ships, by running what users run, on all cores.

    python -m kibitz.cli.precompile [--jobs N] [--pack FOLDER] [GAME …]

The machine code goes where it always goes (KIBITZ_CACHE), with a list of its keys, and with --pack also into an archive
for a wheel.
"""

import os
import sys
import tempfile
import time
import traceback
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import redirect_stderr, redirect_stdout, suppress
from io import StringIO
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import click
import numpy as np

from kibitz.cli.new_command import KINDS
from kibitz.core.game import Game
from kibitz.core.user_files import whole_file

WARM_UP_SECONDS = "seconds=0.02"
_LIST = "precompiled.txt"
_SMALL = {
    "flat": "flat(playouts=3)",
    "greedy": "greedy(worlds=2)",
    "mcts": "mcts(iterations=30)",
    "ismcts": "ismcts(iterations=30)",
    "pimc": "pimc(maxn(depth=1), worlds=2)",
    "minimax": "minimax(depth=2)",
} | {name: f"{name}(depth=2, width=4, worlds=2)" for name in
     ("maxn", "paranoid", "offensive", "mpmix", "nsp", "brs", "opps")}  # fmt: skip
_NUMBERS = {  # options in numbers that run code which the agents' defaults do not
    "mcts": ("trees=2", "cut=3", "history=1", "seconds=0.05"),
    "ismcts": ("seconds=0.05",),
    "flat": ("threads=2", "width=2", "width=2, among=2", "width=2, follow=true"),
    "imitation": ("depth=2", "depth=2, own=best", "choose=ones", "depth=2, choose=ones"),
} | dict.fromkeys(("minimax", "maxn", "paranoid"), ("seconds=0.05", "nodes=200"))
_PLIES = (0, 1, 2, 5, 11, 23, 40, 61, 90)  # at which agents decide
_LONGEST = 400  # plies of a game that is walked through
_FAR_FROM_END = 6  # plies before the end at which agents decide as well

Task = tuple[str, str]  # what is run, and on what
Done = tuple[Task, float, list[str], str]  # CPU seconds, functions compiled, error


def tasks(games: Sequence[str] = ()) -> list[Task]:
    """Return all that is run, the longest first."""
    from kibitz import games as library

    names = list(games) or library.names()
    found = [("agents", text) for name in names for text in _variants(name)[:1]]
    found += [("commands", name) for name in names]
    found += [("tables", text) for name in names for text in _variants(name)]
    own = [*(("own", kind) for kind in ("", *KINDS)), ("rules", "")]
    return found + ([] if games else [*own, *(("learning", name) for name in names), ("experiment", "quick")])


def _variants(name: str) -> list[str]:
    """Return a game as it usually is, and with each option changed."""
    from kibitz import games as library

    texts = [name]
    for key, option in library.find(name).declared.items():
        if option.sort == "bool":
            texts.append(f"{name}({key}={'false' if option.default else 'true'})")
        texts += [f"{name}({key}={choice})" for choice in option.choices if choice != option.default]
        if key == "seats":
            texts += [f"{name}(seats={n})" for n in (option.least, option.most) if n != option.default]
    return texts


def agent_texts(text: str) -> list[str]:
    """Return the agents that play a game: all by name, with the game's own, its levels and its policies."""
    from kibitz import agents
    from kibitz import games as library
    from kibitz.agents.levels import opponent
    from kibitz.core.level import LEVELS

    game = library.find(text)
    found = [_SMALL.get(name, game.agents.get(name, name)) for name in [*agents.names(), *game.agents]]
    found += [opponent(game, level) for level in LEVELS]
    found += [f"policy({name})" for name in game.policies]
    found += [_with(name, option) for name in agents.names() for option in _options(game, name)]
    return [_quick(one) for one in dict.fromkeys(found)]


def _options(game: Game, agent: str) -> Iterator[str]:
    """Yield options of an agent, each of which may run code that its defaults do not."""
    from kibitz import agents

    yield from _NUMBERS.get(agent, ())
    # For one agent each, since the engines are the same for all of them.
    named: dict[tuple[str, str], Iterable[str]] = {
        ("greedy", "value"): game.values, ("flat", "policy"): game.policies, ("maxn", "filter"): game.filters
    }  # fmt: skip
    for key, option in agents.declared(agent).items():
        if option.sort == "bool":
            yield f"{key}={'false' if option.default else 'true'}"
        yield from (f"{key}={one}" for one in option.choices if one != option.default)
        yield from (f"{key}={one}" for one in named.get((agent, option.sort), ()))
        if key == "opening":
            yield f"{key}=none"


def _with(agent: str, option: str) -> str:
    """Return the small text of an agent with one more option, or another value of an option."""
    from kibitz.core.spec import Spec, parse

    return str(Spec(agent, parse(_SMALL.get(agent, agent)).args | parse(f"{agent}({option})").args))


def _quick(agent: str) -> str:
    agent = "champion(seconds=1)" if agent == "champion" else agent
    for seconds in ("seconds=1", "seconds=0.3", "seconds=3", "seconds=5"):
        agent = agent.replace(f"{seconds},", f"{WARM_UP_SECONDS},").replace(f"{seconds})", f"{WARM_UP_SECONDS})")
    return agent


def run_agents(text: str, only: Sequence[str] = ()) -> None:
    """Let every agent that plays a game, or some, decide from its first position to its last ones, and warm up."""
    from kibitz import agents
    from kibitz import games as library
    from kibitz.core.errors import KibitzError

    game = library.find(text)
    views = list(_views(game))
    for agent in only or agent_texts(text):
        try:
            mind = agents.build(agent, game, 1)
        except KibitzError:
            continue  # some agents refuse some games
        for view in views:
            mind.decide(view.copy())
        for view in views[:1] + views[-1:]:
            mind.warm_up(view.copy())


def _views(game: Game) -> Iterator[np.ndarray]:
    """Yield views of a random game, many at its beginning and some at its end."""
    from kibitz.core.dice import dice, roll
    from kibitz.core.table import Table

    table, rng, seen = Table(game, 7), dice(7), []
    while not table.over and table.ply < _LONGEST:
        moves = table.moves()
        if len(moves) > 1:
            seen.append((table.ply, table.view(table.turn)))
        table.play(moves[roll(rng, len(moves))])
    yield from (view for ply, view in seen[:-_FAR_FROM_END] if ply in _PLIES)
    yield from (view for _, view in seen[-_FAR_FROM_END:])


def run_tables(text: str) -> None:
    """Play at a table in the terminal and in the browser, and print what they show."""
    from kibitz import games as library
    from kibitz.arena.play.warm_up import warm_up_table
    from kibitz.core.dice import dice
    from kibitz.core.perft import perft
    from kibitz.core.table import Table
    from kibitz.search import guess_worlds, playouts
    from kibitz.web import precompile_table
    from kibitz.web.example_position import example

    game = library.find(text)
    warm_up_table(game)
    precompile_table.warm_up_table(game)
    perft(Table(game, 1), 2)
    table = Table(game, 1)
    (world,) = guess_worlds(game, table.view(table.turn), 1, dice(1))
    world.playout()
    playouts(world, world.moves()[0], 1, dice(1))
    run_batch(game)
    if game.policies:
        example(game)


def run_batch(game: Game) -> None:
    """Do with a batch of games whatever can be done."""
    from kibitz.batches import make
    from kibitz.batches.card_perft import listed
    from kibitz.batches.mass_play import MassPlay
    from kibitz.core.table import Table
    from kibitz.networks.net import encodings

    batch = make(game, 2)
    listed(game, Table(game, 1).copy_of_truth()[None], 2)
    batch.play(batch.sample())
    batch.legal()
    batch.guess()
    batch.value()
    if encodings(game):
        batch.features()
    for policy in ("random", *game.policies):
        batch.run(policy, moves=3)
    batch.payoff()
    batch.check()
    batch.reset_finished()
    MassPlay(game, game.policy("random"), True, 1, 0, batch.device).play(0, 2, 0, 0)


def run_commands(name: str) -> None:
    """Run commands as a user does."""
    seats = _seats(name)
    searchers = ["random", _tree_search(name), "greedy", "flat(playouts=2)", "random"][:seats]
    _command("match", name, *searchers, "--games", str(2 * seats), "--jobs", "1", "--seed", "1")
    _command("match", name, "random", "greedy", "--games", "24", "--jobs", "2", "--seed", "1")
    _command("balance", name, "random", "--games", "24", "--jobs", "1")
    _command("analyse", name, "--top", "2")
    _command("perft", name, "--depth", "2")
    _command("agents", name)
    _command("games", name)
    _command("new", "agent", "own")
    _command("match", name, "random", "./own.py", "--games", "2", "--no-isolate")  # its games are replayed


def run_learning(name: str) -> None:
    """Train for a moment in each way, and try the encodings and hints, which new games lack."""
    from kibitz import games as library
    from kibitz.core.laws import DoesNotApply, shortcuts
    from kibitz.core.laws.law import laws_in
    from kibitz.networks import encoding_laws

    for law in (*laws_in(encoding_laws), *laws_in(shortcuts)):
        with suppress(DoesNotApply):
            law(library.find(name), 1)
    for verb in ("td", "q"):
        _command("learn", verb, name, "--positions", "3000", "--out", f"{verb}.npz")
    _command("learn", "data", name, _tree_search(name), "--games", "6", "--out", "data.npz")
    _command("learn", "fit", "data.npz", "--epochs", "2", "--out", "fit.npz")
    _command("learn", "compare", "fit.npz", _tree_search(name), "--game", name, "--positions", "20")
    _command("learn", "td", name, "--by", "maxn(depth=1)", "--positions", "100", "--out", "by.npz")
    _command("learn", "book", name, _tree_search(name), "--games", "2", "--out", "book.npz")


def run_own(kind: str) -> None:
    """Check and play a new game, as its author does; its own code is not kept."""
    name = f"my{kind}"
    _command("new", "game", name, *(["--kind", kind] if kind else []))
    game = f"./{name}/kibitz_{name}" if kind else f"./{name}"
    _command("check", game, "--games", "1")
    run_agents(game, [_tree_search(game), "greedy", "flat(playouts=3)", _SMALL["maxn"], _SMALL["paranoid"]])
    run_tables(game)
    _command("match", game, "random", "greedy", "--games", "8")
    _command("analyse", game)


def run_rules(_: str) -> None:
    """Compile what the rules of games call: the rules that call it may be on disk already, with it inside."""
    from kibitz.core import deal_counts, deal_demand, defaults
    from kibitz.core.address import CELLS, DICE, INT, compile_together

    compile_together([defaults.zero, defaults.deal])
    deal_demand.draw_hands(0b1111, [2, 2])
    called: list[tuple[Any, tuple[object, ...]]] = [
        (deal_demand.weights_at, (CELLS, INT, INT)),
        (deal_demand.exchange_cards, (CELLS, DICE)),
        (deal_counts.count_deals, (CELLS,)),
        (deal_counts.draw_counted, (CELLS, DICE)),
    ]
    for function, given in called:
        function.compile(given)


def run_experiment(name: str) -> None:
    """Run an experiment."""
    _command("experiment", "run", name, "--jobs", "1")


def _tree_search(name: str) -> str:
    from kibitz import games as library

    return "ismcts(iterations=20)" if library.find(name).hidden else "mcts(iterations=20)"


def _seats(name: str) -> int:
    from kibitz import games as library

    return library.find(name).seats


def _command(*words: str) -> None:
    from kibitz.cli import main

    try:
        main.main(args=list(words), standalone_mode=True)
    except SystemExit as end:
        if end.code:
            raise RuntimeError(f"kibitz {' '.join(words)} ended with {end.code}") from end


def run(task: Task) -> Done:
    """Run one task; return it with what it took, compiled and needed, and its error, if any."""
    from kibitz.core.native import watch_compilation

    made: list[str] = []
    if not _watched:
        watch_compilation(lambda name: _watched[-1].append(name))
    _watched.append(made)
    begun, here, error = time.process_time(), Path.cwd(), ""
    out = StringIO()
    with tempfile.TemporaryDirectory() as folder, redirect_stdout(out), redirect_stderr(out):
        os.chdir(folder)
        try:
            globals()[f"run_{task[0]}"](task[1])
        except Exception:
            error = f"{out.getvalue()}{traceback.format_exc()}"
        finally:
            os.chdir(here)
    return task, time.process_time() - begun, made, error


_watched: list[list[str]] = []


def run_all(games: Sequence[str] = (), jobs: int | None = None) -> Iterator[Done]:
    """Run all tasks in several processes, and yield what `run` returns for each."""
    with ProcessPoolExecutor(jobs or os.cpu_count() or 1, mp_context=get_context("spawn")) as pool:
        for done in as_completed([pool.submit(run, task) for task in tasks(games)]):
            yield done.result()


def precompiled() -> set[str]:
    """Return the keys of the machine code that earlier runs have needed; empty if there were none."""
    from kibitz.core.code_on_disk import code_folder

    try:
        return set((code_folder() / _LIST).read_text().split())
    except OSError:
        return set()


def _note(keys: set[str], games: Sequence[str]) -> None:
    """Keep the keys that a run has needed; those of single games are added to what is there."""
    from kibitz.core.code_on_disk import code_folder

    known = precompiled() if games else set()
    with whole_file(code_folder() / _LIST, overwrite=True) as file:
        file.write("\n".join(sorted(known | keys)) + "\n")


def pack(keys: set[str], folder: Path) -> Path:
    """Write machine code for the usual target into an archive for a wheel."""
    from kibitz.core.code_on_disk import code_file, read_code, sealed, shipped_file
    from kibitz.core.target import usual_target

    folder.mkdir(parents=True, exist_ok=True)
    file = shipped_file(usual_target() or "none", folder)
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for key in sorted(keys):
            code = read_code(code_file(key))
            if code is not None:
                archive.writestr(zipfile.ZipInfo(key), sealed(key, code), zipfile.ZIP_DEFLATED, 9)
    return file


@click.command()
@click.argument("games", nargs=-1)
@click.option("--jobs", type=int, help="Number of processes; default: one per core.")
@click.option("--pack", "into", type=click.Path(path_type=Path), help="Write an archive for a wheel into this folder.")
@click.option("-v", "--verbose", is_flag=True, help="Print each task.")
def precompile(games: tuple[str, ...], jobs: int | None, into: Path | None, verbose: bool) -> None:
    """Compile what Kibitz ships, by running what users run."""
    from kibitz.core.code_on_disk import NOTE_USED

    begun, functions, failed = time.monotonic(), 0, 0
    with tempfile.TemporaryDirectory() as folder:
        notes = Path(folder) / "used"
        notes.touch()
        os.environ[NOTE_USED] = str(notes)  # for all processes
        for task, seconds, made, error in run_all(games, jobs):
            functions += len(made)
            failed += bool(error)
            if verbose or error:
                click.echo(f"{' '.join(task)}: {seconds:.1f} s, {len(made)} functions {error}", err=True)
        needed = set(notes.read_text().split())
    click.echo(f"compiled {functions} functions in {time.monotonic() - begun:.0f} s")
    _note(needed, games)
    if into is not None:
        file = pack(needed, into)
        click.echo(f"{file.name}: {file.stat().st_size / 1e6:.1f} MB")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    precompile()
