"""The game Reveille: win good dominoes, then bid on winning tricks with them.

The rules and rulings are in ``docs/rules/reveille.md``.
"""
