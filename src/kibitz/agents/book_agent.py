"""Agents with an opening book: any agent, asked only where the book has no move."""

from typing import Any

import numpy as np

from kibitz.agents.agent import Agent, Decision, ValueScale
from kibitz.core.options import Option
from kibitz.networks.opening_book import Book

BOOK = "book"
BOOK_OPTION = Option("none", "an opening book, by name or path, that is asked first", by_name=True)
ENDED = "book"


class BookAgent(Agent):
    """An agent that plays by a book as long as it holds the position."""

    def __init__(self, inner: Agent, book: Book, text: str):
        self.inner, self.book = inner, book
        self.numbers = inner.numbers
        super().__init__(text, inner.game, inner.seed, {})

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__dict__["inner"], name)

    @property
    def name(self) -> str:
        """The name of the agent that has the book."""
        return self.inner.name

    def decide(self, view: np.ndarray) -> Decision:
        """Return the book's move, or what the agent decides."""
        return self._by_book(view) or self.inner.decide(view)

    def consider(self, view: np.ndarray, top: int) -> list[Decision]:
        """Return the book's move, then the best moves of the agent."""
        found = self._by_book(view)
        if found is None:
            return self.inner.consider(view, top)
        return [found, *(one for one in self.inner.consider(view, top) if one.move != found.move)][:top]

    def _by_book(self, view: np.ndarray) -> Decision | None:
        found = self.book.best(self.game, view, self.legal(view))
        if found is None:
            return None
        move, count, worth = found
        why = f"the book: chosen {count} times, worth {worth:.4g}"
        return Decision(move, line=[move], considered={move: worth}, why=why)

    def warm_up(self, view: np.ndarray) -> None:
        """Load or compile the code that a decision needs."""
        self._by_book(view)
        self.inner.warm_up(view)

    def scale(self) -> ValueScale:
        """Return what the agent's numbers mean."""
        return self.inner.scale()

    def progress(self) -> dict[str, int]:
        """Return the agent's counters."""
        return self.inner.progress()

    def expected(self, found: Decision, move: int) -> list[int]:
        """Return the agent's principal variation after a move."""
        return self.inner.expected(found, move)
