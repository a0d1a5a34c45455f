"""Reveal, a card game: place cards face down in three columns, then bet your Final Card on one column.

Rules and rulings: ``docs/rules/reveal.md``.
"""
