"""The arena: who meets whom, played fairly and counted honestly."""
