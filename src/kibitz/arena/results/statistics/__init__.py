"""Statistics: intervals, ratings, verdicts and stopping rules, from plain columns of games."""
