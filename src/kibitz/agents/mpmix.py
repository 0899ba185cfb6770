"""MP-Mix: defend a lead, attack a leader, otherwise play for oneself."""

from typing import Any

import numpy as np

from kibitz.agents import build
from kibitz.agents.agent import Agent, Decision
from kibitz.agents.search.seats import EverySeat
from kibitz.core.dice import derive, dice
from kibitz.core.errors import BadValue
from kibitz.core.options import Option
from kibitz.core.playout import guess_world, value_of, who
from kibitz.core.spec import Spec

MINDS = ("paranoid", "offensive", "maxn")


class Mpmix(Agent):
    """Play paranoid when far ahead, offensive when far behind, else max^n (Zuckerman, Felner and Kraus 2009)."""

    OPTIONS = {
        "defend": Option(1.0, "the lead, in units of the value, from which to play paranoid", least=0),
        "attack": Option(1.0, "the leader's lead, in units of the value, from which to play offensive", least=0),
        **EverySeat.COMMON,
    }

    def prepare(self, defend: float, attack: float, **options: Any) -> None:
        """Build the three minds."""
        if options["memory"] < len(MINDS):
            raise BadValue(f"mpmix: memory={options['memory']} is too little for its three searches; it takes 3")
        options["memory"] //= len(MINDS)
        self.defend, self.attack = defend, attack
        self.value = self.game.value(options["value"] or self.game.usual_value)
        self.worlds = options["worlds"] if self.game.hidden else 1
        given = {
            name: value if isinstance(value, Spec) else Spec(str(value))
            for name, value in options.items()
            if value is not None
        }
        self.minds = {name: build(Spec(name, given), self.game, self.seed) for name in MINDS}
        self._decisions = 0

    def decide(self, view: np.ndarray) -> Decision:
        """Choose who decides, once a move."""
        return self.minds[self.mood(view)].decide(view)

    def mood(self, view: np.ndarray) -> str:
        """Return the name of the search that fits the position, by the seats' average worth over worlds."""
        seat = int(who(self.game.rules, view))
        self._decisions += 1
        rng = dice(derive(self.seed, 2, self._decisions))
        worth, sums = np.zeros(self.game.seats), np.zeros(self.game.seats)
        for _ in range(self.worlds):
            world = view.copy()
            guess_world(self.game.rules, world, seat, rng)
            value_of(self.value.handle, self.value.weights, world, worth)
            sums += worth
        first, second = sorted(sums / self.worlds, reverse=True)[:2]
        if int(sums.argmax()) == seat:
            return "paranoid" if first - second >= self.defend else "maxn"
        return "offensive" if first - second >= self.attack else "maxn"
