"""Connections of pages and programs: the messages, and what each is shown of its table.

May import `table` and all that it may import; knows no HTTP.
"""
