"""The search trees that are drawn in the Cartagena thesis, as a game."""
