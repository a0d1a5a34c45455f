"""Interfaces for researchers: batches of matches, learning environments, game trees, solvers and training."""
