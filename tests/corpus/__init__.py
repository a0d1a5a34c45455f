"""A frozen corpus of data that the program wrote at commit 77c2468, and tests that replay it (README.md)."""
