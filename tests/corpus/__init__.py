"""A frozen corpus of the program as it was at commit 77c2468, and tests that replay it (README.md)."""
