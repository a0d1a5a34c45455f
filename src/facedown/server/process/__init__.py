"""Basic services of a server process: settings, clocks, logs, metrics, rate limits, database threads.

This package may import nothing else of the server.
"""
