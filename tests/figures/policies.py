"""None but the random one."""
