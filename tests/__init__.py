"""Facedown's tests; the folders mirror ``src/facedown``."""
