"""For research."""
