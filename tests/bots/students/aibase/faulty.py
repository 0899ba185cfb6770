"""A script for AIBase with a fault, which its name says: the scripts beside it import it."""

import sys
import time

from AICore import AIBase


class Faulty(AIBase):
    """Plays the first action, once it has misbehaved."""

    def __init__(self, fault):
        super().__init__()
        self.fault = fault

    def messageCallback(self, gameState):
        match self.fault:
            case "illegal":
                return "99"
            case "nothing":
                return None
            case "crashing":
                raise RuntimeError("I am lost")
            case "looping":
                while True:
                    time.sleep(1)
            case "impossible":
                self.simulate(self.determinize()["BoardState"], "BuildModule Castle")
            case "invented":
                self.simulate({**self.determinize()["BoardState"]}, "DoNothing")
            case "printing":
                print("I think.", sys.argv)
        return "0"


def play(fault):
    """Play with a fault."""
    Faulty(fault).run(sys.argv[1])
