"""Positions of random games, each with the truth, guesses of one seat, and what becomes of all of them.

One position is taken from each game, at a ply and from a seat chosen beforehand, so that positions are independent and
the choice depends on nothing that the seat does not know. The future is played with the same dice in all worlds.
"""

from dataclasses import dataclass

import numpy as np

from kibitz.core.arrays import Floats, Int64s
from kibitz.core.calls import deal, guess, moves, payoff, play, sample, seen, turn, view
from kibitz.core.contract import OVER, SEATS, SIZE, UNKNOWN
from kibitz.core.dice import derive, derive_all, dice, dice_all
from kibitz.core.game import Game
from kibitz.core.heuristics import RANDOM
from kibitz.core.laws.law import Position, turn_in_words
from kibitz.core.laws.walk import MOST_PLIES, advance, make_move, play_on, roomy, roomy_list
from kibitz.core.native import compiled, helper, offset, pointer
from kibitz.core.playout import deal_table, look, pick_once, who

GUESSES = 15  # in every position
WORLDS = 1 + GUESSES
AHEAD = (4, 16)  # moves after which the future is examined
PILOTS = 50  # games that show how long games are
MOST_TRIES = 4  # games tried for each position wanted; some end too early
MOST_HEARD = 128  # moves
MOST_SEED = 10**9  # of a deal, so that people can type it
LOOK_BITS = 63  # looks of moves are remembered by their remainder
_DEAL, _MOVE, _GUESS, _AHEAD, _PLY, _SEAT = range(6)  # streams of dice; each position has its own of the first four


@dataclass(frozen=True)
class GuessedPositions:
    """What positions look like to a seat, and their worlds, the truth first.

    What a seat was told are two numbers for each seat: which moves it made (a bit mask of looks) and its latest. What
    it heard are the first moves in order: who made them, from 1, and how they looked.
    """

    numbers: Int64s  # [position]: of the game, by which it can be played again
    plies: Int64s  # [position]
    seats: Int64s  # [position]: who guesses
    views: Int64s  # [position, cell]
    told: Int64s  # [position, 2 * seats]
    heard: Int64s  # [position, move, 2]
    now: Int64s  # [position, world, secret]
    later: Int64s  # [position, moment, world, cell]
    choices: Int64s  # [position, moment, world]: the number of legal moves, also now
    earned: Floats  # [position, world, seat]

    def __len__(self) -> int:
        return len(self.seats)

    @classmethod
    def joined(cls, batches: "list[GuessedPositions]") -> "GuessedPositions":
        """Return the positions of several batches."""
        return cls(*(np.concatenate(parts) for parts in zip(*(vars(each).values() for each in batches), strict=True)))


class GuessSampler:
    """A source of positions; `secrets` are the cells that some view hides, `watched` those examined in the future."""

    def __init__(self, game: Game, seed: int):
        self.game, self._seed = game, seed
        self._plies = _plies(game, seed)
        self._number = 0
        self.secrets = np.arange(0)
        self.watched = np.arange(0)
        self.secrets = np.flatnonzero((self.take(PILOTS).views == UNKNOWN).any(axis=0))

    def take(self, positions: int) -> GuessedPositions:
        """Take positions from as many new games; fewer if most games end too early."""
        taken, game = _room_for(self, positions), self.game
        state, room = roomy(game, np.zeros(game.size, dtype=np.int64)), roomy_list(game)
        view, truth, filled = state.copy(), state.copy(), 0
        for _ in range(MOST_TRIES * positions):
            if filled == positions:
                break
            number = self._number
            self._number += 1
            ply = self._plies[derive(self._seed, _PLY, number) % len(self._plies)]
            seat = derive(self._seed, _SEAT, number) % game.seats
            rng = dice_all(derive_all(self._seed, np.arange(4), number))
            rng[_DEAL] = dice(self._deal_seed(number))[0]
            taken.told[filled] = taken.heard[filled] = 0
            told, heard = taken.told[filled], taken.heard[filled]
            if _look(game.rules, game.encoded_options, rng, ply, seat, truth, view, told, heard, room):
                taken.numbers[filled], taken.plies[filled], taken.seats[filled] = number, ply, seat
                taken.views[filled] = view[: game.size]
                of_one = (part[filled] for part in (taken.now, taken.later, taken.choices, taken.earned))
                _compare(
                    game.rules, seat, rng, truth, view, self.secrets, self.watched, _AHEAD_PLIES, *of_one, state, room
                )
                filled += 1
        return _first(taken, filled)

    def place(self, number: int, ply: int, seat: int) -> Position:
        """Return how to reach a position that was taken; the seat is the one that guesses there."""
        game, made, texts = self.game, list[int](), list[str]()
        state, view, room = game.new_state(), game.new_state(), game.new_moves()
        deal_table(game.rules, state, game.encoded_options, dice(self._deal_seed(number)))
        rng = dice(derive(self._seed, _MOVE, number))
        for _ in range(ply):
            made.append(int(pick_once(game.rules, RANDOM.handle, RANDOM.weights, state, rng, room)))
            look(game.rules, state, max(int(who(game.rules, state)), 0), view)
            texts.append(game.write(view[: game.size].copy(), made[-1]))
            make_move(game.rules, state, made[-1])
        turn = turn_in_words(int(who(game.rules, state)))
        return Position(str(game), self._deal_seed(number), tuple(made), tuple(texts), turn, seat + 1, not game.chance)

    def _deal_seed(self, number: int) -> int:
        return derive(self._seed, _DEAL, number) % MOST_SEED


_AHEAD_PLIES = np.array([*AHEAD, MOST_PLIES], dtype=np.int64)


def _room_for(sampler: GuessSampler, n: int) -> GuessedPositions:
    game, moments = sampler.game, len(AHEAD)

    def cells(*shape: int) -> Int64s:
        return np.zeros((n, *shape), dtype=np.int64)

    return GuessedPositions(
        numbers=cells(),
        plies=cells(),
        seats=cells(),
        views=cells(game.size),
        told=cells(2 * game.seats),
        heard=cells(MOST_HEARD, 2),
        now=cells(WORLDS, len(sampler.secrets)),
        later=cells(moments, WORLDS, len(sampler.watched)),
        choices=cells(1 + moments, WORLDS),
        earned=np.zeros((n, WORLDS, game.seats)),
    )


def _first(taken: GuessedPositions, n: int) -> GuessedPositions:
    return GuessedPositions(**{name: part[:n] for name, part in vars(taken).items()})


def _plies(game: Game, seed: int) -> list[int]:
    """Return plies to choose from: all plies of some games that are used for nothing else."""
    plies: list[int] = []
    for number in range(PILOTS):
        state = roomy(game, np.zeros(game.size, dtype=np.int64))
        deal_table(game.rules, state, game.encoded_options, dice(derive(seed, _PLY, _DEAL, number)))
        rng = dice(derive(seed, _PLY, _MOVE, number))
        plies += range(play_on(game.rules, state, MOST_PLIES, rng, roomy_list(game)))
    return plies


@helper
def _tell(rules, state, move, observer, told, heard, number):
    """Remember how a move looks to a seat; return how many moves it has heard of."""
    mover = turn(rules, state)
    if mover < 0:
        return number
    look = seen(rules, state, move, observer)
    told[mover] |= 1 << (look % LOOK_BITS)
    told[rules[SEATS] + mover] = look + 1
    if number < MOST_HEARD:
        heard[number, 0] = mover + 1
        heard[number, 1] = look
    return number + 1


@compiled
def _look(rules_, options_, dices_, ply, seat, state_, view_, told_, heard, room_):
    """Deal, play some random moves, and write what a seat sees and was told; return whether the game goes on."""
    rules, state, told, room = pointer(rules_), pointer(state_), pointer(told_), pointer(room_)
    deal(rules, state, pointer(options_), offset(pointer(dices_), _DEAL))
    number = 0
    for _ in range(ply):
        if turn(rules, state) == OVER:
            return False
        move = sample(rules, state, offset(pointer(dices_), _MOVE), room)
        number = _tell(rules, state, move, seat, told, heard, number)
        play(rules, state, move)
    if turn(rules, state) == OVER:
        return False
    for i in range(rules[SIZE]):
        view_[i] = 0  # cells behind the extent of a state are not written
    view(rules, state, seat, pointer(view_))
    return True


@helper
def _count_moves(rules, state, room):
    return moves(rules, state, room) if turn(rules, state) != OVER else 0


@compiled
def _compare(
    rules_, seat, dices_, truth_, view_, secrets, watched, plies, now, later, choices, earned, state_, room_
):  # fmt: skip
    """Write the secrets of the truth and of guesses, and what becomes of each by random play."""
    rules, truth, view, room, state = pointer(rules_), pointer(truth_), pointer(view_), pointer(room_), pointer(state_)
    dices = pointer(dices_)
    for world in range(now.shape[0]):
        for i in range(rules[SIZE]):
            state[i] = truth[i] if world == 0 and view[i] == UNKNOWN else view[i]
        if world > 0:
            guess(rules, state, seat, offset(dices, _GUESS))
        for i in range(secrets.shape[0]):
            now[world, i] = state[secrets[i]]
        choices[0, world] = _count_moves(rules, state, room)
        future, passed = dices[_AHEAD], 0
        for moment in range(plies.shape[0]):
            advance(rules, state, plies[moment] - passed, offset(dices, _AHEAD), room)
            passed = plies[moment]
            if moment < later.shape[0]:
                choices[moment + 1, world] = _count_moves(rules, state, room)
                for i in range(watched.shape[0]):
                    later[moment, world, i] = state[watched[i]]
        dices[_AHEAD] = future
        payoff(rules, state, offset(pointer(earned), world * rules[SEATS]))
