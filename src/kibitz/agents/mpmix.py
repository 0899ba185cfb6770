"""MP-Mix: defend a lead, attack a leader, otherwise play for oneself."""

from dataclasses import replace
from typing import Any

import numpy as np

from kibitz.agents import build
from kibitz.agents.agent import Agent, Decision
from kibitz.agents.search.determinization import guess_worlds
from kibitz.agents.search.settings import OPTIONS
from kibitz.core.dice import derive, dice
from kibitz.core.errors import BadValue
from kibitz.core.options import Option
from kibitz.core.playout import value_of, who
from kibitz.core.spec import Spec

SEARCHES = ("paranoid", "offensive", "maxn")


class Mpmix(Agent):
    """Play paranoid when far ahead, offensive when a rival is, else max^n (Zuckerman, Felner and Kraus 2009)."""

    OPTIONS = {
        "defend": Option(1.0, "the lead, in the units that the value declares, from which to play paranoid", least=0),
        "attack": Option(
            1.0, "the leader's lead over the next, in the same units, from which to play offensive", least=0
        ),
        **OPTIONS,
    }

    def prepare(self, defend: float, attack: float, **options: Any) -> None:
        """Build the three searches."""
        if options["memory"] < len(SEARCHES):
            raise BadValue(f"mpmix: memory={options['memory']} is too little for its three searches; it takes 3")
        options["memory"] //= len(SEARCHES)
        self.defend, self.attack = defend, attack
        self.value = self.game.value(options["value"] or self.game.usual_value)
        self.worlds = options["worlds"] if self.game.hidden else 1
        given = {
            name: value if isinstance(value, Spec) else Spec(str(value))
            for name, value in options.items()
            if value is not None
        }
        self.searches = {name: build(Spec(name, given), self.game, self.seed) for name in SEARCHES}
        self._decisions = 0

    def decide(self, view: np.ndarray) -> Decision:
        """Choose who decides, once a move."""
        strategy, why = self.strategy(view)
        return replace(self.searches[strategy].decide(view), why=why)

    def consider(self, view: np.ndarray, top: int) -> list[Decision]:
        """Return the best moves of the search that decides."""
        strategy, why = self.strategy(view)
        self.numbers = self.searches[strategy].numbers
        return [replace(decision, why=why) for decision in self.searches[strategy].consider(view, top)]

    def strategy(self, view: np.ndarray) -> tuple[str, str]:
        """Return the search that fits the position, by the average value of each seat over worlds, and why."""
        seat = int(who(self.game.rules, view))
        self._decisions += 1
        rng = dice(derive(self.seed, 2, self._decisions))
        values, sums = np.zeros(self.game.seats), np.zeros(self.game.seats)
        for world in guess_worlds(self.game, view, seat, rng, self.worlds):
            self.value.prepare(world, seat)
            value_of(self.game.rules, self.value.handle, self.value.weights, world, values)
            sums += values
        first, second = sorted(sums / self.worlds, reverse=True)[:2]
        leader, properties = int(sums.argmax()), self.value.properties
        name, least, strategy = (
            ("defend", self.defend, "paranoid") if leader == seat else ("attack", self.attack, "offensive")
        )
        enough = (first - second) / properties.per_unit >= least
        lead = f"{self.game.seat_names[leader]} leads by {properties.lead(first - second)}"
        strategy = strategy if enough else "maxn"
        return strategy, f"{lead}, {'no less' if enough else 'less'} than {name}={least:g}: {strategy}"
