"""What one process needs to run: settings, clocks, logs, metrics, limits, threads for the database.

May import nothing else of the server.
"""
