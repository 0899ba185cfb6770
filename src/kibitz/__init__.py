"""Kibitz: a laboratory for board games with more than two seats, hidden cards, or both."""

__version__ = "0.1.0"
