"""Bots: programs in any language that play through lines of JSON, each in its own process and sandbox."""
