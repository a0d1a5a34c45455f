"""Tables in memory: rooms, their bots' turns, rematches, and the coach's jobs.

May import `cluster`, `look`, `thinking` and `process`; draws no pages and knows no connection.
"""
