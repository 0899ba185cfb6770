"""A game that all seats play together: a hint of one bit each, and then everyone names its own number."""
