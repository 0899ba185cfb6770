"""Learning: networks that teach themselves by play."""
