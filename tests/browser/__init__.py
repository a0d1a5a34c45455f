"""The web table in real Chromium."""
