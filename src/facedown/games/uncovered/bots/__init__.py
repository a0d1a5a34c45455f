"""How bots play Uncovered!: the greedy policy, the partner bot, and the solver of open positions."""
