"""Basic services of a server process: settings, clocks, logs, metrics, rate limits, database threads.

May import nothing else of the server.
"""
