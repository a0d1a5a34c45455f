"""Lowest layer of Facedown: the interface that each game implements, hidden cards, random numbers, and matches."""
