"""Studying a match: analyses of moves, reviews of finished matches, the moments that mattered, and hints.

A floor between `play` and what shows it: terminal, checks and server use it. It imports `core`, `bots` and `play`.
"""
