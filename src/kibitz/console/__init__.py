"""What every command shares: how errors end, what is printed, and lines that show progress."""
