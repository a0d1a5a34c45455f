"""Bots of Reveille: the greedy policy, the evaluation of positions, and the exact solver for the second stage."""
