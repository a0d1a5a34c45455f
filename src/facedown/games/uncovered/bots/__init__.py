"""Bots of Uncovered!: the greedy policy, the partner bot, and the solver for positions in which all cards are known."""
