"""SCOUT, a card game: show sets from a hand whose order never changes, or take cards from the table.

Rules and rulings: ``docs/rules/scout.md``.
"""
