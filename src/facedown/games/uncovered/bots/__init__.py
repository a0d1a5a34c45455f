"""Bots of Uncovered!: the greedy policy, the partner bot, and the solver for positions with all cards known."""
