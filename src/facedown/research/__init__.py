"""Interfaces for researchers: batches of thousands of matches, environments, game trees, solvers and training."""
