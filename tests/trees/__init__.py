"""Random trees as a game: what searches find in them can be checked by brute force."""
