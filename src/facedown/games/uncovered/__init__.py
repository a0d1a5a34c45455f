"""Uncovered!: all hands become one sequence, by swaps, together. Rules and rulings: ``docs/rules/uncovered.md``."""
