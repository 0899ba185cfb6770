"""A small game with one of several faults in its guesses, for tests of calibration."""
