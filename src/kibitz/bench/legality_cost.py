"""The cost of checking moves: games of a policy in the compiled loop, with and without checks."""

from time import thread_time

import numpy as np

from kibitz.arena.play.compiled import ENDLESS
from kibitz.core.dice import dice, dice_all
from kibitz.core.game import Game
from kibitz.core.heuristics import BoundHeuristic
from kibitz.core.policy_games import policy_games
from kibitz.core.rolls import roll_keys

FIRST = 16  # games that show how many to time


def speeds(game: Game, policy: BoundHeuristic, rounds: int, seconds: float) -> tuple[float, float]:
    """Return games a second with every move checked and with none checked, the best of alternating rounds."""
    games = max(FIRST, int(FIRST * seconds / _time(game, policy, FIRST, False)))
    times = [[_time(game, policy, games, trusted) for trusted in (False, True)] for _ in range(rounds)]
    checked, unchecked = np.min(times, axis=0)
    return float(games / checked), float(games / unchecked)


def _time(game: Game, policy: BoundHeuristic, games: int, trusted: bool) -> float:
    """Return the seconds of games in which all seats follow a policy."""
    handles = np.array([policy.handle])
    none, chairs = np.zeros(games, dtype=np.int64), np.zeros(games * game.seats, dtype=np.int64)
    deals, minds = dice_all(np.arange(games, dtype=np.uint64)), dice_all(np.arange(len(chairs), dtype=np.uint64))
    state, observation, room = game.new_state(), game.new_state(), game.new_moves()
    given = (
        game.rules, game.encoded_options, handles if handles.dtype == object else handles.astype(np.int64),
        np.array([int(trusted)]), policy.weights, chairs,
    )  # fmt: skip
    found = (np.zeros(len(chairs)), none.copy(), chairs.copy(), none.copy(), 1, none.copy(), none.copy())
    keys = roll_keys(range(games), game.chance)
    begun = thread_time()
    policy_games(*given, deals, keys, dice(0), minds, none, ENDLESS, state, observation, room, *found)
    return thread_time() - begun
