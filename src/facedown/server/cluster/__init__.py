"""Cooperation of several processes on one database: message bus, shared presence, and status of workers.

This package may import nothing of the server but `process`.
"""
