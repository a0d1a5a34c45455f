"""Reveille, a game with dominoes: win good bones (dominoes), then bid on the tricks that you will win with them.

Rules and rulings: ``docs/rules/reveille.md``.
"""
