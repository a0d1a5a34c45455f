"""Bots of Detect: the greedy policy, the evaluation of a round, and the input features of neural networks."""
