"""Max^n: every seat for itself."""
