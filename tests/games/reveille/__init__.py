"""Tests of Reveille."""
