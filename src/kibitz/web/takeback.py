"""A takeback: moves are taken back to somebody's last choice; where other people play, they must agree first."""

from typing import TYPE_CHECKING

from kibitz.web.messages import RequestRefused
from kibitz.web.table_data import UndoRequest

if TYPE_CHECKING:
    from kibitz.web.table_session import TableSession


async def ask_to_undo(session: "TableSession", seats: set[int]) -> None:
    """Take back to the last choice of some seats; if other people play, ask them instead."""
    ply = _last_choice(session, seats)
    if session.has_secrets and session.guests_to_come():
        raise RequestRefused("a seat is still free for a guest, who would have to agree; wait for the guest")
    if not set(session.persons()) - seats:
        await session.take_back(ply)
    elif session.table.over and session.game.hidden:
        raise RequestRefused("the game is over and the hands are open; play on from an earlier position instead")
    else:
        await session.keep_undo(UndoRequest(session.history.movers[ply], []))


async def answer_undo(session: "TableSession", seats: set[int], yes: bool) -> None:
    """Take back if everybody who is asked has agreed now; forget the request if somebody does not."""
    asked = session.data.undo
    if asked is None:
        raise RequestRefused("nobody asks to take back a move")
    if not seats - {asked.by}:
        raise RequestRefused("the other people must agree, not the one who asks")
    agreed = seats | set(asked.agreed)
    if not yes:
        await session.keep_undo(None)
    elif set(session.persons()) - {asked.by} <= agreed:
        await session.take_back(_last_choice(session, {asked.by}))
    else:
        await session.keep_undo(UndoRequest(asked.by, sorted(agreed)))


def _last_choice(session: "TableSession", seats: set[int]) -> int:
    """Return the ply at which one of some seats last made a choice."""
    history = session.history
    chosen = [ply for ply, mover in enumerate(history.movers) if mover in seats and not history.notes[ply].auto]
    if not chosen:
        raise RequestRefused("there is nothing to take back")
    return chosen[-1]
