"""Commands that learning brings."""
