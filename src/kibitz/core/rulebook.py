"""The rules of a game for people who want to play: the first part of its README, and its notation."""

import re
from collections.abc import Iterator

from kibitz.core.game import Game

NOTATION = "notation"  # a section whose title starts with this belongs to the rules


def rules_of(game: Game, pictures: bool = False) -> str:
    """Return the rules as Markdown, or a sentence that there are none in prose."""
    text = game.rules_text if pictures else re.sub(r"!\[[^\]]*\]\([^)]*\)", "", game.rules_text)
    shown = "\n\n".join(_sections(text)).strip()
    return shown or f"{game} has no rules in prose: neither README.md nor a docstring in rules.py."


def _sections(text: str) -> Iterator[str]:
    first, *others = re.split(r"(?m)^## ", text)
    yield _plain(re.sub(r"(?m)^# .*$", "", first))
    for section in others:
        title, _, body = section.partition("\n")
        if title.lower().startswith(NOTATION):
            yield f"**{title}**\n{_plain(body)}"


def _plain(text: str) -> str:
    """Return Markdown with each link replaced by its words."""
    return re.sub(r"(?<!!)\[([^\]]*)\]\([^)]*\)", r"\1", text)
