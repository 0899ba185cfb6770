"""Games on a cluster of machines, managed by Ray."""
