"""Bots of SCOUT: the greedy policy, the evaluation of rounds, and the input features of networks."""
