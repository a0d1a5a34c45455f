"""The command line of the program, and the interface for playing in a terminal."""
