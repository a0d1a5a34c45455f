"""Compilation of functions marked `@rule` to machine code by Numba, and the on-disk cache of that code."""
