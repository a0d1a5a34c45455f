"""WebSocket connections of pages and programs: their messages, and what each client sees of its table.

This package may import `table` and everything that `table` may import. It does not import `http`.
"""
