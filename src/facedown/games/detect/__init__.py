"""Detect, a card game: swap cards in a grid of twelve face-down cards to get the lowest sum.

Rules and rulings: ``docs/rules/detect.md``.
"""
