"""What works on a clone of the repository; nothing of this is installed."""
