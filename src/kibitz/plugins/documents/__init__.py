"""The five documents again: their experiments, and what only these need."""
