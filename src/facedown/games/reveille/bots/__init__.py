"""How bots play Reveille: the greedy policy, what a position is worth, and the exact endgame of two seats."""
