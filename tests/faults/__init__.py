"""Servers, databases and lines that fail at random moments under load: nothing that was acknowledged is lost by it."""
