"""SCOUT: a hand whose order never changes, read one way up or the other. Rules and rulings: ``docs/rules/scout.md``."""
