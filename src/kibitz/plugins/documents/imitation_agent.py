"""Imitation: networks that have learnt the moves of a search."""

from math import exp, log
from typing import Any

import numpy as np

from kibitz.agents.agent import Agent, Decision, as_decision
from kibitz.agents.turnwise import MOST_DEPTH, Turnwise
from kibitz.core.errors import BadValue
from kibitz.core.options import Option
from kibitz.core.spec import Spec, parse
from kibitz.networks.encoding import NO_MOVE
from kibitz.networks.net import NET, actions, network_of
from kibitz.networks.network_file import Network
from kibitz.plugins.documents.advice import Advice
from kibitz.plugins.documents.advised_turns import AdvisedTurns

TEACHER = "turnwise(ep)"
SEARCHED = ("width", "value", "order", "cut")  # options of turnwise
PARTS = ("first", "second", "third")
LARGE = 50.0  # a logit whose output cannot be told from 1


class ImitationAgent(Agent):
    """Play what networks name, one for each action of a turn; ask their teacher where they name nothing legal.

    With a depth it is the algorithm of the Cartagena thesis (sections 5.3 and 7.2.1): Not-So-Paranoid ep among whole
    turns that are made of the actions that networks name.
    """

    OPTIONS = {
        **{part: Option(parse(f"net(imitation-{part})"), f"the network, net(file), that names the {part} action of a"
                        " turn", kind="value") for part in PARTS},
        "choose": Option("best", "what is named: best, the legal action with the greatest output; ones, all whose"
                         " output reaches the threshold", choices=("best", "ones")),
        "threshold": Option(0.5, "an output from so much on is a one", least=0.0001, most=0.9999),
        "teacher": Option(parse(TEACHER), "with ones and no depth: who decides where no legal action is named",
                          kind="agent"),
        "depth": Option(0, "turns to look ahead among those made of the actions that are named, or of the best by value"
                        " where none is; 0: play the best that is named", least=0, most=MOST_DEPTH),
        **{name: Turnwise.OPTIONS[name] for name in SEARCHED},
        "own": Option("named", "with a depth: whether the seat itself looks at named actions only, or at the best by"
                      " value as its teacher does, and the others at named ones", choices=("named", "best")),
    }  # fmt: skip

    def prepare(self, choose: str, threshold: float, teacher: Spec, depth: int, own: str, **options: Any) -> None:
        """Read the networks."""
        from kibitz.agents import build  # the teacher is itself an agent

        networks = [self._network(options.pop(part)) for part in PARTS]
        names = {network.about.actions for network in networks}
        if len(names) != 1 or names == {""}:
            raise BadValue(f"imitation needs networks that choose among the same actions, not {sorted(names)}")
        chosen = actions(self.game)[names.pop()]
        least = log(threshold / (1 - threshold))
        self.best, self.least = choose == "best", least
        self.advice = Advice(self.game, chosen, networks[: chosen.parts], least, self.best, own == "best")
        self.teacher = build(teacher, self.game, self.seed)
        self.search = self._advised(depth, options) if depth else None

    def _advised(self, depth: int, options: dict[str, Any]) -> AdvisedTurns:
        chosen = {**options, "style": "ep", "depth": depth, "deeper": 0.0, "influence": 1.0}
        return AdvisedTurns(self.text, self.game, self.seed, chosen, self.advice)

    def _network(self, spec: Spec) -> Network:
        if spec.name != NET:
            raise BadValue(f"imitation: {spec} is not a network; it takes net(file)")
        return network_of(self.game, spec)

    def decide(self, view: np.ndarray) -> Decision:
        """Return the best that is named, or what the search among named actions finds."""
        if self.search is not None:
            return self.search.decide(view)
        only = self.forced(view)
        if only is not None:
            return only
        moves, logits = self.advice.of(view)
        named = (moves != NO_MOVE) & (self.best | (logits >= self.least))
        if not named.any():
            return as_decision(self.teacher.decide(view))
        outputs: dict[int, float] = {}
        for move, logit in zip(moves[named].tolist(), logits[named].clip(-LARGE, LARGE).tolist(), strict=True):
            outputs[move] = max(outputs.get(move, 0.0), 1 / (1 + exp(-logit)))
        chosen = int(moves[named][logits[named].argmax()])
        return Decision(chosen, line=[chosen], considered=outputs)

    def warm_up(self, view: np.ndarray) -> None:
        """Load or compile the code that a decision needs."""
        self.advice.of(view)
        (self.search or self.teacher).warm_up(view)
