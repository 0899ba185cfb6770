"""The text of a view in colours; what has changed since it was last shown is underlined."""

import re
from difflib import SequenceMatcher
from itertools import groupby

from rich.text import Text

from kibitz.core.game import Game

CHANGED = "underline"


def board_text(game: Game, shown: str, before: str | None = None) -> Text:
    """Return the text of a view in the game's colours; what differs from the text before is underlined."""
    painted = Text(shown)
    for pattern, style in game.paint.items():
        painted.highlight_regex(pattern, style)
    if before is not None:
        for start, end in _changed(before, shown):
            painted.stylize(CHANGED, start, end)
    return painted


def _changed(before: str, after: str) -> list[tuple[int, int]]:
    """Return where words of a text are new; lines that are mostly new, such as sentences, are left out."""
    words = [(match.group(), match.span()) for match in re.finditer(r"[^\s,;]+", after)]
    old = re.findall(r"[^\s,;]+", before)
    steps = SequenceMatcher(None, old, [word for word, _ in words], autojunk=False).get_opcodes()
    new = {span for what, _, _, first, last in steps if what != "equal" for _, span in words[first:last]}
    lines = [[span for _, span in line] for _, line in groupby(words, lambda word: after.count("\n", 0, word[1][0]))]
    return [span for line in lines if 2 * len(new.intersection(line)) <= len(line) for span in line if span in new]
