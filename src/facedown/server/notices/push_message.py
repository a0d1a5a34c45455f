"""Messages of Web Push: encrypted for one browser (RFC 8291) and signed by this server (RFC 8292).

`pywebpush` and `py-vapid` do both. They belong to the optional dependency ``facedown[push]``.
"""

from __future__ import annotations

import base64
import importlib.util
import json
from dataclasses import asdict, dataclass
from urllib.parse import urlsplit

from facedown.store.push_subscriptions import BrowserKeys

#: Name of the secret key from which the signing key is derived (`Repository.shared_secret_key`).
VAPID_KEY_NAME = "vapid"
#: Seconds for which a signature is valid. RFC 8292 allows at most 24 hours.
SIGNATURE_VALID = 12 * 3600
#: Maximum time in seconds for which a push service keeps a message that it cannot deliver.
MAX_TTL = 7 * 86_400
#: Value that marks a message as declarative: Safari shows it without running a script of the page (RFC 8030 is Web
#: Push).
DECLARATIVE = 8030
#: Number of elements of the group of the curve P-256. A private key is a number below it.
P256_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551


@dataclass(frozen=True, slots=True)
class NoticeText:
    """What a notice shows, and the page that it opens."""

    title: str
    body: str
    lang: str
    navigate: str
    """Absolute URL of the page."""
    tag: str
    """Identifies the table. A browser replaces a notice by a later one with the same tag."""

    def payload(self) -> bytes:
        """Return the notice as JSON, in the form of a declarative push message."""
        return json.dumps({"web_push": DECLARATIVE, "notification": asdict(self)}, ensure_ascii=False).encode()


def is_installed() -> bool:
    """Return whether the packages of the optional dependency ``push`` are installed."""
    return all(importlib.util.find_spec(name) for name in ("pywebpush", "py_vapid", "httpx"))


def are_valid_keys(keys: BrowserKeys) -> bool:
    """Return whether a browser's keys have the form that RFC 8291 demands: a point of the curve P-256, and 16 bytes."""
    from cryptography.hazmat.primitives.asymmetric import ec

    try:
        point, auth = _decoded(keys.p256dh), _decoded(keys.auth)
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
    except ValueError:
        return False
    return len(auth) == 16


class Sealer:
    """Encrypts and signs messages, with the signing key of this server.

    `secret` is the secret key of the name `VAPID_KEY_NAME`, and `public_url` the URL of this server, which push
    services use to contact its operator.
    """

    def __init__(self, secret: bytes, public_url: str) -> None:
        from cryptography.hazmat.primitives.asymmetric import ec
        from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
        from py_vapid import Vapid02

        number = int.from_bytes(secret) % (P256_ORDER - 1) + 1
        self._vapid = Vapid02(ec.derive_private_key(number, ec.SECP256R1()))
        # Push services accept only https here, and no port.
        self._contact = f"https://{urlsplit(public_url).hostname}"
        point = self._vapid.public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.public_key = base64.urlsafe_b64encode(point).decode().rstrip("=")
        """Public signing key, base64url. Browsers need it to subscribe."""

    def seal(
        self, text: NoticeText, keys: BrowserKeys, topic: str, until: float, now: float, *, urgent: bool = False
    ) -> tuple[dict[str, str], bytes]:
        """Return a notice as the headers and the body of a request to the browser's push service.

        A message with the same `topic` that is not delivered yet is replaced. After the Unix time `until` the message
        is not delivered any more.
        """
        from pywebpush import WebPusher

        parts = urlsplit(keys.endpoint)
        info = {"endpoint": keys.endpoint, "keys": {"p256dh": keys.p256dh, "auth": keys.auth}}
        body: bytes = WebPusher(info).encode(text.payload(), "aes128gcm")["body"]
        claims = {"aud": f"https://{parts.hostname}", "exp": int(now) + SIGNATURE_VALID, "sub": self._contact}
        headers = {
            "authorization": str(self._vapid.sign(claims)["Authorization"]),
            "content-encoding": "aes128gcm",
            "content-type": "application/octet-stream",
            "ttl": str(int(min(max(until - now, 0), MAX_TTL))),
            "topic": topic,
            "urgency": "high" if urgent else "normal",
        }
        return headers, body


def _decoded(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
