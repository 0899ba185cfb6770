"""Commands that bots bring."""
