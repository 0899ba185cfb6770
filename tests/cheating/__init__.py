"""A game by path whose policies cheat, for tests of the places where games are played."""
