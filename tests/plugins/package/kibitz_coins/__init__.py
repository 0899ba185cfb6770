"""A small package of somebody else's, with a game, an agent, a command and a page."""
