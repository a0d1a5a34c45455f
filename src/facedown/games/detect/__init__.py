"""Detect: trade twelve unseen cards down to the lowest sum. Rules and rulings: ``docs/rules/detect.md``."""
