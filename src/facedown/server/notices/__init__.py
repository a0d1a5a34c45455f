"""Notices by Web Push: what they say, how they are encrypted, and how they are sent."""
