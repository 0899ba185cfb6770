"""A person at the terminal."""

import sys

import numpy as np

from kibitz.agents.agent import Agent, Decision
from kibitz.core.errors import BadMove, KibitzError


class Human(Agent):
    """A person who types moves in the terminal."""

    def decide(self, view: np.ndarray) -> Decision:
        """Show the view, ask until a legal move is typed."""
        legal = self.legal(view)
        print(self.game.text(view), file=sys.stderr)
        while True:
            print(f"your move ({', '.join(self.game.write(view, move) for move in legal)}): ", end="", file=sys.stderr)
            sys.stderr.flush()
            line = sys.stdin.readline()
            if not line:
                raise KibitzError("the input ended while a human was to move")
            try:
                return Decision(self.game.read(view, legal, line))
            except BadMove as error:
                print(error, file=sys.stderr)
