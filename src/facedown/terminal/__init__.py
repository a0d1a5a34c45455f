"""Command line of the program, and play in a terminal."""
