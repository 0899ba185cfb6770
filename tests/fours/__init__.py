"""Four in a row, for tests of declared and of guessed scenes."""
