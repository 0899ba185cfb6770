"""Batches: many games side by side."""
