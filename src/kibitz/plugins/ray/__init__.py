"""Games on a cluster of machines, kept by Ray."""
