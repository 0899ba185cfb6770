"""The lab: published tables as experiments, run again and compared with the published numbers."""
