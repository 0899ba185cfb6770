"""Alpha-beta: the seat that searches against all others."""
