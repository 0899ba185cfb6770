"""Stands for the AICore of the thesis's program."""

raise OSError("there is no such pipe")
