"""Speed of the bot protocol."""

import sys
from pathlib import Path
from time import perf_counter, thread_time

from kibitz.agents import build
from kibitz.agents.external_agent import Ending
from kibitz.agents.seated_agents import SeatedAgent
from kibitz.arena.plan.fixture import Fixture
from kibitz.arena.play.referee import play_fixture
from kibitz.bots.protocol import USUAL_WANTS
from kibitz.core.game import Game
from kibitz.core.table import Table

RANDOM_BOT = Path(__file__).with_name("random_bot.py")
GAMES, ROUNDS = 100, 5
FAR = 60  # plies into a game


def _bot(*wants: str) -> str:
    cmd = f"{sys.executable} -I -S {RANDOM_BOT} {' '.join(wants)}"
    return f"bot(cmd='{cmd}', walls=limits)"


def moves_a_second(game: Game) -> float:
    """Return the moves a second of whole games between random bots that ask only for moves."""
    agents, best = [_bot()] * game.seats, 0.0
    for _ in range(ROUNDS):
        moves, begun = 0, perf_counter()
        for number in range(GAMES):
            seeds = tuple(range(game.seats))
            result = play_fixture(game, agents, Fixture(number, number, seeds, number, seeds))
            if result.fault:
                raise AssertionError(result.fault)
            moves += sum(result.moves)
        best = max(best, moves / (perf_counter() - begun))
    return best


def driver_cost(game: Game) -> float:
    """Return the CPU microseconds of a decision on our side, with all that bots usually ask for."""
    minds = [SeatedAgent(build(_bot(*USUAL_WANTS), game, seat), seat) for seat in range(game.seats)]
    best = float("inf")
    for number in range(ROUNDS * 8):
        table, spent, moves = Table(game, number), 0.0, 0
        for mind in minds:
            mind.new()
        while not table.over and table.ply < FAR:
            view, mind = table.view(table.turn), minds[table.turn]
            begun = thread_time()
            move = mind.decide(view).move
            spent, moves = spent + thread_time() - begun, moves + 1
            table.play(move)
        for mind in minds:
            mind.end(Ending([0.0] * game.seats, "measured"))
        best = min(best, spent / moves)
    return 1e6 * best
