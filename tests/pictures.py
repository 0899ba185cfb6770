"""The pictures in the documents: python -m tests.pictures draws them anew."""

from pathlib import Path

from kibitz import agents, games
from kibitz.core.scene import svg
from kibitz.core.table import Table

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "pictures"
POSITIONS = {  # who plays, and for how many moves
    "cartagena": ("top3", 60),
    "chexers": ("policy(greedy)", 24),
    "chinese_checkers": ("policy(forward)", 30),
    "colonizers": ("heuristic", 128),
    "focus": ("policy(greedy)", 32),
    "quarto": ("novice", 17),
    "rolit": ("policy(squares)", 30),
}


def pictures() -> dict[Path, str]:
    """Return every picture with what should be in it."""
    drawn = {}
    for name, (agent, plies) in POSITIONS.items():
        game = games.find(name)
        table, mind = Table(game, 1), agents.build(agent, game, 5)
        while table.ply < plies:
            table.play(mind.decide(table.view(table.turn)).move)
        drawn[FOLDER / f"{name}.svg"] = svg(game.scene(table.view(table.turn), table.moves()))
    return drawn


if __name__ == "__main__":
    for path, content in pictures().items():
        path.write_text(content)
