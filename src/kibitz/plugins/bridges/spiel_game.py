"""A game as an OpenSpiel game in Python: chance deals, then the seats move as at a table."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel

from kibitz.core.action_space import ActionSpace
from kibitz.core.contract import CHANCE, OVER, UNKNOWN
from kibitz.core.dice import dice
from kibitz.core.errors import BadMove, BadValue
from kibitz.core.game import Game, option_values, spec_of
from kibitz.core.playout import guess_world, legal_moves, look, look_of, play_legal, settle, weights_of, who
from kibitz.core.user_files import is_path
from kibitz.games import find
from kibitz.plugins.bridges.deals import Deals
from kibitz.plugins.bridges.observation import Observation

PREFIX = "kibitz_"
DEALS = "deals"
USUAL_DEALS = 1024
LONGEST = 100_000  # moves; no game of Kibitz says how long it can get
_FRACTION = 2**53  # what a number from a sampler is multiplied by to give a seed

Kind = pyspiel.GameType
_registered: dict[str, str] = {}  # names of games by their OpenSpiel names
Sampler = Callable[[], float]


def register(name: str) -> str:
    """Register a game with OpenSpiel and return its name there: kibitz_ and its own name."""
    game, called = find(name), called_there(name)
    if _place(_registered.setdefault(called, name)) != _place(name):
        raise BadValue(f"OpenSpiel knows {_registered[called]} as {called} already, so {name} needs another name")
    if called not in pyspiel.registered_names():
        # A class, not a function: OpenSpiel releases it after Python has ended, when classes still exist.
        pyspiel.register_game(_type_of(game, called, True), type(called, (SpielGame,), {"name": name}))
    return called


def _place(name: str) -> str:
    """Return the name of a game, or its resolved path."""
    return str(Path(name).resolve()) if is_path(name) else name


def called_there(name: str) -> str:
    """Return the OpenSpiel name of a game; one in a folder takes the folder's name."""
    return f"{PREFIX}{Path(name).name if is_path(name) else name}"


def load(game: str | Game, deals: int = USUAL_DEALS) -> "SpielGame":
    """Return the game that a text names as a game of OpenSpiel; chance picks one of `deals` seeds."""
    found = find(game) if isinstance(game, str) else game
    if found.position:
        raise BadValue("a game that starts from a position cannot be handed to OpenSpiel")
    changed = {name: value for name, value in option_values(found).items() if value != found.declared[name].default}
    return pyspiel.load_game(register(found.name), {DEALS: deals, **changed})


def _type_of(game: Game, called: str, by_chance: bool) -> pyspiel.GameType:
    seats = game.declared.get("seats")
    constant = game.scoring.total is not None
    return Kind(
        short_name=called,
        long_name=f"{game.name} of Kibitz",
        dynamics=Kind.Dynamics.SEQUENTIAL,
        chance_mode=Kind.ChanceMode.EXPLICIT_STOCHASTIC if by_chance else Kind.ChanceMode.DETERMINISTIC,
        information=Kind.Information.IMPERFECT_INFORMATION if game.hidden else Kind.Information.PERFECT_INFORMATION,
        utility=Kind.Utility.CONSTANT_SUM if constant else Kind.Utility.GENERAL_SUM,
        reward_model=Kind.RewardModel.TERMINAL,
        max_num_players=int(seats.most or game.seats) if seats else game.seats,
        min_num_players=int(seats.least or game.seats) if seats else game.seats,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={DEALS: USUAL_DEALS} | {name: kind.default for name, kind in game.declared.items()},
    )


class Setting:
    """Everything that the states of one game share, made once for each choice of options."""

    def __init__(self, game: Game, deals: int):
        if deals < 1:
            raise BadValue(f"deals cannot be {deals}; at least 1 seed must deal")
        self.game, self.rules, self.seats = game, game.rules, game.seats
        self.actions, self.deals, self.observation = ActionSpace(game), Deals(game, deals), Observation(game)
        self.by_chance = len(self.deals.outcomes) > 1  # whether the deal is left to chance
        self.most_outcomes = max(
            len(self.deals.outcomes) if self.by_chance else 0, game.most_moves if game.chance else 0
        )
        self.room = game.new_moves()
        # States are copied and pickled attribute by attribute, so what they share is an attribute of their class.
        self.state = type("GameState", (SpielState,), {"setting": self})


@lru_cache(maxsize=64)
def _setting(text: str, deals: int) -> Setting:
    return Setting(find(text), deals)


class SpielGame(pyspiel.Game):
    """The rules of a game, with seats and options chosen, as OpenSpiel sees them."""

    name: str

    def __init__(self, params: Mapping[str, Any] | None = None):
        chosen = dict(params or {})
        deals = chosen.pop(DEALS, USUAL_DEALS)
        self.setting = setting = _setting(str(find(spec_of(self.name, chosen))), deals)
        game, scoring = setting.game, setting.game.scoring
        info = pyspiel.GameInfo(
            num_distinct_actions=setting.actions.size,
            max_chance_outcomes=setting.most_outcomes,
            num_players=game.seats,
            min_utility=float(scoring.least),
            max_utility=float(scoring.most),
            utility_sum=None if scoring.total is None else float(scoring.total),
            max_game_length=LONGEST,
        )
        kind = _type_of(game, called_there(self.name), setting.most_outcomes > 0)
        usual = {DEALS: USUAL_DEALS} | {name: option.default for name, option in game.declared.items()}
        super().__init__(kind, info, {name: value for name, value in (params or {}).items() if value != usual[name]})

    def new_initial_state(self, *given: Any) -> "SpielState":
        """Return a game that is not dealt yet, or is dealt already if there is only one deal."""
        if given:
            raise BadValue("a game of Kibitz begins with the deal and nothing else")
        return self.setting.state(self)

    def max_chance_nodes_in_history(self) -> int:
        """Return the most chance nodes in a game: one if deals differ, and those in which chance moves."""
        return int(self.setting.by_chance) + (LONGEST if self.setting.game.chance else 0)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "SpielObserver":
        """Return the observer of states: views, and with perfect recall also everything that a seat has seen."""
        if params:
            raise BadValue(f"observers of Kibitz take no parameters, and were given {params!r:.80}")
        return SpielObserver(self.setting, bool(iig_obs_type and iig_obs_type.perfect_recall))

    def state_of(self, view: np.ndarray, seat: int, rng: np.ndarray) -> "SpielState":
        """Return a state that looks the same to a seat; what the seat cannot see is guessed."""
        state = self.new_initial_state()
        state.look_like(view, seat, rng)
        return state


class SpielState(pyspiel.State):
    """A game in play; `cells` is the true state, and `seen` what each seat has seen of the moves made."""

    setting: Setting

    def __init__(self, game: pyspiel.Game):
        super().__init__(game)
        self.cells: np.ndarray | None = None if self.setting.by_chance else self.setting.deals.dealt(0)
        self.seen: tuple[str, ...] = ("",) * self.setting.seats

    def look_like(self, view: np.ndarray, seat: int, rng: np.ndarray, seen: str = "") -> None:
        """Become a state that looks the same to a seat, guessed from its view alone."""
        self.cells = self.setting.game.new_state()
        self.cells[: self.setting.game.size] = view
        guess_world(self.setting.rules, self.cells, seat, rng)
        self.seen = (seen,) * self.setting.seats

    def current_player(self) -> int:
        """Return the seat to move; chance before the deal, and where the game says so."""
        if self.cells is None:
            return pyspiel.PlayerId.CHANCE
        turn = int(who(self.setting.rules, self.cells))
        return {OVER: pyspiel.PlayerId.TERMINAL, CHANCE: pyspiel.PlayerId.CHANCE}.get(turn, turn)

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.cells is not None and who(self.setting.rules, self.cells) == OVER

    def legal_moves(self) -> list[int]:
        """Return the legal moves of the seat to move, as Kibitz numbers them."""
        room = self.setting.room
        return room[: legal_moves(self.setting.rules, self.cells, room)].tolist()

    def move_of(self, action: int) -> int:
        """Return the legal move that an action stands for."""
        legal = self.legal_moves()
        move = self.setting.actions.move(action, legal)
        if move is None:
            raise BadMove(f"action {action} is not legal; {self.setting.actions.all(legal)} are")
        return move

    def _legal_actions(self, player: int) -> list[int]:
        return self.setting.actions.all(self.legal_moves())

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the deals with their odds, or with how often the seeds gave them; later, what chance may do."""
        if self.cells is None:
            return self.setting.deals.outcomes
        room = self.setting.game.new_moves()
        weights = room[: weights_of(self.setting.rules, self.cells, room)].tolist()
        return [(outcome, weight / sum(weights)) for outcome, weight in enumerate(weights)]

    def _apply_action(self, action: int) -> None:
        if self.cells is None:
            self.cells = self.setting.deals.dealt(action)
            return
        rules, turn = self.setting.rules, self.current_player()
        rolled = turn == pyspiel.PlayerId.CHANCE
        move = self.legal_moves()[action] if rolled else self.move_of(action)
        self.seen = tuple(
            f"{seen} {turn}:{move if rolled or seat == turn else look_of(rules, self.cells, move, seat)}"
            for seat, seen in enumerate(self.seen)
        )
        play_legal(rules, self.cells, move, self.setting.room)

    def _action_to_string(self, player: int, action: int) -> str:
        if self.cells is None:
            return f"deal {action}"
        if self.current_player() == pyspiel.PlayerId.CHANCE:
            return self.setting.game.write(self.view(0), self.legal_moves()[action])
        move = self.setting.actions.move(action, self.legal_moves())
        return f"action {action}" if move is None else self.setting.game.write(self.view(self.current_player()), move)

    def returns(self) -> list[float]:
        """Return the payoffs, and nothing before the end."""
        out = np.zeros(self.setting.seats)
        if self.is_terminal():
            settle(self.setting.rules, self.cells, out)
        return out.tolist()

    def view(self, seat: int) -> np.ndarray:
        """Return what a seat may see, as Kibitz shows it to agents."""
        if self.cells is None:
            raise BadValue("nothing is dealt yet, so there is nothing to see")
        out = self.setting.game.new_state()
        look(self.setting.rules, self.cells, seat, out)
        return out[: self.setting.game.size].copy()

    def resample_from_infostate(self, player: int, sampler: Sampler) -> "SpielState":
        """Return a state that the seat cannot tell from this one: the rest is guessed.

        Its history is empty, as the true one would give the secrets away; what the others have seen before is taken
        to be what this seat has.
        """
        other = type(self)(self.get_game())
        other.look_like(self.view(player), player, dice(int(sampler() * _FRACTION)), self.seen[player])
        return other

    def __str__(self) -> str:
        if self.cells is None:
            return "nothing is dealt yet"
        return self.setting.game.text(self.cells[: self.setting.game.size])


class SpielObserver:
    """What a seat sees of a state, as numbers and as text."""

    def __init__(self, setting: Setting, recall: bool):
        self.observation, self.recall, self.hidden = setting.observation, recall, setting.game.hidden
        self.tensor = None if recall else np.zeros(setting.observation.shape, dtype=np.float32)
        self.dict = {} if recall else {"observation": self.tensor}

    def set_from(self, state: SpielState, player: int) -> None:
        """Write what a seat observes into the tensor."""
        if self.tensor is not None:
            self.tensor[:] = 0 if state.cells is None else self.observation.of(state.view(player), player)

    def string_from(self, state: SpielState, player: int) -> str:
        """Return the seat and the cells that it sees, without zeros; with perfect recall, also the moves it saw."""
        if state.cells is None:
            return f"seat {player}"
        view = state.view(player)
        cells = " ".join(
            f"{cell}={'?' if value == UNKNOWN and self.hidden else value}"
            for cell, value in zip(np.flatnonzero(view).tolist(), view[view != 0].tolist(), strict=True)
        )
        return f"seat {player}; {cells}" + (f"; moves{state.seen[player]}" if self.recall else "")
