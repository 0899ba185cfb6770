"""How an environment is shown: as text, returned or printed."""

import gymnasium

from kibitz.core.errors import BadValue

HUMAN, ANSI = "human", "ansi"
MODES = (HUMAN, ANSI)


def check_mode(mode: str | None) -> str | None:
    """Return a render mode; anything else is a BadValue."""
    if mode not in (None, *MODES):
        raise BadValue(f"render_mode cannot be {mode!r}; it is {' or '.join(map(repr, MODES))}")
    return mode


def rendered(mode: str | None, text: str) -> str | None:
    """Return a text in the mode "ansi", print it in the mode "human"."""
    if mode is None:
        gymnasium.logger.warn("render was called, but no render_mode was named when the environment was made")
    if mode == HUMAN:
        print(text)
    return text if mode == ANSI else None
