"""A push service for tests (RFC 8030): it takes messages over https, checks their signatures and decrypts them.

Its answer depends on the first part of the path: "ok" accepts a message, "hang" never answers, "redirect" points to
another address, and a number is the status of the answer.
"""

from __future__ import annotations

import base64
import contextlib
import datetime as dt
import json
import ssl
import tempfile
import threading
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import http_ece
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat
from cryptography.x509.oid import NameOID
from py_vapid import Vapid02

from facedown.server.notices.outgoing_client import OutgoingClient

HOST = "push.test"


@dataclass
class Message:
    """A message that the service has received for a browser."""

    headers: dict[str, str]
    notification: dict[str, Any]


def base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


@dataclass
class PushBrowser:
    """A browser with the keys of its subscription."""

    path: str
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    auth: bytes = b"0123456789abcdef"

    @property
    def endpoint(self) -> str:
        return f"https://{HOST}/{self.path}"

    def form(self, zone: str = "UTC", replaces: str = "") -> dict[str, str]:
        """Return what the page sends to subscribe."""
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        keys = {"p256dh": base64url(point), "auth": base64url(self.auth)}
        return {"endpoint": self.endpoint, **keys, "zone": zone, "replaces": replaces}

    def opened(self, body: bytes) -> Any:
        """Decrypt a message (RFC 8291) and return its JSON."""
        return json.loads(http_ece.decrypt(body, private_key=self.key, auth_secret=self.auth, version="aes128gcm"))


class PushService:
    """The running service: the browsers that it knows, and the messages that it has received by path."""

    def __init__(self, port: int, certificate: str) -> None:
        self.port = port
        self.certificate = certificate
        self.browsers: dict[str, PushBrowser] = {}
        self.messages: defaultdict[str, list[Message]] = defaultdict(list)
        self.requests: defaultdict[str, int] = defaultdict(int)
        self.errors: list[str] = []
        self.waiting = threading.Event()
        """Set at the end; requests to "hang" wait for it."""

    def browser(self, path: str) -> PushBrowser:
        """Register and return a browser with this path."""
        return self.browsers.setdefault(path, PushBrowser(path))

    def client(self) -> OutgoingClient:
        """Return an outgoing client that finds this service under the host name `HOST`, and only that."""
        context = ssl.create_default_context(cadata=self.certificate)
        return OutgoingClient(lambda host: [("127.0.0.1", self.port)] if host == HOST else [], lambda _: True, context)

    def shown(self, path: str) -> list[dict[str, Any]]:
        """Return the notices that a browser has received, oldest first."""
        return [message.notification for message in self.messages[path]]

    def receive(self, path: str, headers: dict[str, str], body: bytes) -> None:
        """Check and decrypt a message."""
        token, _, key = headers["authorization"].removeprefix("vapid t=").partition(",k=")
        assert Vapid02.verify(f"vapid t={token},k={key}"), "the signature is wrong"
        claims = json.loads(base64.urlsafe_b64decode(token.split(".")[1] + "=="))
        assert claims["aud"] == f"https://{HOST}", claims
        assert len(headers["topic"]) <= 32, headers
        self.messages[path].append(Message(headers, self.browsers[path].opened(body)["notification"]))


def _handler_of(service: PushService) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            path = self.path.removeprefix("/")
            behaviour = path.split("/")[0]
            body = self.rfile.read(int(self.headers["content-length"]))
            service.requests[path] += 1
            if behaviour == "hang":
                service.waiting.wait()
                return
            if behaviour == "ok":
                try:
                    service.receive(path, {key.lower(): value for key, value in self.headers.items()}, body)
                except (AssertionError, ValueError, KeyError, http_ece.ECEException) as wrong:
                    service.errors.append(repr(wrong))
                    behaviour = "400"
            self.send_response({"ok": 201, "redirect": 307}.get(behaviour) or int(behaviour))
            if behaviour == "redirect":
                self.send_header("location", f"https://{HOST}/ok/redirected")
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, *_args: Any) -> None:
            pass

    return Handler


def _certificate() -> tuple[str, str]:
    """Return a certificate for `HOST`, signed by itself, and its private key, as PEM."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, HOST)])
    now = dt.datetime.now(dt.UTC)
    made = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
    made = made.serial_number(1).not_valid_before(now - dt.timedelta(days=1))
    made = made.not_valid_after(now + dt.timedelta(days=30))
    made = made.add_extension(x509.SubjectAlternativeName([x509.DNSName(HOST)]), critical=False)
    signed = made.sign(key, hashes.SHA256()).public_bytes(Encoding.PEM).decode()
    return signed, key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 200

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore clients that hang up."""


@contextlib.contextmanager
def push_service() -> Iterator[PushService]:
    """Run the service at a free port until the block ends."""
    certificate, key = _certificate()
    service = PushService(0, certificate)
    server = _Server(("127.0.0.1", 0), _handler_of(service))
    service.port = server.server_address[1]
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    with tempfile.NamedTemporaryFile("w", suffix=".pem") as both:
        Path(both.name).write_text(key + certificate)
        context.load_cert_chain(both.name)
    # The handshake must not block the loop that accepts connections.
    server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield service
    finally:
        service.waiting.set()
        server.shutdown()
        server.server_close()
        thread.join()
