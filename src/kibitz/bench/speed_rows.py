"""Speed on one core: rows of data, each beside a yardstick measured in the same run, if there is one."""

import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from resource import getpagesize
from time import perf_counter, thread_time
from typing import Any

import numpy as np

from kibitz.agents import build, refusal
from kibitz.agents.search.alphabeta.alphabeta_arrays import SALT
from kibitz.agents.search.control import SLOTS
from kibitz.agents.search.settings import MEGABYTE
from kibitz.arena.match import play_match
from kibitz.arena.plan.limits import NO_LIMITS
from kibitz.arena.plan.plan import Plan
from kibitz.arena.play.audit import Audit
from kibitz.arena.play.compiled import CompiledGames
from kibitz.arena.play.process_pool import play_in_processes
from kibitz.arena.tournament import play_tournament
from kibitz.batches.card import load_cupy
from kibitz.bench import card_speed, deal_speed, learning_speed
from kibitz.bench.card_speed import has_card
from kibitz.bench.legality_cost import speeds
from kibitz.bench.start_time import start_times
from kibitz.bench.web_load import measure
from kibitz.core.dice import dice, shuffle_array
from kibitz.core.errors import BadValue, UnknownName
from kibitz.core.game import Game
from kibitz.core.playout import play_outs, random_games, random_position, who
from kibitz.core.spec import parse
from kibitz.core.table import Table
from kibitz.core.user_files import is_path
from kibitz.games import find, names
from kibitz.games.chexers.rules import LENGTH, PAST, past_cell

COMPILER = "g++"
YARDSTICKS = Path(__file__).resolve().parent  # programs in C++
ROUNDS = 12
SECONDS_A_ROUND = 0.1
POSITIONS = 100
SOLVED = {"quarto": (8, 7, 6, 5)}  # pieces placed in the positions to be solved; two moves a piece, and one in hand
SOLVER = "minimax(depth=1000, value=zero, opening=none, memory=256)"
MATCHES = {"quarto": (("novice", "random"), 1000)}
CHOICE_SOUGHT = 100  # games, and plies of each, in which a first choice between moves is looked for
A_DECISION = 10_000  # iterations of a decision by sampling
LONG_DECISIONS = {"quarto": 200_000}  # whose trees exceed the nearer caches
ARENA_GAMES = 20_000
REPLAYED = 240  # games, which all numbers of seats divide
WORKER_GAMES, WORKER_AGENTS = 400, ("minimax(depth=2, opening=none)", "novice")
MIDDLE_GAMES = 9  # positions on which a search is timed
SEARCH_ROUNDS = 3  # the best time of each position counts
SEARCHES = {  # game: rows of (name, agent, who plays up to the position, plies)
    "chexers": (
        ("maxn-depth-3-ms", "maxn(depth=3)", "policy(greedy)", 30),
        ("paranoid-depth-4-ms", "paranoid(depth=4)", "policy(greedy)", 30),
        ("brs-depth-5-ms", "brs(depth=5)", "policy(greedy)", 30),
        ("maxn-depth-5-ms", "maxn(depth=5)", "policy(greedy)", 30),
        ("paranoid-depth-8-ms", "paranoid(depth=8)", "policy(greedy)", 30),
    ),
    "cartagena": (
        ("maxn-depth-4-ms", "maxn(depth=4, width=3, worlds=1)", "policy(top3)", 60),
        ("paranoid-depth-4-ms", "paranoid(depth=4, width=3, worlds=1)", "policy(top3)", 60),
    ),
}
MEMORY = {"chexers": (("brs-memory-mb", "brs(depth=5)", "policy(greedy)", 30),)}  # rows as those of SEARCHES
PAGES_IN_USE = Path("/proc/self/statm")  # only Linux has it
SAME_NODES = {"chexers/paranoid-depth-8-ms": "chexers_paranoid"}  # rows with a hand-written search as a yardstick
SAMPLERS = {"colonizers": (("ismcts-heuristic-iterations", "ismcts(iterations={}, policy=heuristic)", "heuristic"),)}

Row = dict[str, Any]


def rows(what: str | None, games: tuple[str, ...] = ()) -> Iterator[Row]:
    """Measure a game, by its name or path, the arena, bots, deals, learning, the web, or games on a card; else all."""
    if games and what != "gpu":
        raise BadValue(f"one thing is measured at a time, not {what} and {games[0]}; only gpu takes several games")
    if what == "gpu":
        yield from gpu_rows(games)
        return
    known = [*names(), *OTHERS, "gpu"]
    if what is not None and parse(what).name not in known and not is_path(parse(what).name):
        raise UnknownName("thing to measure", what, known)
    for name in [what] if what else [*names(), *OTHERS]:
        yield from OTHERS[name]() if name in OTHERS else game_rows(find(name))
    if what is None and has_card():
        yield from gpu_rows(())


def gpu_rows(games: tuple[str, ...]) -> Iterator[Row]:
    """Measure games on a graphics card."""
    load_cupy()
    for measured in card_speed.measure(games):
        yield _row(measured.name, measured.unit, measured.value, measured.yardstick)


def web_rows() -> Iterator[Row]:
    """Measure the web server with many tables and many spectators."""
    for name, unit, value in measure():
        yield _row(name, unit, value)


def learn_rows() -> Iterator[Row]:
    """Measure how fast networks learn and evaluate."""
    for name, unit, value in learning_speed.measure():
        yield _row(name, unit, value)


def arena_rows() -> Iterator[Row]:
    """Measure the arena's overhead for each game, and the speed-up of two workers."""
    quarto = find("quarto")
    plan = Plan.make(quarto, ["random", "policy(random)"], games=ARENA_GAMES)
    cost = min(_time_of_tournament(plan) for _ in range(3)) / plan.planned
    state, room = quarto.new_state(), quarto.new_moves()
    bare = np.inf
    for _ in range(ROUNDS):
        begun = perf_counter()
        random_games(quarto.rules, quarto.encoded_options, plan.planned, dice(1), state, room)
        bare = min(bare, (perf_counter() - begun) / plan.planned)
    yield _row("arena/cost-per-game-us", "µs", 1e6 * (cost - bare), 1e6 * bare)
    for name in names():
        yield _row(f"arena/replay-per-game-us-{name}", "µs", 1e6 * min(_time_of_replay(find(name)) for _ in range(3)))
    speeds = [_workers_speed(quarto, jobs) for _ in range(3) for jobs in (1, 2)]
    yield _row("arena/two-worker-speedup", "times", max(speeds[1::2]) / max(speeds[::2]))


def bot_rows() -> Iterator[Row]:
    """Measure moves a second of two random bots in Python, and the cost of a decision on our side."""
    from kibitz.bench.bot_speed import driver_cost, moves_a_second

    yield _row("bots/moves-per-second", "moves/s", moves_a_second(find("quarto")))
    for game in ("quarto", "chexers", "cartagena", "colonizers"):
        suffix = "" if game == "quarto" else f"-{game}"
        yield _row(f"bots/driver-microseconds{suffix}", "µs", driver_cost(find(game)))


def _time_of_replay(game: Game) -> float:
    """Return the seconds to replay a random game that another process returns."""
    plan = Plan.make(game, ["random"] * game.seats, scheme="rotation", games=REPLAYED)
    fixtures, ready = list(plan.fixtures()), [policy for policy in plan.policies if policy is not None]
    batch = CompiledGames(game, plan.agents, ready, NO_LIMITS, keep_records=True).play(fixtures)
    audit = Audit(game, plan.agents, NO_LIMITS)
    audit.look(batch.first(1), fixtures[:1])  # compiles, if necessary
    begun = thread_time()
    if any(audit.look(batch, fixtures)):
        raise AssertionError(f"a random game of {game} cannot be replayed")
    return (thread_time() - begun) / len(fixtures)


def _time_of_tournament(plan: Plan) -> float:
    with tempfile.TemporaryDirectory() as folder:
        begun = perf_counter()
        play_tournament(plan, Path(folder) / "results.db", 1)
        return perf_counter() - begun


def _workers_speed(game: Game, jobs: int) -> float:
    """Return games a second with `jobs` worker processes, counted once all of them play."""
    played, begun, started = 0, 0.0, 0
    plan = Plan.make(game, WORKER_AGENTS, scheme="rotation", games=WORKER_GAMES * jobs, openings=0)
    with closing(play_in_processes(game, WORKER_AGENTS, plan.fixtures(), jobs, NO_LIMITS, True)) as batches:
        for batch in batches:
            if started < 2 * jobs:
                started, begun = started + 1, perf_counter()
            else:
                played += len(batch.numbers)
                last = perf_counter()
    return played / (last - begun)


def start_rows() -> Iterator[Row]:
    """Measure the CPU time of a first decision from an empty cache, beside the next; from a wheel if this is one."""
    for start in start_times():
        yield _row(f"start/{start.name}, from source", "CPU s", start.source, start.warm)
        yield _row(f"start/{start.name}, from source", "functions", start.source_functions)
        if start.wheel is not None and start.wheel_functions is not None:
            yield _row(f"start/{start.name}, from a wheel", "CPU s", start.wheel, start.warm)
            yield _row(f"start/{start.name}, from a wheel", "functions", start.wheel_functions)


def deal_rows() -> Iterator[Row]:
    """Measure the CPU time of dealing hidden hands of cards."""
    for name, microseconds in deal_speed.measure():
        yield _row(f"deals/{name}", "CPU µs", microseconds)


OTHERS = {
    "arena": arena_rows,
    "bots": bot_rows,
    "deals": deal_rows,
    "learn": learn_rows,
    "start": start_rows,
    "web": web_rows,
}


def game_rows(game: Game) -> Iterator[Row]:
    """Measure the rows of every game, and those of this game only."""
    yield from _random_rows(game)
    for policy in game.policies:
        table = Table(game, 1)
        speed = max(_speed_of_playouts(game, table.view(table.turn), policy) for _ in range(ROUNDS))
        yield _row(f"{_label(game)}/{policy}-games", "games/s", speed)
    for policy in game.policies:
        checked, unchecked = speeds(game, game.policy(policy), ROUNDS, SECONDS_A_ROUND)
        yield _row(f"{_label(game)}/{policy}-games-checked", "games/s", checked, unchecked)
    if game.name in MATCHES:
        agents, games = MATCHES[game.name]
        seconds = min(play_match(game, agents, games, 1, openings=0).seconds for _ in range(3))
        yield _row(f"{_label(game)}/match-{'-'.join(agents)}-{games}", "s", seconds)
    for placed in SOLVED.get(game.name, ()):
        yield from _solving_rows(game, placed)
    yield from _sampling_rows(game)
    for name, agent, guide, plies in SEARCHES.get(game.name, ()):
        yield _search_row(game, f"{_label(game)}/{name}", agent, _middle_games(game, guide, plies))
    for name, agent, guide, plies in MEMORY.get(game.name, ()) if PAGES_IN_USE.exists() else ():
        yield _row(f"{_label(game)}/{name}", "MB", _memory_of(game, agent, _middle_games(game, guide, plies)))


def _sampling_rows(game: Game) -> Iterator[Row]:
    """Measure decisions by sampling at the first choice of a game, by mcts, or by ismcts if mcts refuses it."""
    view = _first_choice(game)
    if view is None:
        return
    name = "ismcts" if refusal("mcts", game) else "mcts"
    rows = [(f"{name}-iterations", f"{name}(iterations={{}})", "random", A_DECISION)]
    if game.name in LONG_DECISIONS:
        rows.append((f"{name}-iterations-long", f"{name}(iterations={{}})", "random", LONG_DECISIONS[game.name]))
    rows += [(*row, A_DECISION) for row in SAMPLERS.get(game.name, ())]
    for title, agent, policy, iterations in rows:
        yield _sampling_row(game, view, title, agent, policy, iterations)


def _first_choice(game: Game) -> np.ndarray | None:
    """Return the view of the seat that has the first choice in a game; None if none is found."""
    for seed in range(1, CHOICE_SOUGHT + 1):
        table = Table(game, seed)
        while not table.over and table.ply < CHOICE_SOUGHT:
            if len(table.moves()) > 1:
                return table.view(table.turn)
            table.play(table.moves()[0])
    return None


def _memory_of(game: Game, agent: str, views: list[np.ndarray]) -> float:
    """Return the megabytes that a search really takes: the growth of the process when a second search decides."""
    first = build(agent, game, 1)  # loads the code, and keeps its memory
    first.decide(views[0])
    before = _pages()
    second = build(agent, game, 1)
    for view in views:
        second.decide(view)
    return (_pages() - before) * getpagesize() / MEGABYTE


def _pages() -> int:
    return int(PAGES_IN_USE.read_text(encoding="ascii").split()[1])


def _label(game: Game) -> str:
    """Return what a game is called in the names of rows: one of the user's own is called as its folder."""
    return Path(str(game)).name


def _row(name: str, unit: str, value: float, yardstick: float | None = None) -> Row:
    """Return a row; where it and its yardstick are times of a search, the ratio says how fast ours is."""
    ratio = None if not yardstick else yardstick / value if unit == "ms" else value / yardstick
    return {"name": name, "unit": unit, "value": value, "yardstick": yardstick, "ratio": ratio}


def _random_rows(game: Game) -> Iterator[Row]:
    state = game.new_state()
    room = game.new_moves()

    def play(games: int) -> int:
        return int(random_games(game.rules, game.encoded_options, games, dice(1), state, room))

    games = _enough(play)
    best_games, best_moves, best_yardstick = 0.0, 0.0, 0.0
    with _yardstick(game.name) as yardstick:
        for _ in range(ROUNDS):
            begun = perf_counter()
            plies = play(games)
            seconds = perf_counter() - begun
            best_games, best_moves = max(best_games, games / seconds), max(best_moves, plies / seconds)
            if yardstick is not None:
                best_yardstick = max(best_yardstick, yardstick())
    yield _row(f"{_label(game)}/random-games", "games/s", best_games, best_yardstick or None)
    yield _row(f"{_label(game)}/random-moves", "moves/s", best_moves)


def _enough(play: Callable[[int], Any]) -> int:
    """Return how many games fill about one round."""
    play(1)  # compiles, if necessary
    games = 1
    while True:
        begun = perf_counter()
        play(games)
        seconds = perf_counter() - begun
        if seconds > SECONDS_A_ROUND / 4:
            return max(1, int(games * SECONDS_A_ROUND / seconds))
        games *= 4


@contextmanager
def _yardstick(name: str) -> Iterator[Callable[[], float] | None]:
    """Compile the hand-written loop for a game; yield a function that runs it and returns games a second."""
    with _program(name) as run:
        yield None if run is None else lambda: float(run(""))


@contextmanager
def _program(name: str) -> Iterator[Callable[[str], str] | None]:
    """Compile a hand-written program; yield a function from its input to its output, or None if there is none."""
    source, compiler = YARDSTICKS / f"{name}.cpp", shutil.which(COMPILER)
    if not source.exists() or compiler is None:
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="kibitz-yardstick-") as folder:
        program = str(Path(folder) / name)
        subprocess.run([compiler, "-std=c++17", "-O3", "-march=native", "-o", program, str(source)], check=True)
        yield lambda text: subprocess.run([program], input=text, check=True, capture_output=True, text=True).stdout


def _solving_rows(game: Game, placed: int) -> Iterator[Row]:
    """Solve random positions to the end, and yield rows of the CPU time."""
    seconds: list[float] = []
    seed = 0
    state = game.new_state()
    room = game.new_moves()
    while len(seconds) < POSITIONS:
        seed += 1
        if not random_position(game.rules, game.encoded_options, 2 * placed + 1, dice(seed), state, room):
            continue
        if not seconds:
            build(SOLVER, game, 1).warm_up(state)  # compiles, if necessary
        solver = build(SOLVER, game, 1)
        begun = thread_time()
        decision = solver.decide(state)
        seconds.append(thread_time() - begun)
        if not decision.exact:
            raise AssertionError(f"position {seed} with {placed} placed was not solved")
    for quantile, label in ((0.5, "median"), (0.9, "p90"), (0.99, "p99"), (1.0, "slowest")):
        value = 1000 * float(np.quantile(seconds, quantile))
        yield _row(f"{_label(game)}/solve-{placed}-placed-{label}", "ms", value)


def _sampling_row(game: Game, view: np.ndarray, name: str, agent: str, policy: str, iterations: int) -> Row:
    """Count iterations a second in decisions on a view, beside plain games a second by the same policy."""
    best, yardstick = 0.0, 0.0
    build(agent.format(1), game, 1).decide(view)  # compiles, if necessary
    for _ in range(ROUNDS):
        seconds, decisions = 0.0, 0
        while seconds < SECONDS_A_ROUND / 2:
            mind = build(agent.format(iterations), game, 1)
            begun = perf_counter()
            mind.decide(view)
            seconds, decisions = seconds + perf_counter() - begun, decisions + 1
        best = max(best, decisions * iterations / seconds)
        yardstick = max(yardstick, _speed_of_playouts(game, view, policy))
    return _row(f"{_label(game)}/{name}", "iterations/s", best, yardstick)


def _speed_of_playouts(game: Game, start: np.ndarray, policy: str) -> float:
    rollout = game.policy(policy)
    state, room = game.new_state(), game.new_moves()
    games, seat = 64, int(who(game.rules, start))
    play_outs(game.rules, rollout.handle, rollout.weights, start, seat, 1, dice(1), state, room)
    while True:
        begun = perf_counter()
        play_outs(game.rules, rollout.handle, rollout.weights, start, seat, games, dice(1), state, room)
        seconds = perf_counter() - begun
        if seconds > SECONDS_A_ROUND / 4:
            return games / seconds
        games *= 2


def _middle_games(game: Game, guide: str, plies: int) -> list[np.ndarray]:
    """Return views of the seat to move after `plies` moves by an agent, one from each game that is not over by then."""
    views = []
    for seed in range(MIDDLE_GAMES):
        table, mind = Table(game, seed), build(guide, game, seed)
        while not table.over and table.ply < plies:
            table.play(mind.decide(table.view(table.turn)).move)
        if not table.over:
            views.append(table.view(table.turn))
    return views


def _search_row(game: Game, name: str, agent: str, views: list[np.ndarray]) -> Row:
    """Return the median time of a decision, each by a fresh agent, beside that of a hand-written search."""
    build(agent, game, 1).decide(views[0])  # compiles, if necessary
    ours: list[list[float]] = []
    by_hand: list[list[float]] = []
    with _program(SAME_NODES.get(name, "")) as run:
        for _ in range(SEARCH_ROUNDS):
            times, nodes = _think(game, agent, views)
            ours.append(times)
            if run is not None:
                by_hand.append(_think_by_hand(run(_as_input(game, agent, views)), nodes))
    middle, yardstick = (float(np.median(np.min(times, axis=0))) if times else 0.0 for times in (ours, by_hand))
    return _row(name, "ms", 1000 * middle, 1000 * yardstick or None)


def _think(game: Game, agent: str, views: list[np.ndarray]) -> tuple[list[float], list[int]]:
    """Return the CPU seconds and the nodes of a decision in each position."""
    times, nodes = [], []
    for view in views:
        thinker = build(agent, game, 1)
        begun = thread_time()
        nodes.append(thinker.decide(view).nodes)
        times.append(thread_time() - begun)
    return times, nodes


def _think_by_hand(output: str, nodes: list[int]) -> list[float]:
    """Return the seconds of a hand-written search, which must visit as many positions as ours."""
    rows = [line.split() for line in output.splitlines()]
    if [int(row[1]) for row in rows] != nodes:
        raise AssertionError(f"the search written by hand visits {[row[1] for row in rows]} positions, ours {nodes}")
    return [float(row[0]) for row in rows]


def _as_input(game: Game, agent: str, views: list[np.ndarray]) -> str:
    """Return the input of a hand-written search: depth, slots, positions; then salt, cells and moves of each."""
    mind = build(agent, game, 1)
    engine = mind.driver.engine  # type: ignore[attr-defined]
    text = [f"{mind.driver.settings.depth} {engine.control.parameters[SLOTS]} {len(views)}"]  # type: ignore[attr-defined]
    for view in views:
        engine.begin(int(who(game.rules, view)))
        engine.enter(view)
        tried = np.array(mind.legal(view), dtype=np.int64)
        shuffle_array(dice(1), tried)
        past = [view[past_cell(n)] for n in range(view[LENGTH])]
        numbers = [engine.control.cells[SALT], *view[:PAST], *past, len(tried), *tried]
        text.append(" ".join(map(str, numbers)))
    return "\n".join(text)
