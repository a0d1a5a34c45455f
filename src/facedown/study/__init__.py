"""Analysis of matches for learning: hints during a match, and reviews of finished matches with evaluated moves.

This package imports `core`, `bots` and `play`. Terminal, checks and server use it.
"""
