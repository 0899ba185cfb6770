"""The audit: games from a process that runs other people's code are replayed before they count.

Code that shares a process with the referee can make it report anything. The result of a game follows from its deal and
its moves, so it is not taken on trust. Who failed, and how long a move took, cannot be replayed.
"""

import json
from collections.abc import Sequence

import numpy as np

from kibitz.arena.plan.fixture import Fixture
from kibitz.arena.plan.limits import Limits
from kibitz.arena.play.batch import Batch, hash_moves
from kibitz.arena.play.reason import Killed, Reason
from kibitz.core.contract import CHANCE, OVER
from kibitz.core.dice import dice, dice_all
from kibitz.core.game import Game
from kibitz.core.last_position import last_position
from kibitz.core.playout import replay_games
from kibitz.core.record import RecordLines
from kibitz.core.rolls import roll_keys

BY_THE_RULES = (Reason.WON, Reason.DRAWN)
NO_BATCH = "what it handed back is not a batch of games"
NOT_LEGAL = "is not legal"
NOT_ROLLED = "is not what chance did"
NO_RECORD = "its record cannot be read"
_WIDE = 2**63
_THOUGHTS = ("seats", "seconds", "values", "nodes", "depth", "cpu")


class Audit:
    """Replays the games of one plan."""

    def __init__(self, game: Game, agents: Sequence[str], limits: Limits, judged: bool = False):
        self.game, self.agents, self.most_plies = game, agents, limits.plies
        self.judged = judged  # whether one of our pools has judged the games, and may have declared some void
        self._lines = RecordLines(game)

    def look(self, batch: Batch, fixtures: Sequence[Fixture]) -> list[str]:
        """Return for each game what is wrong with it, or an empty text; records must have been kept."""
        if not _is_whole(batch, fixtures, self.game.seats):
            return [NO_BATCH] * len(fixtures)
        made = [_moves(line) for line in batch.records]
        plies = np.array([len(moves or ()) for moves in made], dtype=np.int64)
        moves = np.zeros((len(made), int(plies.max(initial=1))), dtype=np.int64)
        for row, found in enumerate(made):
            moves[row, : plies[row]] = found or ()
        again = _Replay(self.game, fixtures, moves, plies)
        hashes = hash_moves(moves, plies)
        return [
            NO_RECORD if found is None else self._complaint(batch, row, fixture, found, again, int(hashes[row]))
            for row, (fixture, found) in enumerate(zip(fixtures, made, strict=True))
        ]

    def _complaint(
        self, batch: Batch, row: int, fixture: Fixture, made: list[int], again: "_Replay", hashed: int
    ) -> str:
        """Return what is wrong with a game whose record can be read."""
        opening, over = list(fixture.opening), bool(again.turns[row] == OVER)
        if again.plies[row] < len(made):
            rolled = again.turns[row] == CHANCE
            wrong = NOT_ROLLED if rolled else NOT_LEGAL
            return f"its move {made[again.plies[row]]} at ply {again.plies[row]} {wrong}"
        if (made[: len(opening)], tuple(batch.seatings[row].tolist())) != (opening, fixture.seating):
            return "its opening or its seating is not the one asked for"
        earned = again.payoffs[row].tolist() if over else None
        names = tuple(self.agents[agent] for agent in fixture.seating)
        line = self._lines.line(fixture.deal_seed, names, list(fixture.agent_seeds), made, earned)
        if batch.records[row] != line:
            return f"its moves lead to {earned or 'an unfinished game'}, and its record says something else"
        if (batch.plies[row], batch.move_hashes[row]) != (len(made), hashed):
            return f"it has {len(made)} moves, and {batch.plies[row]} are counted"
        if batch.moves[row].tolist() != again.moved[row].tolist():
            return "the moves of its seats are not counted as they were made"
        if json.loads(batch.move_stats[row] or "{}").get("drawn_by", "") != self._drawn_by(fixture, made, earned):
            return "it reports another kind of draw than its moves lead to"
        if again.turns[row] == CHANCE:
            return "it ends before what chance does"
        return self._wrong_end(batch, row, fixture, earned, again)

    def _drawn_by(self, fixture: Fixture, made: list[int], earned: list[float] | None) -> str:
        """Return the cause of a draw; an empty text for other games."""
        if earned is None or earned.count(max(earned)) == 1 or not self.game.tells_draws:
            return ""
        moves = np.array(made, dtype=np.int64)
        return self.game.drawn_by(last_position(self.game, fixture.deal_seed, moves, self.game.new_state()))

    def _wrong_end(self, batch: Batch, row: int, fixture: Fixture, earned: list[float] | None, again: "_Replay") -> str:
        """Return what is wrong with the reason and the payoff of a game, or an empty text."""
        reason, offender, payoff = batch.reasons[row], int(batch.offenders[row]), batch.payoffs[row].tolist()
        names = [self.agents[agent] for agent in fixture.seating]
        plies, opening, seats = int(batch.plies[row]), len(fixture.opening), self.game.seats
        turn, decided = int(again.turns[row]), int(again.decided[row])
        if earned is not None:
            won = Reason.WON if earned.count(max(earned)) == 1 else Reason.DRAWN
            fits = (reason, offender, payoff) == (won, -1, earned)
        elif reason == Reason.CAP or (self.judged and reason == Reason.VOID):
            capped = self.most_plies is not None and decided <= max(self.most_plies, opening) <= plies
            fits = (reason == Reason.VOID or capped) and (offender, payoff) == (-1, self.game.scoring.level(seats))
        else:
            to_blame = offender == turn or (decided <= opening and 0 <= offender < seats)
            fits = reason not in (*BY_THE_RULES, Reason.VOID) and to_blame
            fits = fits and payoff == self.game.scoring.failed(names, offender)
        if fits and (self.judged or bool(batch.faults[row]) == (offender >= 0)):
            return ""
        return f"it reports the end {reason} with {payoff}, but its moves lead to {earned or 'no end'}"


class _Replay:
    """Replayed games: how far, who is to move then, the moves of each seat, and the payoffs."""

    def __init__(self, game: Game, fixtures: Sequence[Fixture], moves: np.ndarray, plies: np.ndarray):
        shape = (len(fixtures), game.seats)
        self.plies, self.turns = plies.copy(), np.zeros(len(fixtures), dtype=np.int64)
        self.decided = np.zeros(len(fixtures), dtype=np.int64)
        self.moved, self.payoffs = np.zeros(shape, dtype=np.int64), np.zeros(shape)
        seeds = [fixture.deal_seed for fixture in fixtures]
        deals = dice_all(np.array(seeds, dtype=np.uint64))
        openings = np.array([len(fixture.opening) for fixture in fixtures], dtype=np.int64)
        replay_games(
            game.rules, game.encoded_options, deals, roll_keys(seeds, game.chance), dice(0), moves, openings,
            game.new_state(), game.new_moves(), self.plies, self.decided, self.turns,
            self.moved.reshape(-1), self.payoffs.reshape(-1),
        )  # fmt: skip


def _moves(line: str) -> list[int] | None:
    """Return the moves in a record, or None if there are none; the whole line is compared later."""
    try:
        found = json.loads(line)["moves"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    whole = isinstance(found, list) and all(type(move) is int and abs(move) < _WIDE for move in found)
    return found if whole else None


def _is_whole(batch: Batch, fixtures: Sequence[Fixture], seats: int) -> bool:
    """Return whether a batch has the columns that it must have, of the right kinds and lengths."""
    games = len(fixtures)
    columns = {"numbers": "i", "plies": "i", "offenders": "i", "move_hashes": "i"}
    tables = {"seatings": "i", "moves": "i", "payoffs": "f", "seconds": "f"}
    texts = {"reasons": Reason, "faults": str, "records": str, "move_stats": str, "killed": Killed}
    return (
        all(_is_array(getattr(batch, name), kind, (games,)) for name, kind in columns.items())
        and all(_is_array(getattr(batch, name), kind, (games, seats)) for name, kind in tables.items())
        and all(_is_list(getattr(batch, name), kind, games) for name, kind in texts.items())
        and batch.numbers.tolist() == [fixture.number for fixture in fixtures]
        and bool((np.isfinite(batch.seconds) & (batch.seconds >= 0)).all())
        and all(map(_is_remarks, batch.move_stats))
    )


def _is_array(column: object, kind: str, shape: tuple[int, ...]) -> bool:
    return type(column) is np.ndarray and column.dtype.kind == kind and column.shape == shape


def _is_list(column: object, kind: type, games: int) -> bool:
    return type(column) is list and len(column) == games and all(type(entry) is kind for entry in column)


def _is_remarks(line: str) -> bool:
    """Return whether a line is an annotation, with equally many entries of each kind if it covers moves."""
    if not line:
        return True
    try:
        found = json.loads(line)
        called, drawn_by, plies = found.pop("called", []), found.pop("drawn_by", ""), found.pop("plies", [])
        texts = type(called) is list and all(type(name) is str for name in (*called, drawn_by))
        if plies and (len(plies) != len(found["seats"]) or not all(type(ply) is int and ply >= 0 for ply in plies)):
            return False
        return texts and (not found or len({len(found[name]) for name in _THOUGHTS}) == 1)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return False
