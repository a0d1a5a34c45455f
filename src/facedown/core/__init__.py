"""The lowest layer: the contract of a game, cards in slots, randomness, matches and their notation."""
