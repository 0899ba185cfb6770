"""A race of bearing off, as at the end of backgammon, for tests of searches where chance moves."""
