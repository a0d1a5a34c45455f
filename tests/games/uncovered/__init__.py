"""Uncovered!."""
