"""Agents that are programs of somebody else's; one agent a file, found by name as those of kibitz.agents are."""
