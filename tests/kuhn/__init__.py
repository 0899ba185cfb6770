"""Three-card Kuhn poker: the smallest game whose secrets matter, for tests of searches that guess."""
