"""Programs that stand between Kibitz and players of other conventions; each runs in the process of its player.

They load nothing but the standard library, so that a course's limits are for the player alone.
"""
