"""Servers, databases and lines that fail at random moments under load: nothing that was acknowledged is lost by it.

``python -m tests.faults --faults 300`` runs it at length; `test_faults.py` runs some of it.
"""
