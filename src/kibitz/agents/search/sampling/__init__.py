"""Searches by playouts: flat Monte Carlo, UCT, information sets."""
