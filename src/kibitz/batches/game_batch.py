"""A batch: many games of one kind side by side, on all processors or on a graphics card.

A row of n plays the deals i, i + n, i + 2n, … of the batch's seed one after another, and draws its random moves
from dice of its own; so what happens in it depends neither on how many threads there are nor on the device.
"""

from copy import copy
from operator import index
from typing import Any

import numpy as np

from kibitz.batches.processor import Processor
from kibitz.batches.rows import BEHIND, NOT_DONE
from kibitz.core.action_space import ActionSpace
from kibitz.core.contract import INTACT, OVER
from kibitz.core.dice import derive, derive_all, dice_all
from kibitz.core.errors import BadGame, BadMove, BadValue, UnknownName
from kibitz.core.game import Game
from kibitz.core.rolls import KEY_WORDS, roll_keys
from kibitz.networks.encoding import Encoding
from kibitz.networks.net import encodings

MOST_GAMES = 1 << 28
ENDLESS = 2**62
TO_MOVE = -1  # in place of a seat: the one that is to move
_DEALS, _DICE = range(2)  # streams of a batch's seed
_WORD = 0xFFFFFFFF  # the bits of each number of a key
NAMED = 5  # rows that an error names


class GameBatch:
    """Games side by side. Arrays have a row for each game; those that a method returns are fresh."""

    def __init__(self, game: Game, games: int, device: Any, seed: int):
        self.game, self.games, self.seed = game, _count(games), _seed(seed)
        self.device, self.arrays = device, device.arrays
        self.actions = ActionSpace(game)
        self._width, self._by_move = game.size + BEHIND, int(self.actions.are_moves)
        self._states = self._zeros(self._width)
        self._keys = self._zeros(KEY_WORDS)
        self._deals, self._dice, self._seeds = (self.arrays.zeros(games, dtype=np.uint64) for _ in range(3))
        self._plies, self._faults, self._turns, self._played = (self._zeros() for _ in range(4))
        self.reset()

    def __repr__(self) -> str:
        return f"<batch of {self.games:,} games of {self.game} on {self.device.name}>"

    def __len__(self) -> int:
        return self.games

    @property
    def states(self) -> Any:
        """The true states, a row of cells each; changes there are changes of the games."""
        return self._states[:, : self.game.size]

    @property
    def plies(self) -> Any:
        """How many moves have been made in each game, those of chance included."""
        return self._plies

    @property
    def seeds(self) -> np.ndarray:
        """The seeds of the games: a table with the same seed deals and rolls the same."""
        return np.array(self._here(self._seeds))

    def reset(self, chosen: Any = None) -> None:
        """Deal new games in the chosen rows, or in all, beginning with the first deal of each row."""
        if chosen is None:
            self._played[:] = 0
            self._dice[:] = dice_all(derive_all(derive(self.seed, _DICE), self.arrays.arange(self.games)))
            self._deal(self._rows(True))
        else:
            marks = self._rows(chosen)
            self._played += marks
            self._deal(marks)

    def reset_finished(self) -> Any:
        """Deal new games in the rows whose game is over; return which these were."""
        finished = self.turn == OVER
        if bool(finished.any()):
            self.reset(finished)
        return finished

    def deal_again(self) -> None:
        """Deal the present games of all rows once more, by the same seeds."""
        self._begin(self._rows(True))

    def _deal(self, marks: Any) -> None:
        numbers = self.arrays.arange(self.games) + self._played * self.games
        self._seeds[:] = self.arrays.where(marks != 0, derive_all(derive(self.seed, _DEALS), numbers), self._seeds)
        self._deals[:] = dice_all(self._seeds)
        if self.game.chance:
            rows = np.flatnonzero(self._here(marks))
            keys = roll_keys(self.seeds[rows].tolist(), True).reshape(len(rows), KEY_WORDS)
            self._keys[self.device.array(rows)] = self.device.array(keys)
        self._begin(marks)

    def _begin(self, marks: Any) -> None:
        """Deal by the seeds in some rows."""
        self.device.run(
            "deal", self.games, self.device.options, marks, self._deals, self._flat(self._keys),
            self._flat(self._states), self._width, self._plies,
        )  # fmt: skip

    @property
    def turn(self) -> Any:
        """The seat to move in each game, or OVER."""
        self.device.run("turn", self.games, self._flat(self._states), self._width, self._turns)
        return self._turns.copy()

    def legal(self) -> Any:
        """Return which actions are legal, a row of `actions.size` booleans each; none where the game is over."""
        marks = self.arrays.empty((self.games, self.actions.size), dtype=np.uint8)
        size, states = self.actions.size, self._flat(self._states)
        self.device.run("legal", self.games, self._by_move, size, states, self._width, marks.reshape(-1))
        return marks.view(bool)

    def play(self, actions: Any) -> None:
        """Play an action in each game that is not over; a BadMove names games that stay, as it was not legal there."""
        chosen = self._numbers(actions, "an action")
        self._faults[:] = NOT_DONE
        self.device.run(
            "play", self.games, self._by_move, chosen, self._flat(self._keys), self._flat(self._states), self._width,
            self._plies, self._faults,
        )  # fmt: skip
        self._refuse_faults("action {action} is not legal", chosen)

    def sample(self) -> Any:
        """Return a random legal action for each game; -1 where the game is over."""
        out = self._zeros()
        self.device.run("sample", self.games, self._by_move, self._dice, self._flat(self._states), self._width, out)
        return out

    def run(self, policy: str = "random", moves: int | None = None) -> None:
        """Let every seat play by a policy until all games are over, or for that many moves in each."""
        most = ENDLESS if moves is None else _whole(moves)
        if most is None or most < 0:
            raise BadValue(f"a batch runs on for 0 moves or more, not {moves!r:.80}")
        chosen = self.game.policy(str(policy))
        self._faults[:] = NOT_DONE
        self.device.play_on(
            chosen, self.games, most, self._dice,
            self._flat(self._keys), self._flat(self._states), self._width, self._plies, self._faults,
        )  # fmt: skip
        self._refuse_faults(f"the policy {policy} picks an illegal move", None)

    def view(self, seats: Any = TO_MOVE) -> Any:
        """Return what a seat sees in each game: one seat, a seat for each game, or the seat to move.

        Where the seat to move is asked for and the game is over, all cells are UNKNOWN.
        """
        return self._views(self._seats(seats))[:, : self.game.size]

    def _views(self, seats: Any) -> Any:
        out = self._zeros(self._width)
        self.device.run("view", self.games, seats, self._flat(self._states), self._width, self._flat(out))
        return out

    def guess(self, seats: Any = TO_MOVE) -> Any:
        """Return for each game a state that may be the true one as far as a seat can tell, by the dice of the game."""
        return self._guessed(self._seats(seats))[:, : self.game.size]

    def _guessed(self, wanted: Any) -> Any:
        known = self.arrays.where(wanted < 0, self.turn, wanted)
        worlds = self._views(known)
        self.device.run("guess", self.games, known, self._dice, self._flat(worlds), self._width)
        worlds[:, self.game.size :] = INTACT
        return worlds

    def after(self, rows: Any, actions: Any) -> "GameBatch":
        """Return the positions after an action in each of some rows, which may be named again and again.

        What the seat to move does not see is guessed, once for each row, and chance rolls anew.
        """
        found = copy(self)
        found.games, worlds = len(rows), self._guessed(self._seats(TO_MOVE))
        found._states, found._plies, found._dice = worlds[rows], self._plies[rows], self._dice[rows]
        found._keys = (self._keys[rows] ^ (found._dice[:, None] >> np.uint64(32)).astype(np.int64)) & _WORD
        found._faults, found._turns = found._zeros(), found._zeros()
        found.play(actions)
        return found

    def payoff(self) -> Any:
        """Return what each seat earned in each game, in the game's own unit; nan where the game is not over."""
        out = self.arrays.zeros((self.games, self.game.seats), dtype=np.float64)
        self.device.run("payoff", self.games, self._flat(self._states), self._width, out.reshape(-1))
        return out

    def value(self, text: str | None = None) -> Any:
        """Return the value of each position for each seat, by one of the game's values, or a network as net(file)."""
        bound = self.game.value(str(text or self.game.usual_value))
        out = self.arrays.zeros((self.games, self.game.seats), dtype=np.float64)
        self.device.evaluate(bound, self.games, self._flat(self._states), self._width, out.reshape(-1))
        return out

    def features(self, encoding: str | None = None, seats: Any = TO_MOVE) -> Any:
        """Return the inputs of a network for each position, by one of the game's encodings: 32-bit numbers, row by row.

        They show what a seat sees: one seat, a seat for each game, or the seat to move. All are 0 where a game is over.
        """
        chosen, wanted = self._encoding(encoding), self._seats(seats)
        out = self.arrays.empty((self.games, chosen.length), dtype=np.float32)
        self.device.encode(chosen, self.games, wanted, self._flat(self._states), self._width, out.reshape(-1))
        return out

    def _encoding(self, name: str | None) -> Encoding:
        """Return one of the game's encodings by its name, the first without one."""
        known = encodings(self.game)
        if not known:
            raise BadValue(f"{self.game.name} declares no encoding in features.py, so it has no features")
        if name is not None and name not in known:
            raise UnknownName(f"encoding of {self.game.name}", str(name), known)
        return next(iter(known.values())) if name is None else known[name]

    def check(self) -> None:
        """Refuse games in which a rule has failed, and states behind whose last cell a rule has written."""
        self._refuse_failure()
        self.device.run("guard", self.games, self._flat(self._states), self._width, self._faults)
        if bool(self._faults.any()):
            raise BadGame(f"{self.game.name}: a rule writes behind the last cell of the state; CELLS declares too few")

    def _refuse_failure(self) -> None:
        if self.device.failed():
            raise BadGame(f'{self.game.name}: a rule fails in the batch; device="cpu" tells where, and why')

    def _refuse_faults(self, what: str, chosen: Any) -> None:
        if not bool(self._faults.any()):
            self._refuse_failure()
            return
        self.device.failed()  # the faults tell more
        faults = self._here(self._faults)
        if (faults == NOT_DONE).any():
            row = int(np.argmax(faults == NOT_DONE))
            raise BadGame(
                f'{self.game.name}: a rule fails in game {row} of the batch; device="cpu" tells which, and why'
            )
        rows = np.flatnonzero(faults)[:NAMED].tolist()
        action = None if chosen is None else int(self._here(chosen)[rows[0]])
        more = f" and {int((faults != 0).sum()) - NAMED} others" if (faults != 0).sum() > NAMED else ""
        raise BadMove(f"{what.format(action=action)} in game {', '.join(map(str, rows))}{more}")

    def _zeros(self, *shape: int) -> Any:
        return self.arrays.zeros((self.games, *shape), dtype=np.int64)

    def _flat(self, array: Any) -> Any:
        return array.reshape(-1)

    def _here(self, array: Any) -> np.ndarray:
        """Return an array of the device as one of NumPy."""
        return np.asarray(array.get() if hasattr(array, "get") else array)

    def _rows(self, chosen: Any) -> Any:
        """Return a choice of rows as 1 and 0."""
        marks = self.arrays.zeros(self.games, dtype=np.int64)
        given = self.arrays.asarray(chosen)
        if given.dtype != bool or given.shape not in ((), (self.games,)):
            raise BadValue(f"rows are chosen by {self.games} booleans, one for each game, not by {chosen!r:.80}")
        marks[:] = given
        return marks

    def _seats(self, seats: Any) -> Any:
        found = self._numbers(seats, "a seat")
        if bool(((found < TO_MOVE) | (found >= self.game.seats)).any()):
            raise BadValue(f"{self.game} has the seats 0 to {self.game.seats - 1}, not {seats!r:.80}; -1 is to move")
        return found

    def _numbers(self, given: Any, what: str) -> Any:
        """Return a whole number for each game, from one for all or an array."""
        found = self.arrays.asarray(given)
        if found.dtype.kind not in "iu" or found.shape not in ((), (self.games,)):
            raise BadValue(f"{what} is a whole number for each of the {self.games} games, not {given!r:.80}")
        out = self.arrays.empty(self.games, dtype=np.int64)
        out[:] = found
        return out


def _whole(given: Any) -> int | None:
    """Return a whole number; None for anything else."""
    try:
        return index(given)
    except TypeError:
        return None


def _seed(seed: Any) -> int:
    found = _whole(seed)
    if found is None:
        raise BadValue(f"the seed of a batch is a whole number, not {seed!r:.80}")
    return found


def _count(games: Any) -> int:
    count = _whole(games)
    if count is None or not 1 <= count <= MOST_GAMES:
        raise BadValue(f"a batch has from 1 to {MOST_GAMES:,} games, not {games!r:.80}")
    return count


DEVICES = CPU, GPU = "cpu", "gpu"


def check_device(name: str) -> None:
    """Refuse a device that does not exist."""
    if name not in DEVICES:
        raise BadValue(f"there is no device {name!r}; the devices are {', '.join(DEVICES)}")


def device_of(game: Game, name: str) -> Any:
    """Return what runs a game's batches, by its name."""
    check_device(name)
    if name == CPU:
        return Processor(game)
    from kibitz.batches.card import GraphicsCard

    return GraphicsCard(game)
