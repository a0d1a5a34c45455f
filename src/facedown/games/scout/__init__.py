"""The game SCOUT: show sets from a hand whose order never changes, or take cards from the table.

The rules and rulings are in ``docs/rules/scout.md``.
"""
