"""Analysis of matches for learning: hints during a match, and reviews of finished matches with evaluated moves.

This package imports `core` and `bots`. The terminal program and the server use it.
"""
