"""Origins: keyed hashes of client addresses, which identify who shares computing time without storing addresses."""

from __future__ import annotations

import base64
import hashlib
import hmac

#: Number of characters of an origin (hashed client address), equal to the size of its database column.
LENGTH = 24


class Origins:
    """Converts client addresses to origins. All processes share the key, which is stored in the database."""

    #: Name of the key in the database.
    NAME = "origins"

    def __init__(self, key: bytes = b"") -> None:
        self.key = key

    def of(self, address: str) -> str:
        """Return the origin (keyed hash) of an address.

        For IPv6, pass the network of the household and not a single address.
        """
        digest = hmac.digest(self.key, address.encode(), hashlib.sha256)
        return base64.urlsafe_b64encode(digest).decode()[:LENGTH]
