"""The five documents reproduced: their experiments, and the code that only these need."""
