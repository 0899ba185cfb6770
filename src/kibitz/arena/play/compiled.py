"""Compiled games: games between policies, a batch at a time, with no Python in between."""

import json
from collections.abc import Generator, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from time import perf_counter
from typing import Any, Protocol

import numpy as np

from kibitz.arena.plan.fixture import Fixture
from kibitz.arena.plan.limits import Limits
from kibitz.arena.plan.schedule import ChunkSize
from kibitz.arena.play.batch import Batch, hash_moves
from kibitz.arena.play.reason import Killed, Reason
from kibitz.arena.play.referee import refused
from kibitz.core.dice import dice, dice_all
from kibitz.core.errors import BadGame, BadValue
from kibitz.core.game import Game
from kibitz.core.heuristics import RANDOM, BoundHeuristic
from kibitz.core.last_position import last_position
from kibitz.core.native import halted
from kibitz.core.policy_games import policy_games
from kibitz.core.record import RecordLines
from kibitz.core.rolls import roll_keys
from kibitz.core.user_files import is_path

SECONDS_A_BATCH, FIRST_BATCH, MOST_A_BATCH = 0.05, 64, 2048
AHEAD = 2  # batches submitted beyond one per thread
USUAL_LENGTH = 256  # moves that fit before a game is known to be longer
ENDLESS = 2**62


def play_on_threads(compiled: "CompiledGames", fixtures: Iterable[Fixture], jobs: int) -> Generator[Batch, None, None]:
    """Play fixtures on threads; batches come as they are finished."""
    waiting, chunk_size = iter(fixtures), ChunkSize(SECONDS_A_BATCH, FIRST_BATCH, MOST_A_BATCH)
    if jobs == 1:
        while chunk := chunk_size.take(waiting):
            yield compiled.play(chunk, chunk_size)
        return
    threads = ThreadPoolExecutor(jobs)
    playing: set[Future[Batch]] = set()
    try:
        while True:
            while len(playing) < jobs + AHEAD and (chunk := chunk_size.take(waiting)):
                playing.add(threads.submit(compiled.play, chunk, chunk_size))
            if not playing:
                return
            done, playing = wait(playing, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()
    finally:
        with halted():
            threads.shutdown(cancel_futures=True)


class CardPlayer(Protocol):
    """A graphics card that plays games between policies."""

    def play(self, *given: Any) -> None:
        """Play games and write what came of them; one that a rule breaks off has plies below -1."""


class CompiledGames:
    """Plays fixtures between agents that are nothing but policies, on processors or on a graphics card."""

    def __init__(
        self, game: Game, agents: Sequence[str], policies: Sequence[BoundHeuristic], limits: Limits, keep_records: bool,
        card: CardPlayer | None = None,
    ):  # fmt: skip
        self.game, self.agents, self.policies, self.limits = game, agents, policies, limits
        self.keep_records, self.card = keep_records, card
        handles = np.array([policy.handle for policy in policies])  # plain functions where nothing is compiled
        self.handles = handles if handles.dtype == object else handles.astype(np.int64)
        width = max(len(policy.weights) for policy in policies)
        self.by_index = np.array([picks_by_index(game, policy) for policy in policies], dtype=np.int64)
        self.weights = np.array([np.pad(policy.weights, (0, width - len(policy.weights))) for policy in policies])
        self.lines = RecordLines(game)
        self.longest, self.length = 1, USUAL_LENGTH
        self.play([Fixture(0, 0, (0,) * game.seats, 0, (0,) * game.seats)])  # loads the code, off the clock
        self.longest = ENDLESS if limits.plies is None else limits.plies

    def play(self, chunk: Sequence[Fixture], chunk_size: ChunkSize | None = None) -> Batch:
        """Play fixtures, and adapt the size of chunks to the time they took."""
        begun = perf_counter()
        numbers = np.array([fixture.number for fixture in chunk], dtype=np.int64)
        seatings = np.array([fixture.seating for fixture in chunk], dtype=np.int64)
        deals = np.array([fixture.deal_seed for fixture in chunk], dtype=np.uint64)
        minds = np.array([fixture.agent_seeds for fixture in chunk], dtype=np.uint64)
        offenders, tried = np.full(len(chunk), -1), np.zeros(len(chunk), dtype=np.int64)
        payoffs, plies, moves, kept = self._games(chunk, seatings, deals, minds, offenders, tried)
        unfinished = np.isnan(payoffs[:, 0])
        best = payoffs == payoffs.max(axis=1, keepdims=True)
        reasons = [Reason.WON if alone else Reason.DRAWN for alone in best.sum(axis=1) == 1]
        for row in np.flatnonzero(unfinished).tolist():
            reasons[row] = Reason.CAP
        records = self._records(chunk, kept, plies, payoffs) if self.keep_records else []
        payoffs[unfinished], faults = self.game.scoring.level(self.game.seats), [""] * len(chunk)
        for row in np.flatnonzero(offenders >= 0).tolist():
            end = refused(self.game, self.agents, chunk[row], kept[row, : plies[row]].tolist(), int(tried[row]))
            payoffs[row], reasons[row], faults[row] = end.payoff, end.reason, end.fault
        if chunk_size is not None:
            chunk_size.learn(len(chunk), perf_counter() - begun)
        return Batch(
            numbers, seatings, payoffs, plies, np.zeros(moves.shape), moves, reasons, offenders,
            faults, hash_moves(kept, plies), records, self._remarks(deals, kept, plies, reasons),
            [Killed.NO] * len(chunk),
        )  # fmt: skip

    def _games(
        self, chunk: Sequence[Fixture], seatings: np.ndarray, deals: np.ndarray, minds: np.ndarray,
        offenders: np.ndarray, tried: np.ndarray,
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:  # fmt: skip
        """Return payoffs (nan where a game is not over), plies, moves by seat, and all moves; write offenders."""
        game, seated = self.game, seatings.ravel()
        payoffs, plies = np.full(seatings.shape, np.nan), np.zeros(len(chunk), dtype=np.int64)
        moves = np.zeros(seatings.shape, dtype=np.int64)
        openings = np.array([len(fixture.opening) for fixture in chunk], dtype=np.int64)
        length = max(int(openings.max()), min(self.length, self.longest))
        keys = roll_keys(deals.tolist(), game.chance)
        while True:
            kept = np.zeros((len(chunk), length), dtype=np.int64)
            for row in np.flatnonzero(openings).tolist():
                kept[row, : openings[row]] = chunk[row].opening
            moves[:] = 0
            self._play_all(
                seated, dice_all(deals), keys, dice_all(minds).ravel(), openings, payoffs.reshape(-1), plies,
                moves.reshape(-1), kept.reshape(-1), length, offenders, tried,
            )  # fmt: skip
            if plies.min() < -1:
                self._explain(chunk[int(np.argmin(plies))])
            if (plies < 0).any():
                number = chunk[int(np.argmin(plies))].number
                raise BadValue(f"the opening of game {number + 1} cannot be played")
            if plies.max() <= length:
                return payoffs, plies, moves, kept
            length = self.length = int(plies.max())

    def _play_all(
        self, seated: np.ndarray, deals: np.ndarray, keys: np.ndarray, minds: np.ndarray, openings: np.ndarray,
        *found: Any,
    ) -> None:  # fmt: skip
        """Play games on the device."""
        game, which = self.game, self.by_index
        if self.card is not None:
            self.card.play(which, seated, deals, keys, minds, openings, self.longest, *found)
            return
        state, observation, room = game.new_state(), game.new_state(), game.new_moves()
        policy_games(
            game.rules, game.encoded_options, self.handles, which, self.weights.ravel(), seated, deals, keys, dice(0),
            minds, openings, self.longest, state, observation, room, *found,
        )  # fmt: skip

    def _explain(self, fixture: Fixture) -> None:
        """Raise the error of a game that a rule has broken off on a graphics card, where errors say nothing."""
        CompiledGames(self.game, self.agents, self.policies, self.limits, False).play([fixture])
        raise BadGame(f"{self.game}: a rule fails in game {fixture.number + 1} on a graphics card only")

    def _records(self, chunk: Sequence[Fixture], kept: np.ndarray, plies: np.ndarray, payoffs: np.ndarray) -> list[str]:
        seatings = {fixture.seating for fixture in chunk}
        names = {seating: tuple(self.agents[agent] for agent in seating) for seating in seatings}
        lines, rows = [], kept[:, : plies.max()].tolist()
        for fixture, made, ply, payoff in zip(chunk, rows, plies.tolist(), payoffs.tolist(), strict=True):
            earned = None if payoff[0] != payoff[0] else payoff
            seeds = list(fixture.agent_seeds)
            lines.append(self.lines.line(fixture.deal_seed, names[fixture.seating], seeds, made[:ply], earned))
        return lines

    def _remarks(self, deals: np.ndarray, kept: np.ndarray, plies: np.ndarray, reasons: Sequence[Reason]) -> list[str]:
        """Return for each game the cause of a draw as a line of JSON; empty for other games."""
        found, state = [""] * len(reasons), self.game.new_state()
        for row in [row for row, reason in enumerate(reasons) if reason == Reason.DRAWN and self.game.tells_draws]:
            end = last_position(self.game, int(deals[row]), kept[row, : plies[row]], state)
            found[row] = json.dumps({"drawn_by": self.game.drawn_by(end)})
        return found


def picks_by_index(game: Game, policy: BoundHeuristic) -> bool:
    """Return whether a policy can only pick legal moves: the random one, which takes an entry of their list.

    A game may have a rule that finds the entry without the list; for games that come with Kibitz, tests check it.
    """
    return policy.handle == RANDOM.handle and not (game.has("sample") and is_path(game.name))
