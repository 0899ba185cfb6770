"""Q-learning: a network plays itself and learns what each move earns the seat that makes it.

Q is the chance that the logit of the move stands for, in the policy head. So one look at a position gives the Q of
every move; it needs no guess at what is hidden or will be drawn, as a look at what comes after a move does; and the
file serves wherever a policy head does. `practice.py` says what is learnt. The positions of a round are the replay
buffer, and the targets are those of the network as it was when the round began, which makes it the target network:
with hidden units this is DQN. Without, it is an n-tuple network; if an encoding has one row for each state, a table.
"""

from typing import Any

from kibitz.core.game import Game
from kibitz.learn.training_settings import Q, TrainingSettings, new_settings

USUAL: dict[str, Any] = {"trace": 0.7, "epsilon": 0.1, "rate": 0.005}  # where a lesson differs from that of TD learning


def usual_settings(game: Game, positions: int | None = None, **changes: Any) -> TrainingSettings:
    """Return the lesson that is used for a game when nothing else is said; with few positions rounds are short."""
    return new_settings(game, positions, method=Q, policy=True, **{**USUAL, **changes})
