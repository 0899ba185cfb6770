"""Cartagena."""
