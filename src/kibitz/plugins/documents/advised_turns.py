"""A search of whole turns that are made of the moves networks name, as section 5.3 of the Cartagena thesis has it."""

from collections.abc import Mapping
from typing import Any

from kibitz.agents.search.whole_turns import TurnBuffers, turn_buffers
from kibitz.agents.turnwise import Turnwise
from kibitz.core.game import Game
from kibitz.plugins.documents.advice import Advice, keep_advised


class AdvisedTurns(Turnwise):
    """Search whole turns, at each step those of named moves; of the best by value where none is legal."""

    def __init__(self, text: str, game: Game, seed: int, options: Mapping[str, Any], advice: Advice):
        self._advice = advice
        super().__init__(text, game, seed, options)

    def _buffers(self) -> TurnBuffers:
        return turn_buffers(self.game, self.value, (keep_advised.handle,), self._advice.dice)
