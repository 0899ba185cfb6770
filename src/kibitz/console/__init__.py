"""What every command shares: how errors end, what is printed, and how progress is shown."""
