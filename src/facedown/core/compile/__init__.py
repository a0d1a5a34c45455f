"""Compilation of rules to machine code by Numba, its on-disk cache, and dispatch by record type."""
