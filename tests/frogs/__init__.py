"""Frogs on a board of hexagons, for tests of scenes in which pieces move."""
