"""What helps a search in Quarto."""

from kibitz.core.knowledge import Opening

# The report's searchers play Monte Carlo before the seventh piece is set.
OPENING = Opening("flat(playouts=100, policy=novice)", until=7)
