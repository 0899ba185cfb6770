"""Colonizers."""
