"""Looking closely at one position: the best moves, what they are worth to every seat, and the play expected."""

from pathlib import Path
from typing import Any

from kibitz.agents import build
from kibitz.agents.agent import Decision
from kibitz.core.dice import dice, roll
from kibitz.core.errors import BadRecord, BadValue
from kibitz.core.record import read_records
from kibitz.core.table import Table
from kibitz.games import find


def position(what: str, ply: int | None, number: int, seed: int, trusted: bool) -> Table:
    """Return the table after so many plies of a record in a file, or of a random game."""
    if Path(what).is_file():
        records = list(read_records(Path(what), trusted))
        if not 1 <= number <= len(records):
            raise BadValue(f"there is no record {number} in {what}; it holds 1 to {len(records)}")
        record = records[number - 1]
        plies = len(record.moves) if ply is None else ply
        if plies > len(record.moves):
            raise BadValue(f"record {number} of {what} has {len(record.moves)} plies, so there is no ply {ply}")
        table = record.replay(find, plies)
    else:
        table, rng = Table(find(what), seed), dice(seed)
        while not table.over and table.ply < (ply or 0):
            moves = table.moves()
            table.play(moves[roll(rng, len(moves))])
    if table.over:
        raise BadRecord(f"the game is over at ply {table.ply}; there is nothing to choose")
    return table


def analyse(table: Table, agent: str, top: int, seed: int) -> dict[str, Any]:
    """Return the best moves of the seat to move as plain data."""
    if top < 1:
        raise BadValue(f"--top must be at least 1, not {top}")
    game = table.game
    view = table.view(table.turn)
    decisions = build(agent, game, seed).consider(view, top)
    return {
        "game": str(game),
        "ply": table.ply,
        "seat": table.turn,
        "agent": agent,
        "moves": [
            {
                "move": game.write(view, decision.move),
                "worth": decision.considered.get(decision.move),
                "values": decision.values,
                "line": _line(table, decision),
                "nodes": decision.nodes,
                "visits": decision.visits,
                "depth": decision.depth,
                "exact": decision.exact,
            }
            for decision in decisions
        ],
    }


def _line(table: Table, decision: Decision) -> list[str]:
    """Return the play expected as text; in a hidden game only the first move, as the rest is of one guessed world."""
    if table.game.hidden:
        return [table.write(decision.move)]
    ahead, texts = Table(table.game, table.seed), []
    for move in table.moves_made:
        ahead.play(move)
    for move in decision.line:
        texts.append(ahead.write(move))
        ahead.play(move)
    return texts


def sheet(found: dict[str, Any], seat_names: Any) -> Any:
    """Return an analysis as a table for a person."""
    from rich.table import Table as Sheet

    title = f"{found['game']}, ply {found['ply']}, {seat_names[found['seat']]} to move, by {found['agent']}"
    table = Sheet("move", "worth", title=title, title_justify="left")
    for name in seat_names:
        table.add_column(name, justify="right")
    table.add_column("line of play")
    for entry in found["moves"]:
        worth = "" if entry["worth"] is None else _number(entry["worth"])
        shares = [_number(value) for value in entry["values"]] if entry["values"] else [""] * len(seat_names)
        table.add_row(entry["move"], worth, *shares, " ".join(entry["line"]))
    first = found["moves"][0]
    effort = [f"{first[what]:,} {what}" for what in ("nodes", "visits", "depth") if first[what]]
    table.caption = ", ".join([*effort, *(["proved to the end"] if first["exact"] else [])])
    return table


def _number(value: float) -> str:
    if abs(value) >= 1e5:
        return "won" if value > 0 else "lost"
    return f"{value:.3f}"
