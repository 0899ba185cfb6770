"""A table as it is shown: the messages that tell one connection what it may know, and nothing else."""

from contextlib import suppress
from typing import TYPE_CHECKING

from msgspec import UNSET, UnsetType

from kibitz import __version__
from kibitz.core.errors import BadValue
from kibitz.core.world import World
from kibitz.web import viewpoint
from kibitz.web.messages import PROTOCOL
from kibitz.web.server_messages import PositionMessage, ShownSeat, StateMessage
from kibitz.web.table_seat import AGENT
from kibitz.web.viewpoint import ALL, shown_viewer

if TYPE_CHECKING:
    from kibitz.web.connection import Connection
    from kibitz.web.table_session import TableSession


def state(session: "TableSession", connection: "Connection") -> StateMessage:
    """Return all that a connection may know now, the log from where it knows it."""
    table, game, data, history = session.table, session.game, session.data, session.history
    viewer, may_move, yours = connection.viewer(), connection.may_move(), connection.seats
    allowlist, revealed, turn = session.lobby.allowlist, session.revealed, session.turn
    last = history.last(session.ply, viewer)
    moves = viewpoint.known_moves(table, viewer, revealed)
    scene = game.scene(history.view(viewer), moves)
    if moves:
        history.note_keys(viewer, viewpoint.touched(scene))
    return StateMessage(
        table=session.id, protocol=PROTOCOL, version=__version__, game=allowlist.label(game),
        game_text=allowlist.shown(game, revealed), name=data.name, ply=session.ply,
        turn=None if table.over else table.turn, seat_names=list(game.seat_names), seats=_seats(session, yours),
        you=sorted(yours), bench=session.editor, owner=connection.owner, read_only=session.read_only,
        playing_on=data.playing_on, while_watched=session.goes_on_while_watched, hidden=game.hidden,
        sees=shown_viewer(viewer), hand_over=connection.hand_over(), over=table.over,
        payoff=table.payoff() if table.over else None, result=session.result(bool(yours)),
        unit=game.scoring.unit, scene=viewpoint.shown_scene(scene),
        legal=viewpoint.legal_moves(game, history.view(table.turn), table.moves()) if may_move else [],
        prompt=scene.prompt if may_move else "", last=last,
        since=history.since(yours, viewer) if len(yours) == 1 else None,
        log_from=connection.known, log=history.log(connection.known, viewer, revealed), thinking=turn.thinking(),
        trouble=turn.trouble, caution=_caution(session), undo_asked_by=None if data.undo is None else data.undo.by,
        rematch=data.rematch, branch_of=data.branch_of, position_text=_position_text(session),
    )  # fmt: skip


def _seats(session: "TableSession", yours: set[int]) -> list[ShownSeat]:
    present = {seat for other in session.connections for seat in other.seats}
    return [
        ShownSeat(seat.who, seat.label, session.shown_agent(seat.text), number in yours, number in present)
        for number, seat in enumerate(session.seats)
    ]


def _caution(session: "TableSession") -> str:
    """Return what those who play must know where programs could find out what is hidden; else nothing."""
    if not session.has_secrets or session.table.over:
        return ""
    agents = [seat.text for seat in session.seats if seat.who == AGENT]
    return session.lobby.allowlist.caution(agents, session.game)


def _position_text(session: "TableSession") -> str | UnsetType:
    """Return the position as a text where everything is open and the game can write it."""
    if session.revealed:
        with suppress(BadValue):
            return session.game.position_text(session.history.view(ALL))
    return UNSET


def position(session: "TableSession", connection: "Connection", world: World, ply: int, viewer: int) -> PositionMessage:
    """Return a position to look at; in an editor with what can be played there."""
    moves = viewpoint.known_moves(world, viewer, session.revealed)
    view = viewpoint.seen(session.game, world, viewer)
    playable = moves if session.editor and connection.takes_part else []
    return PositionMessage(
        ply=ply, scene=viewpoint.shown_scene(session.game.scene(view, moves)),
        turn=world.turn if world.turn >= 0 else None,
        sees=shown_viewer(viewer),
        legal=viewpoint.legal_moves(session.game, world.view(max(world.turn, 0)), playable) if playable else UNSET,
    )  # fmt: skip
