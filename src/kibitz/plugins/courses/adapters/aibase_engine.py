"""The engine that scripts for AIBase ask: states as they know them, guesses at what is hidden, and moves in guesses.

Of the states the thesis names the list `Actions` and the phases. All other keys are those of its program, and of its
own documentation: github.com/yawnston/colonizers, github.com/yawnston/bachelor-thesis (2020).
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from kibitz.core.contract import UNKNOWN
from kibitz.core.dice import dice
from kibitz.core.game import spec_of
from kibitz.core.playout import legal_moves
from kibitz.core.world import World
from kibitz.games import find
from kibitz.games.colonizers.cards import COLOUR_NAMES, DECK, MODULES
from kibitz.games.colonizers.cells import COLONIST_NAMES, HEAD, KEEP, PHASE, TAIL, TAPE
from kibitz.games.colonizers.fields import PHASE_NAMES, fields

State = dict[str, Any]

PHASES = dict(zip(PHASE_NAMES, ("ColonistPick", "Draw", "Discard", "Power", "Build"), strict=True))
COLOURS = [name.title() for name in COLOUR_NAMES[:-1]] + ["None"]
COLONISTS = [{"Name": name.title()} for name in sorted(COLONIST_NAMES)]
MODULE_OF = {
    module.name: {
        "Name": module.name.title(), "Type": COLOURS[kind // 4], "BuildCost": module.cost, "VictoryValue": module.value,
    }
    for kind, module in enumerate(MODULES)
}  # fmt: skip
STARTING_DECK = [MODULE_OF[MODULES[kind].name] for kind in DECK]
UNKNOWN_COLONIST = {"Name": "Unknown"}
UNKNOWN_MODULE = {"Name": "Unknown", "Type": "None", "BuildCost": 0, "VictoryValue": 0}
ALONE = {"omnium": "TakeOmnium", "modules": "DrawModules"}  # actions without a target
NOTHING = {"power": "DoNothing", "build": "BuildNothing"}
POWERS = {"opportunist": "StealOmnium", "spy": "SwapHands"}


class BoardState(State):
    """The board of a state; it knows the cells that it shows, unless something is hidden."""

    cells: np.ndarray | None = None


class AIBaseEngine:
    """Answers a script, from the view of the decision that it owes."""

    def __init__(self, game: str, options: dict[str, Any], seed: int):
        self.game, self.rng = find(spec_of(game, options)), dice(seed)
        self.view, self.seat, self._room = np.empty(0, dtype=np.int64), 0, self.game.new_moves()

    def show(self, cells: list[int | None], seat: int) -> State:
        """Return the state that a seat sees, of which it is asked next."""
        self.view = np.array([UNKNOWN if cell is None else cell for cell in cells], dtype=np.int64)
        self.seat = seat
        legal = self._room[: legal_moves(self.game.rules, self.view, self._room)].tolist()
        return self._state(self.view, self.game.texts(self.view, legal), None)

    def determinize(self) -> State:
        """Return the state of the decision with a guess at what is hidden."""
        return self._of_world(World.guess(self.game, self.view, self.rng, self.seat))

    def simulate(self, board: State, move: Any) -> State:
        """Return the state after a move: an entry of `Actions`, its text as getActionString writes it, or its index."""
        cells = getattr(board, "cells", None)
        if cells is None and not isinstance(board, BoardState):
            raise ValueError(
                "simulate() takes the BoardState of a state that the engine has sent; this one was made by the script"
            )
        world = World.guess(self.game, self.view, self.rng, self.seat) if cells is None else World(self.game, cells)
        seen = fields(world.cells.copy(), max(world.turn, 0))
        texts = [action_text(_action(seen, text)) for text in world.moves_text()]
        wanted = action_text(move) if isinstance(move, Mapping) else str(move)
        if wanted not in texts and not (wanted.isdecimal() and int(wanted) < len(texts)):
            raise ValueError(f"simulate() was given {wanted!r:.80}; the actions are {', '.join(texts) or 'none'}")
        at = texts.index(wanted) if wanted in texts else int(wanted)
        return self._of_world(world.play(world.moves()[at]))

    def _of_world(self, world: World) -> State:
        return self._state(world.cells, world.moves_text(), world)

    def _state(self, cells: np.ndarray, texts: list[str], world: World | None) -> State:
        """Return the state that cells show; with a world, nothing is hidden."""
        seen = fields(cells, self.seat if world is None or world.over else world.turn)
        board = _board(seen, cells, None if world is None else world.cells.copy())
        over = seen["turn"] is None
        return {
            "GameOver": over,
            "GameEndInfo": _end(seen, board, world) if world is not None and over else None,
            "BoardState": board,
            "Actions": [] if over else [_action(seen, text) for text in texts],
        }


def action_text(action: Mapping[str, str]) -> str:
    """Return an action as a text: its type, and the module, target or colonist."""
    return " ".join(action.values())


def _action(seen: State, text: str) -> dict[str, str]:
    """Return the action that a move is; its values are its type, and the module, target or colonist if there is one."""
    phase, (verb, _, name) = seen["phase"], text.partition(" ")
    if phase == "pick":
        return {"Type": "ColonistPick", "Colonist": text.title()}
    if text in ALONE:
        return {"Type": ALONE[text]}
    if text == "nothing":
        return {"Type": NOTHING[phase]}
    if phase == "power":
        return {"Type": POWERS[seen["seats"][seen["turn"]]["colonist"]], "Target": name.title()}
    return {"Type": f"{verb.title()}Module", "Module": name.title()}


def _board(seen: State, cells: np.ndarray, truth: np.ndarray | None) -> BoardState:
    viewer = seen["turn"]
    deck = [dict(UNKNOWN_MODULE) for _ in range(seen["deck"])]
    if truth is not None:
        top = int(cells[HEAD]) + (2 if cells[PHASE] == KEEP else 0)
        deck = [_module(MODULES[kind].name) for kind in cells[TAPE + top : TAPE + int(cells[TAIL])]]
    picking = seen["phase"] == "pick" and viewer is not None
    board = BoardState(
        Players=[_player(seen, seat, viewer, truth is not None) for seat in range(len(seen["seats"]))],
        PlayableColonists=COLONISTS,
        AvailableColonists=[_colonist(name) for name in seen["packet"]] if picking else [dict(UNKNOWN_COLONIST)],
        Deck=deck,
        StartingDeck=STARTING_DECK,
        DiscardTempStorage=[_module(name) for name in seen["drawn"] or ()],
        PlayerTurn=1 if viewer is None else viewer + 1,
        GamePhase=PHASES["pick"] if viewer is None else PHASES[seen["phase"]],
    )
    board.cells = truth
    return board


def _player(seen: State, seat: int, viewer: int | None, revealed: bool) -> State:
    """Return what the viewer knows of a seat; what others know of colonists is known where nothing is hidden."""
    found = seen["seats"][seat]
    hand, colonist = found["hand"], found["colonist"]
    told = revealed or seat == viewer
    return {
        "ID": seat + 1,
        "Colonist": _colonist(colonist) if colonist else dict(UNKNOWN_COLONIST) if found["picked"] else None,
        "Omnium": found["omnium"],
        "Hand": [dict(UNKNOWN_MODULE) for _ in range(found["held"])] if hand is None else [*map(_module, hand)],
        "Colony": [*map(_module, found["colony"])],
        "ColonistInformation": {
            other + 1: [_colonist(name) for name in _possible(of)] if told else []
            for other, of in enumerate(seen["seats"])
        },
    }


def _possible(seat: State) -> list[str]:
    """Return the colonists that a seat may hold."""
    may_be: list[str] = seat["may_be"]
    return [seat["colonist"]] if seat["colonist"] else may_be


def _end(seen: State, board: BoardState, world: World) -> State:
    """Return who finished where; nobody has points or a place if the deck ran out."""
    drawn = not any(world.payoff())
    points = [0 if drawn else seat["points"] for seat in seen["seats"]]
    order = sorted(range(len(points)), key=lambda seat: -points[seat])  # of equal ones the lower seat is first
    return {
        "Players": [
            {"Player": player, "VictoryPoints": points[seat], "Ranking": 0 if drawn else order.index(seat) + 1}
            for seat, player in enumerate(board["Players"])
        ]
    }


def _module(name: str) -> State:
    return dict(MODULE_OF[name])


def _colonist(name: str) -> State:
    return {"Name": name.title()}
