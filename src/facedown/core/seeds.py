"""Seeds of matches: 256 bits, from the operating system or made of a text, and what is published of them."""

from __future__ import annotations

import hashlib
import secrets

SEED_BYTES = 32


def new_seed() -> bytes:
    """256 random bits from the operating system."""
    return secrets.token_bytes(SEED_BYTES)


def seed_from_text(text: str) -> bytes:
    """The seed for a text: 64 hex digits are the seed itself, anything else is hashed.

    >>> seed_from_text("42").hex()[:16]
    '73475cb40a568e8d'
    """
    word = text.strip().lower()
    if len(word) == 2 * SEED_BYTES and all(c in "0123456789abcdef" for c in word):
        return bytes.fromhex(word)
    return hashlib.sha256(text.encode()).digest()


def commitment_of(seed: bytes) -> str:
    """What is published of a seed before the deal."""
    return "sha256:" + hashlib.sha256(b"facedown commitment\n" + seed).hexdigest()
