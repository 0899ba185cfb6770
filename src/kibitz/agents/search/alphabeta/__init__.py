"""Alpha-beta: the root seat against all others."""
