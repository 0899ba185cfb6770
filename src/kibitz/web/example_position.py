"""An example of a game: a position in the middle of it as a scene, for the start page and the rules.

It is the same at every start, and kept on disk, so that it is made once.
"""

import hashlib
from contextlib import suppress
from pathlib import Path

import msgspec

from kibitz.agents import build
from kibitz.core.code_on_disk import CACHE_ROOT
from kibitz.core.errors import BadValue
from kibitz.core.game import Game
from kibitz.core.table import Table
from kibitz.core.user_files import fingerprint, write_bytes
from kibitz.core.world import World
from kibitz.web.scene_messages import ShownScene
from kibitz.web.viewpoint import shown_scene

SEED = 5
PLIES = {  # about the middle of a game
    "quarto": 17, "chexers": 24, "chinese_checkers": 30, "cartagena": 60, "colonizers": 128, "focus": 32, "rolit": 30,
}  # fmt: skip
PLIES_ELSE = 6
FORMAT = 1  # of the files; another number makes all of them unknown


def kept_example(game: Game) -> ShownScene | None:
    """Return the example of a game if it has been made before."""
    try:
        return msgspec.json.decode(_file(game).read_bytes(), type=ShownScene)
    except (OSError, msgspec.DecodeError):
        return None


def example(game: Game) -> ShownScene:
    """Return the example of a game, as the seat to move sees it; it is made and kept the first time."""
    found = kept_example(game)
    if found is None:
        table = _middle(game)
        found = shown_scene(game.scene(table.view(table.turn), []))
        with suppress(BadValue):  # a full disk: it is made again next time
            write_bytes(_file(game), msgspec.json.encode(found))
    return found


def _middle(game: Game) -> Table:
    """Return a game that the first of its policies has played for a while."""
    policy = next(iter(game.policies), "random")
    table, mind = Table(game, SEED), build(f"policy({policy})", game, SEED)
    while table.ply < PLIES.get(game.name, PLIES_ELSE):
        move = mind.decide(table.view(table.turn)).move
        if World.of(table).play(move).over:
            break
        table.play(move)
    return table


def _file(game: Game) -> Path:
    """Return where the example is kept; after a change of the game or its pictures that is another place."""
    told_apart = hashlib.blake2b(f"{FORMAT} {game} {fingerprint(str(game.folder))}".encode(), digest_size=8).hexdigest()
    return CACHE_ROOT / f"example-{game.folder.name}-{told_apart}.json"
