"""Tests of Uncovered!."""
