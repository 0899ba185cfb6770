"""Who plays it: the referee of one game, and this machine's cores, processes or a cluster for many."""
