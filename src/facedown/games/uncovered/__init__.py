"""Uncovered!, a co-operative card game: swap cards until all hands have the same numbers in the same order.

Rules and rulings: ``docs/rules/uncovered.md``.
"""
