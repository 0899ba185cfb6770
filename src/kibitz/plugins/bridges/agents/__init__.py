"""Agents that think with the libraries of other systems, one a file."""
