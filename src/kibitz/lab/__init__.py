"""The lab: published tables as experiments, run again and held against what was published."""
