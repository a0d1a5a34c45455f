"""From where a table comes, as a keyed hash of an address: enough to share out time, and nothing to find anybody by."""

from __future__ import annotations

import base64
import hashlib
import hmac

#: As long as the column.
LENGTH = 24


class Origins:
    """Turns addresses into origins; the key stands in the database, so that all processes agree."""

    #: Under which name the key stands there.
    NAME = "origins"

    def __init__(self, key: bytes = b"") -> None:
        self.key = key

    def of(self, address: str) -> str:
        """The origin of an address (of IPv6, of a household's network)."""
        digest = hmac.digest(self.key, address.encode(), hashlib.sha256)
        return base64.urlsafe_b64encode(digest).decode()[:LENGTH]
