"""Agents that use the libraries of other systems, one per file."""
