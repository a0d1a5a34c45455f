"""Padding against the BREACH attack: compressed answers get a random length."""

from __future__ import annotations

import secrets

#: As in Django's answer to the BREACH attack.
MOST_FILLER = 100


def filler() -> str:
    """Text of a random length, at most `MOST_FILLER`.

    A page holds what only its reader may know beside what others wrote, and is compressed: who guesses aloud and could
    watch the line would see a right guess in the length, but for this (the BREACH attack).
    """
    return secrets.token_urlsafe(MOST_FILLER)[: secrets.randbelow(MOST_FILLER) + 1]
