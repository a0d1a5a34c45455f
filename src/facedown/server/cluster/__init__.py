"""Several processes on one database: the bus between them, who is there with each, who thinks for whom.

May import `process` only.
"""
