"""Golden files: what a game did when someone last looked closely. `python -m tests.golden GAME` writes them anew."""

import json
from pathlib import Path

import numpy as np

from kibitz import games
from kibitz.core.dice import dice, roll
from kibitz.core.errors import BadValue
from kibitz.core.perft import perft
from kibitz.core.table import Table
from tests.golden.trees import grown

HERE = Path(__file__).parent
PLAYTHROUGH_SEED = 2
MOST_PATHS = 2_000_000  # depth goes as far as this many paths can be counted quickly
MOST_DEPTH = 8
PLAYED = {  # the games to show, by file, where it is not one as it usually is
    "cartagena": {
        "playthrough.txt": "cartagena(max_turns=30)",
        "playthrough-jamaica.txt": "cartagena(version=jamaica, cards=6, max_turns=45)",
    },
}
OPEN_PLIES = 40  # shown in full of a game without secrets; from there on its moves tell whether the rules changed


def variants(name: str) -> list[str]:
    """Return the texts of a game whose golden files are kept: as it is, and one with every option changed."""
    declared = games.find(name).declared
    texts = [name]
    for key, option in declared.items():
        if option.sort == "bool":
            texts.append(f"{name}({key}={'false' if option.default else 'true'})")
        texts += [f"{name}({key}={choice})" for choice in option.choices if choice != option.default]
        if key == "seats":
            span = range(int(option.least or 2), int(option.most or 2) + 1)
            texts += [f"{name}(seats={seats})" for seats in span if seats != option.default]
    return [text for text in texts if _is_playable(text)]


def _is_playable(text: str) -> bool:
    """Return whether a game takes these options; Chinese Checkers has no five seats."""
    try:
        games.find(text)
    except BadValue:
        return False
    return True


def count(name: str) -> str:
    """Return perft counts for every variant, as JSON."""
    counts = {}
    for text in variants(name):
        table = Table(games.find(text), seed=1)
        ways = [perft(table, 0)]
        while len(ways) <= MOST_DEPTH and ways[-1] * max(1, len(table.moves())) < MOST_PATHS:
            ways.append(perft(table, len(ways)))
        counts[text] = ways
    return json.dumps(counts, indent=1) + "\n"


def playthrough(text: str) -> str:
    """Return a random game with what every seat sees after every move; in a game with secrets, what is new to it."""
    game = games.find(text)
    table, rng = Table(game, PLAYTHROUGH_SEED), dice(PLAYTHROUGH_SEED)
    lines = [f"{game}, version {game.version}, seed {table.seed}"]
    last: dict[int, np.ndarray] = {}
    while True:
        in_full = game.hidden or table.over or table.ply < OPEN_PLIES
        lines.append(f"\n# ply {table.ply}")
        for seat in range(game.seats if in_full else 0):
            view = table.view(seat)
            news = game.hidden and seat in last and not table.over
            lines.append(f"seat {seat} sees {_news(last[seat], view) if news else _shown(view)}")
            last[seat] = view
        if table.over:
            break
        moves = table.moves()
        if in_full:
            lines.append(game.text(table.view(table.turn)).rstrip())
            lines.append(f"seat {table.turn} may play: {', '.join(table.write(move) for move in moves)}")
        move = moves[roll(rng, len(moves))]
        lines.append(f"seat {table.turn} plays: {table.write(move)} ({move})")
        table.play(move)
    lines.append(f"payoff: {table.payoff()}")
    return "\n".join(line.rstrip() for text in lines for line in text.split("\n")) + "\n"


def _shown(view) -> str:
    """Return cells as text: ? for unknown, runs of a value as value*length."""
    from itertools import groupby

    from kibitz.core.contract import UNKNOWN

    words = []
    for cell, run in groupby(view.tolist()):
        word, length = "?" if cell == UNKNOWN else str(cell), len(list(run))
        words.append(word if length == 1 else f"{word}*{length}")
    return " ".join(words)


def _news(before: np.ndarray, after: np.ndarray) -> str:
    """Return the cells that changed as text: cell=value, ? for unknown."""
    from kibitz.core.contract import UNKNOWN

    changed = np.flatnonzero(before != after).tolist()
    return "now " + " ".join(f"{cell}={'?' if after[cell] == UNKNOWN else after[cell]}" for cell in changed)


def files(name: str) -> dict[Path, str]:
    """Return every golden file of a game with what should be in it."""
    folder = HERE / name
    shown = PLAYED.get(name, {"playthrough.txt": name})
    played = {file: playthrough(text) for file, text in shown.items()}
    texts = {"perft.json": count(name), **played, **grown(name)}
    return {folder / file: text for file, text in texts.items()}


def files_of_tests() -> dict[Path, str]:
    """Return the golden files of the games that only tests have."""
    return {HERE / "kuhn" / file: text for file, text in grown(str(HERE.parent / "kuhn")).items()}
