"""Lines of text as a panel, for what no kit draws."""

from textwrap import wrap

from kibitz.core.scene import Paint, Panel, Shape

COLUMNS = 40  # of the text in a picture, narrow enough for a phone
FONT_SIZE, LINE_HEIGHT, LETTER_WIDTH, MARGIN = 13.0, 20.0, 8.0, 12.0


def text_panel(text: str, name: str = "board") -> Panel:
    """Return a text as a panel."""
    lines = [part for line in text.splitlines() for part in _broken(line)]
    widest = max(COLUMNS, *map(len, lines)) if lines else COLUMNS
    width, height = widest * LETTER_WIDTH + 2 * MARGIN, len(lines) * LINE_HEIGHT + 2 * MARGIN
    shapes = [_line(line, MARGIN + (row + 0.5) * LINE_HEIGHT) for row, line in enumerate(lines)]
    return Panel(name, width, height, shapes)


def _broken(line: str) -> list[str]:
    """Break a line of words; one that is laid out by spaces stays whole, so that columns stand."""
    if "  " in line.strip():
        return [line.replace(" ", "\N{NO-BREAK SPACE}")]
    return wrap(line, COLUMNS, subsequent_indent="  ")


def _line(words: str, y: float) -> Shape:
    at: Paint = {"x": MARGIN, "y": y, "dominant-baseline": "central", "fill": "var(--ink)"}
    return Shape("text", {**at, "font-size": FONT_SIZE, "font-family": "monospace"}, words)
