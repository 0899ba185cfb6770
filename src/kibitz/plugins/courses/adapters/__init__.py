"""Adapters between Kibitz and players of other conventions; each runs in the process of its player.

They load only the standard library, so that a course's limits apply to the player alone.
"""
