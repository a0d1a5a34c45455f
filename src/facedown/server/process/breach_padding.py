"""Padding against the BREACH attack: compressed answers get a random length."""

from __future__ import annotations

import secrets
from base64 import urlsafe_b64encode

#: As in Django's answer to the BREACH attack.
MOST_FILLER = 100
#: Random bytes that Base64 turns into `MOST_FILLER` characters.
TEXT_BYTES = MOST_FILLER * 3 // 4


def random_padding() -> str:
    """Text of a random length, at most `MOST_FILLER`.

    A page holds what only its reader may know beside what others wrote, and is compressed: who guesses aloud and could
    watch the line would see a right guess in the length, but for this (the BREACH attack).
    """
    # All in one call of the system: this is done for every page.
    random = secrets.token_bytes(TEXT_BYTES + 2)
    length = int.from_bytes(random[TEXT_BYTES:], "big") % MOST_FILLER + 1
    return urlsafe_b64encode(random[:TEXT_BYTES]).decode("ascii")[:length]
