"""The sandbox of a bot: what it may not do, and what of it this machine can enforce."""
