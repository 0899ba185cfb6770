"""A game's history: the moves made at a table, the positions between them, and what each viewer was told."""

import numpy as np
from msgspec import UNSET
from msgspec.structs import asdict

from kibitz.agents.external_agent import Event
from kibitz.core.contract import CHANCE
from kibitz.core.game import Game
from kibitz.core.scene import news_beside
from kibitz.core.table import Table
from kibitz.core.world import World
from kibitz.web import viewpoint
from kibitz.web.messages import RequestRefused
from kibitz.web.server_messages import LastMove, LogEntry, SinceTurn
from kibitz.web.table_data import MoveNote
from kibitz.web.viewpoint import ALL

MOST_SINCE = 24  # moves of others that are marked
KEPT_EVERY = 8  # plies between two positions that are kept


class GameHistory:
    """A table with all that was seen and said of its moves; viewers are as in viewpoint.py."""

    def __init__(self, game: Game, seed: int):
        self.game, self.table = game, Table(game, seed)
        self.notes: list[MoveNote] = []
        self.movers: list[int] = []
        self._texts: list[dict[int, str | None]] = []
        self._news: list[dict[int, list[str]]] = []
        self._positions: list[np.ndarray] = []
        self._views: dict[int, np.ndarray] = {}
        self._note_rolls(0)
        self._keys_ahead: dict[int, tuple[int, dict[int, list[str]]]] = {}  # by viewer: a ply, and keys by move
        self._keys: dict[tuple[int, int], list[str]] = {}  # by viewer and ply: what the move made there touched

    def _all_views(self, position: Table | World) -> dict[int, np.ndarray]:
        return {viewer: viewpoint.seen(self.game, position, viewer) for viewer in viewpoint.viewers(self.game)}

    def _note_rolls(self, ply: int) -> None:
        """Note the position after `ply` moves, and then what chance has done."""
        rolls = self.table.rolls
        before = [World(self.game, roll.before[: self.game.size]) for roll in rolls]
        self._keep(ply, before[0] if before else self.table)
        following: list[Table | World] = [*before[1:], self.table]
        for roll, after in zip(rolls, following[: len(rolls)], strict=True):
            views, text = self._views, self.table.roll_text(roll)
            self._keep(roll.ply + 1, after)
            self._note(dict.fromkeys(viewpoint.viewers(self.game), text), views, CHANCE, MoveNote(auto=True))

    def _keep(self, ply: int, position: Table | World) -> None:
        self._views = self._all_views(position)
        if ply % KEPT_EVERY == 0:
            self._positions.append(self._views[ALL])

    def _note(self, texts: dict[int, str | None], before: dict[int, np.ndarray], mover: int, note: MoveNote) -> None:
        changes = viewpoint.news(self.game, before, self._views)
        self._news.append({viewer: news_beside(texts.get(viewer) or "", lines) for viewer, lines in changes.items()})
        self._texts.append(texts)
        self.movers.append(mover)
        self.notes.append(note)

    def push(self, move: int, note: MoveNote) -> None:
        """Make a move; chance does its part at once."""
        texts, mover, before, ply = viewpoint.told(self.table, move), self.table.turn, self._views, self.table.ply
        self.table.play(move)
        rolls = self.table.rolls
        after = World(self.game, rolls[0].before[: self.game.size]) if rolls else self.table
        self._views = self._all_views(after)
        self._note(texts, before, mover, note)
        self._note_rolls(ply + 1)

    def cut(self, ply: int) -> None:
        """Take back all moves from a ply on."""
        self.table.undo(self.table.ply - ply)
        ply = self.table.ply
        for entries in (self._news, self._texts, self.movers, self.notes):
            del entries[ply:]
        del self._positions[ply // KEPT_EVERY + 1 :]
        self._keys_ahead.clear()
        self._keys.clear()
        self._views = self._all_views(self.table)

    def at(self, ply: int) -> World:
        """Return the position after `ply` moves."""
        if not 0 <= ply <= self.table.ply:
            raise RequestRefused(f"there is no ply {ply}; {self.table.ply} moves have been made")
        world = World(self.game, self._positions[ply // KEPT_EVERY])
        for move in self.table.moves_made[ply // KEPT_EVERY * KEPT_EVERY : ply]:
            world.play(move)
        return world

    def view(self, viewer: int) -> np.ndarray:
        """Return what a viewer sees now."""
        return self._views[self._as_kept(viewer)]

    def _as_kept(self, viewer: int) -> int:
        return viewer if self.game.hidden else ALL

    def _text(self, ply: int, viewer: int) -> str | None:
        return self._texts[ply][self._as_kept(viewer)]

    def events(self, seat: int) -> list[Event]:
        """Return what has happened in the game, as a seat was told it."""
        told = [self._text(ply, seat) for ply in range(self.table.ply)]
        movers = [_seat_or_none(mover) for mover in self.movers]
        moves = zip(movers, self.table.moves_made, told, strict=True)
        return [Event.told(ply, *move) for ply, move in enumerate(moves)]

    def log(self, since: int, viewer: int, with_thoughts: bool) -> list[LogEntry]:
        """Return what was played from a ply on, as a viewer may know it; thoughts may tell an agent's hand."""
        return [self._entry(ply, self._as_kept(viewer), with_thoughts) for ply in range(since, self.table.ply)]

    def _entry(self, ply: int, viewer: int, with_thoughts: bool) -> LogEntry:
        note = self.notes[ply]
        thoughts = asdict(note) if with_thoughts else {"agent": note.agent, "auto": note.auto}
        return LogEntry(
            **{**thoughts, "seconds": note.seconds or None}, ply=ply, seat=_seat_or_none(self.movers[ply]),
            text=self._texts[ply][viewer], news=self._news[ply][viewer],
            move=self.table.moves_made[ply] if viewer == ALL else UNSET,
        )  # fmt: skip

    def last(self, ply: int, viewer: int) -> LastMove | None:
        """Return the move that led to a position, as far as a viewer may know it."""
        if ply == 0:
            return None
        return LastMove(
            self._touched(ply - 1, viewer), _seat_or_none(self.movers[ply - 1]), self._text(ply - 1, viewer)
        )

    def since(self, seats: set[int], viewer: int) -> SinceTurn:
        """Return from which ply on others have moved since one of some seats did, and what they touched."""
        ply = self.table.ply
        start = next((at + 1 for at in reversed(range(ply)) if self.movers[at] in seats), 0)
        start = max(start, ply - MOST_SINCE)
        keys = dict.fromkeys(key for at in range(start, ply) for key in self._touched(at, viewer))
        return SinceTurn(start, list(keys))

    def note_keys(self, viewer: int, keys: dict[int, list[str]]) -> None:
        """Remember which keys of the present scene each legal move touches, so that no scene is drawn twice."""
        self._keys_ahead[viewer] = self.table.ply, keys

    def _touched(self, ply: int, viewer: int) -> list[str]:
        """Return the keys of what the move made at a ply touched, if a viewer may know that move."""
        if self._text(ply, viewer) is None:
            return []
        if (viewer, ply) not in self._keys:
            known, keys = self._keys_ahead.get(viewer, (-1, {}))
            move = self.table.moves_made[ply]
            if known != ply:
                before = viewpoint.seen(self.game, self.at(ply), viewer)
                keys = viewpoint.touched(self.game.scene(before, [move]))
            self._keys[viewer, ply] = keys.get(move, [])
        return self._keys[viewer, ply]


def _seat_or_none(mover: int) -> int | None:
    """Return the seat that made a move; None for chance."""
    return None if mover == CHANCE else mover
