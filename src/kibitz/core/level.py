"""The levels of opponents, by name."""

BEGINNER, CLUB, STRONG = "beginner", "club", "strong"
LEVELS = (BEGINNER, CLUB, STRONG)
ANY_SEATS = 0  # in the texts of an agent by number of seats: all other numbers
