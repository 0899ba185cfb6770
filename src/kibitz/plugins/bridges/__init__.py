"""Doors to other systems: PettingZoo, Gymnasium and OpenSpiel. Each needs a library of its own, an extra of Kibitz."""
