"""Hearts, and broken twins of it, for tests of calibration."""
