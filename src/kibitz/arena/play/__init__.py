"""Playing games: the referee plays one game; threads and worker processes play many."""
