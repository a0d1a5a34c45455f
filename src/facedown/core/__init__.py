"""Lowest layer of Facedown: the interface of a game, hidden cards, random numbers, matches and match files."""
