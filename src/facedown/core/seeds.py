"""Match seeds of 256 bits, and the commitments to them.

A seed is random, or made from a text. A commitment is a hash of the seed that is published before the deal. After the
match it lets players check that the seed was not changed.
"""

from __future__ import annotations

import hashlib
import secrets

SEED_BYTES = 32


def new_seed() -> bytes:
    """Return 256 random bits from the operating system."""
    return secrets.token_bytes(SEED_BYTES)


def seed_from_text(text: str) -> bytes:
    """Return the seed for a text: 64 hexadecimal digits are the seed itself; any other text is hashed.

    >>> seed_from_text("42").hex()[:16]
    '73475cb40a568e8d'
    """
    word = text.strip().lower()
    if len(word) == 2 * SEED_BYTES and all(c in "0123456789abcdef" for c in word):
        return bytes.fromhex(word)
    return hashlib.sha256(text.encode()).digest()


def commitment_of(seed: bytes) -> str:
    """Return the commitment to a seed, a SHA-256 hash that is published before the deal."""
    return "sha256:" + hashlib.sha256(b"facedown commitment\n" + seed).hexdigest()
