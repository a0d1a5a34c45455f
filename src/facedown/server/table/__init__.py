"""Live tables in memory: the class `Room`, bot turns, rematches, and the coach's review jobs.

This package may import `cluster`, `scheduling` and `process`. It renders no pages and handles no connections.
"""
