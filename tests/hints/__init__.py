"""A game of hints like Hanabi, and broken twins of it, for tests of calibration."""
