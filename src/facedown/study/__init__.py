"""Analysis of matches for learning: hints, evaluated moves, and reviews of finished matches with their key moments.

This package imports `core`, `bots` and `play`. Terminal, checks and server use it.
"""
