"""The seed of a plan that names none: 1, or one that the players cannot guess where that would tell them the cards."""

import os
import secrets
from collections.abc import Sequence

from kibitz.agents import runs_apart
from kibitz.arena.plan.own_agents import is_own
from kibitz.core.files import state_folder
from kibitz.core.game import Game

USUAL = 1
SECRET_BITS = 64
GUESSABLE = 2**40  # seeds below this can be tried one by one


def usual_seed(game: Game, agents: Sequence[str]) -> int:
    """Return the seed of games between agents: in games with secrets, where programs of the user's own play, a secret.

    Deals follow from the seed, so that a program which tries the likely ones would know every hand.
    """
    return secret_seed() if deals_are_secret(game, agents) else USUAL


def deals_are_secret(game: Game, agents: Sequence[str]) -> bool:
    """Return whether an agent could use what it must not know: there are secrets, and code that is not ours."""
    return game.hidden and any(is_own(text, game) or runs_apart(text, game) for text in agents)


def secret_seed() -> int:
    """Return a number drawn once and kept for this user, so that a run which was stopped can go on."""
    file = state_folder() / "seed"
    try:
        return int(file.read_text(encoding="ascii"))
    except (OSError, ValueError):
        drawn = secrets.randbits(SECRET_BITS)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.unlink(missing_ok=True)
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as out:
            out.write(f"{drawn}\n")
    except FileExistsError:  # another process was first
        return int(file.read_text(encoding="ascii"))
    except OSError:
        pass  # this run cannot be continued, but nobody can guess its deals
    return drawn
