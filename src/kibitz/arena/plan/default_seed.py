"""The seed of a plan that names none: 1, or a secret of each session where the players must not know the deals."""

from collections.abc import Sequence

from kibitz.agents import runs_apart
from kibitz.agents.in_memory import AgentInMemory
from kibitz.arena.plan.own_agents import is_own
from kibitz.core.game import Game

USUAL = 1
GUESSABLE = 2**40  # seeds below this can be tried one by one


def default_seed(game: Game, agents: Sequence[str], in_memory: Sequence[AgentInMemory] = ()) -> int | None:
    """Return the seed of games between agents; None in games with secrets, where programs of the user's own play.

    Deals follow from the seed, so that a program which tries the likely ones, or has seen it in an earlier result,
    would know every hand. Without one, each session that plays draws its own and shows it when it is over.
    """
    return None if deals_are_secret(game, agents) or (game.hidden and in_memory) else USUAL


def deals_are_secret(game: Game, agents: Sequence[str]) -> bool:
    """Return whether an agent could use what it must not know: there are secrets, and code that is not ours."""
    return game.hidden and any(is_own(text, game) or runs_apart(text, game) for text in agents)
