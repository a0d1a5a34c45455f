"""Exact solvers: the fewest turns of Uncovered! and the second stage of Reveille."""
