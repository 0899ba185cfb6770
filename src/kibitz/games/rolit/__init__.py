"""Rolit."""
