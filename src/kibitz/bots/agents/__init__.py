"""Agents that run other people's programs; one agent a file, found by name like those in kibitz.agents."""
