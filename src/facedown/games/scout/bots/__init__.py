"""How bots play SCOUT: the greedy policy, what a round is worth, and the features that networks see."""
