"""Asking for suits: a small game in which answers tell what a seat does not hold, for tests of calibration."""
