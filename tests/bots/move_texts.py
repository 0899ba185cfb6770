"""The kinds of moves of each game, as a bot meets them: the table in docs/bots.md is made from real games."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from kibitz import games
from kibitz.core.dice import below, dice
from kibitz.core.table import Table
from kibitz.games import find

STUCK = 'chinese_checkers(position="red d10; green d8 d9 e9 f8; blue m1; red to move")'
VARIANTS = {  # games that are looked at; else the game itself
    "cartagena": ("cartagena", "cartagena(version=jamaica)"),
    "chinese_checkers": ("chinese_checkers", STUCK),
}
PLAYED = 4  # random games of each
Fields = dict[str, Any]


@dataclass(frozen=True)
class Kind:
    """A kind of move: what the view says when it is possible, how it is written, and what it does."""

    when: str
    fits: Callable[[Fields], bool]
    pattern: str
    meaning: str


def _phase(name: str) -> tuple[str, Callable[[Fields], bool]]:
    return f"`phase` is `{name}`", lambda view: view["phase"] == name


_GIVE = ("`hand` is null", lambda view: view["hand"] is None)
_PLACE = ("`hand` is a piece", lambda view: view["hand"] is not None)
_ALWAYS = ("always", lambda view: True)
_FIRST = ("`actions_left` is 3", lambda view: view["actions_left"] == 3)
_LATER = ("`actions_left` is 2 or 1", lambda view: view["actions_left"] < 3)
_FIELD, _HOLE = "[a-h][1-8]", "[a-q][0-9]+"
_HEX, _SIGN, _NAME = "[a-g][1-7]", "(bottle|pistol|hat|skull|dagger|key)", "[A-Za-z' -]+"

MOVES_OF = {
    "quarto": [
        Kind(*_GIVE, "[WB][ST][QR][HS]", "the piece that the opponent is to place"),
        Kind(*_PLACE, "[a-d][1-4]", "the cell where it goes"),
    ],
    "chexers": [
        Kind(*_ALWAYS, f"{_HEX}-{_HEX}", "a step"),
        Kind(*_ALWAYS, f"{_HEX}x{_HEX}", "a jump"),
        Kind(*_ALWAYS, f"{_HEX} out", "an exit"),
        Kind(*_ALWAYS, "pass", "where nothing else is possible"),
    ],
    "chinese_checkers": [
        Kind(*_ALWAYS, f"{_HOLE}-{_HOLE}", "a step, or a chain of jumps"),
        Kind(*_ALWAYS, "pass", "where nothing else is possible"),
    ],
    "focus": [
        Kind(*_ALWAYS, f"{_FIELD}-{_FIELD}", "as many pieces as fields go from the top of a stack"),
        Kind(*_ALWAYS, rf"\*{_FIELD}", "a piece from the reserve is placed there"),
    ],
    "cartagena": [
        Kind(*_ALWAYS, rf"\d+ {_SIGN}", "a pirate on that space (0 is the start) plays a card of that sign"),
        Kind(*_ALWAYS, r"back \d+", "a pirate on that space falls back"),
        Kind(*_LATER, "stop", "the turn ends"),
        Kind(*_FIRST, "draw", "a card is drawn, where nothing else is possible"),
    ],
    "rolit": [
        Kind(*_ALWAYS, "[a-h][1-8]", "the square where the disc goes"),
    ],
    "colonizers": [
        Kind(*_phase("pick"), _NAME, "the colonist that is picked from `packet`"),
        Kind(*_phase("draw"), "omnium", "take omnium"),
        Kind(*_phase("draw"), "modules", "draw modules"),
        Kind(*_phase("keep"), f"keep {_NAME}", "the module of `drawn` that is kept"),
        Kind(*_phase("power"), f"name {_NAME}", "the colonist whose holder it is used against"),
        Kind(*_phase("power"), "nothing", "the power is not used"),
        Kind(*_phase("build"), f"build {_NAME}", "the module of `hand` that is built"),
        Kind(*_phase("build"), "nothing", "nothing is built"),
    ],
}  # fmt: skip


def met(name: str) -> Iterator[tuple[Fields, str]]:
    """Yield what the view says and a move's text, for every legal move of some random games of a game."""
    for text in VARIANTS.get(name, (name,)):
        game = find(text)
        for seed in range(PLAYED):
            table, luck = Table(game, seed), dice(seed)
            while not table.over:
                view, moves = table.view(table.turn), table.moves()
                fields = game.fields(view, table.turn)
                for move_text in game.texts(view, moves):
                    yield fields, move_text
                table.play(moves[below(luck, len(moves))])


def kinds_met(name: str) -> dict[Kind, str]:
    """Return the first text of each kind; a move of no kind, of two kinds, or a kind without a move is an error."""
    found: dict[Kind, str] = {}
    for fields, text in met(name):
        kinds = [kind for kind in MOVES_OF[name] if re.fullmatch(kind.pattern, text) and kind.fits(fields)]
        assert len(kinds) == 1, f"{name}: the move {text!r} is of {len(kinds)} kinds in tests/bots/move_texts.py"
        found.setdefault(kinds[0], text)
    missing = [kind.pattern for kind in MOVES_OF[name] if kind not in found]
    assert not missing, f"{name}: no move is of the kind {missing}"
    return found


def move_table() -> str:
    """Return the table of all games: what the view says, and what can be played then."""
    rows = ["| game | the view says | moves |", "|---|---|---|"]
    for name in sorted(games.names(), key=list(MOVES_OF).index):
        found = kinds_met(name)
        for when in dict.fromkeys(kind.when for kind in MOVES_OF[name]):
            here = [f"`{found[kind]}` ({kind.meaning})" for kind in MOVES_OF[name] if kind.when == when]
            rows.append(f"| {name} | {when} | {', '.join(here)} |")
    return "\n".join(rows)
