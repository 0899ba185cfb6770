"""Quarto."""
