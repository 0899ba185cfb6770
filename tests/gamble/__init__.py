"""Gamble: random trees in which chance moves between the seats, for tests of cut-offs."""
