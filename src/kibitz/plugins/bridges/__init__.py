"""Bridges to other systems: PettingZoo, Gymnasium and OpenSpiel. Each needs a library, which an extra installs."""
