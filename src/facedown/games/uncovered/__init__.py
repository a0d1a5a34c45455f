"""Uncovered!, a co-operative card game: swap cards until all hands show the same sequence.

Rules and rulings: ``docs/rules/uncovered.md``.
"""
