"""Padding against the BREACH attack: it gives compressed responses a random length."""

from __future__ import annotations

import secrets
from base64 import urlsafe_b64encode

#: Maximum number of padding characters, as in Django's protection against BREACH.
MOST_FILLER = 100
#: Number of random bytes that Base64 encodes as `MOST_FILLER` characters.
TEXT_BYTES = MOST_FILLER * 3 // 4


def random_padding() -> str:
    """Return random text of 1 to `MOST_FILLER` characters.

    A compressed page contains secrets of its reader, and also text from other people. An attacker can send guesses of a
    secret as such text, and observe the length of the page on the network. A page with a correct guess compresses
    better, so it is shorter. Random text of random length, added to the page, hides that.
    """
    # One call to the system's random source serves both the length and the text, since this runs for every page.
    random = secrets.token_bytes(TEXT_BYTES + 2)
    length = int.from_bytes(random[TEXT_BYTES:], "big") % MOST_FILLER + 1
    return urlsafe_b64encode(random[:TEXT_BYTES]).decode("ascii")[:length]
