"""Kuhn poker (H. W. Kuhn, 1950): three cards, two players, one bet."""
