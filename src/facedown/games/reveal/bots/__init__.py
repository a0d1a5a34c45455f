"""How bots play Reveal: the greedy policy, and what a round is worth. Nothing here is a rule."""
