"""The levels of opponents, by name."""

BEGINNER, CLUB, STRONG = "beginner", "club", "strong"
LEVELS = (BEGINNER, CLUB, STRONG)
