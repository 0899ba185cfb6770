"""Bots: programs in any language that play through lines of JSON, each in a process of its own behind walls."""
