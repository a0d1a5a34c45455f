"""Bots of Reveal: the greedy policy and the evaluation of a hand."""
