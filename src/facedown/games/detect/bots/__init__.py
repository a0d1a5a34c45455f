"""How bots play Detect: the greedy policy, what a round is worth, and the features that networks see."""
