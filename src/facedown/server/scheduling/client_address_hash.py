"""Origins: keyed hashes of client addresses. The scheduler divides computing time equally among the origins.

A table is stored with the origin of the client that opened it, so that the address itself need not be stored. A job
(the review of a finished match) is stored with the origin of the match's table.
"""

from __future__ import annotations

import base64
import hashlib
import hmac

#: Number of characters of an origin (hashed client address), equal to the size of its database column.
LENGTH = 24


class Origins:
    """Converter of client addresses to origins (keyed hashes). All processes use the same key, from the database."""

    #: Name under which the key of the hash is stored in the database.
    NAME = "origins"

    def __init__(self, key: bytes = b"") -> None:
        self.key = key

    def hash_address(self, address: str) -> str:
        """Return the origin (keyed hash) of an address.

        For IPv6, pass the network prefix of a household, because a household has many addresses.
        """
        digest = hmac.digest(self.key, address.encode(), hashlib.sha256)
        return base64.urlsafe_b64encode(digest).decode()[:LENGTH]
