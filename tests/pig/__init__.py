"""Pig: dice in the open, for tests and as the worked example of the docs."""
