"""Compilation of rules to machine code by Numba, the on-disk cache of that code, and dispatch by record type."""
