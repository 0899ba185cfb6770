"""Reports: a run as a page with figures, and as data."""
