"""Chexers."""
