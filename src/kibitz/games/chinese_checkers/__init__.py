"""Chinese Checkers."""
