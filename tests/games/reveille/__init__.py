"""Reveille."""
