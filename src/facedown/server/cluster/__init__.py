"""Cooperation of several processes on one database: message bus, shared presence, and status of workers.

May import only `process`.
"""
