"""Statistics: confidence intervals, ratings, tests and stop rules, from plain columns of games."""
