"""Reveille: win good bones, then bid on winning tricks with them. Rules and rulings: ``docs/rules/reveille.md``."""
