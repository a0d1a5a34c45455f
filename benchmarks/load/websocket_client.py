"""Minimal HTTP and WebSocket client that needs little CPU time, because it shares two cores with the server under test.

The client does not parse whole messages: it searches the JSON text for the names of the fields that it needs. Such a
name between unescaped quotes cannot be part of a string in JSON, because quotes in strings are escaped.
"""

from __future__ import annotations

import asyncio
import base64
import os
import re
import struct
import zlib
from collections.abc import Callable
from typing import cast
from urllib.parse import urlencode

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10
#: End of a compressed message, which is not transmitted (RFC 7692, 7.2.1).
ENDS = b"\x00\x00\xff\xff"
VERSION = re.compile(rb'"version":(\d+)')
ACTION = re.compile(rb'"action":(\d+)')
COOKIE = re.compile(rb"(?i)^set-cookie: *([^;\r]+)", re.MULTILINE)
LOCATION = re.compile(rb"(?i)^location: *([^\r]+)", re.MULTILINE)
#: Seconds after which a pending operation fails.
PATIENCE = 120.0


class Refused(RuntimeError):
    """Error if the server refuses a form or a WebSocket handshake."""


async def post(port: int, path: str, form: dict[str, str], cookie: str = "") -> tuple[str, str]:
    """Post a form as a browser does; return the address that the server redirects to, and the new cookie.

    Raises `Refused` unless the server redirects.
    """
    body = urlencode(form).encode()
    origin = f"http://127.0.0.1:{port}"
    head = (
        f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: {origin}\r\nConnection: close\r\n"
        f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n"
    )
    # Without this cookie the server first checks with a redirect that the browser accepts cookies.
    cookies = "; ".join(filter(None, ("facedown-cookies=kept", cookie)))
    head += f"Cookie: {cookies}\r\n"
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(head.encode() + b"\r\n" + body)
        answer = await asyncio.wait_for(reader.read(), PATIENCE)
    finally:
        writer.close()
    status = int(answer.split(b" ", 2)[1])
    if status != 303:
        raise Refused(f"POST {path} returned {status}: {answer[-300:]!r}")
    to, given = LOCATION.search(answer), COOKIE.search(answer)
    return (to[1].decode() if to else ""), (given[1].decode() if given else cookie)


def frame(kind: int, payload: bytes, *, packed: bool = False) -> bytes:
    """Return one WebSocket frame from a client, masked with zeros, which is a valid mask."""
    first = 0x80 | kind | (0x40 if packed else 0)
    if len(payload) < 126:
        return bytes((first, 0x80 | len(payload))) + bytes(4) + payload
    return bytes((first, 0xFE)) + struct.pack(">H", len(payload)) + bytes(4) + payload


class Socket(asyncio.Protocol):
    """A WebSocket. It calls `heard` with each message, and `lost` once if the connection breaks."""

    def __init__(
        self, port: int, path: str, cookie: str, deflate: bool, heard: Callable[[bytes], None], lost: Callable[[], None]
    ) -> None:
        self.port, self.path, self.cookie, self.deflate = port, path, cookie, deflate
        self.heard, self.lost = heard, lost
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.received = 0
        """Number of bytes received, in compressed form."""
        self._transport: asyncio.Transport | None = None
        self._buffer = bytearray()
        self._started = self._closing = False
        self._unpack: zlib._Decompress | None = None
        self._keeps = True
        """Whether the server uses earlier messages as context for compression."""

    async def open(self) -> None:
        """Connect, and wait for the handshake."""
        await asyncio.get_running_loop().create_connection(lambda: self, "127.0.0.1", self.port)
        await asyncio.wait_for(self.opened, PATIENCE)

    def close(self) -> None:
        """Close the WebSocket as a browser does; `lost` is not called."""
        self._closing = True
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(frame(CLOSE, b"\x03\xe9"))
            self._transport.close()

    def send(self, text: bytes) -> None:
        """Send a text message; do nothing if the connection is closed."""
        if self._transport is None or self._transport.is_closing():
            return
        if self._unpack is None:
            self._transport.write(frame(TEXT, text))
            return
        packer = zlib.compressobj(1, zlib.DEFLATED, -9, 1)
        packed = packer.compress(text) + packer.flush(zlib.Z_SYNC_FLUSH)
        self._transport.write(frame(TEXT, packed[:-4], packed=True))

    # --- called by asyncio ------------------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Send the WebSocket handshake."""
        self._transport = transport = cast(asyncio.Transport, transport)
        packs = "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n" if self.deflate else ""
        transport.write(
            (
                f"GET {self.path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nUpgrade: websocket\r\n"
                f"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nOrigin: http://127.0.0.1:{self.port}\r\n"
                f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}\r\n"
                f"{packs}Cookie: {self.cookie}\r\n\r\n"
            ).encode()
        )

    def connection_lost(self, exc: Exception | None) -> None:
        """Report a lost connection to `lost`, or to a pending `open`."""
        if not self.opened.done():
            self.opened.set_exception(ConnectionError("the line broke before it was open"))
            # Mark the exception as retrieved, in case `open` no longer waits for it.
            self.opened.exception()
        elif not self._closing:
            self.lost()

    def data_received(self, data: bytes) -> None:
        """Parse the frames in the received bytes."""
        self.received += len(data)
        self._buffer += data
        if not self._started and not self._read_handshake():
            return
        while self._read_frame():
            pass

    def _read_handshake(self) -> bool:
        """Read the server's answer to the handshake; return whether it is complete and successful."""
        end = self._buffer.find(b"\r\n\r\n")
        if end < 0:
            return False
        head = bytes(self._buffer[:end])
        del self._buffer[: end + 4]
        if b" 101 " not in head.split(b"\r\n", 1)[0]:
            self.opened.set_exception(Refused(f"no WebSocket at {self.path}: {head[:80]!r}"))
            self._closing = True
            if self._transport is not None:
                self._transport.close()
            return False
        low = head.lower()
        if b"permessage-deflate" in low:
            self._unpack = zlib.decompressobj(-15)
            self._keeps = b"server_no_context_takeover" not in low
        self._started = True
        if not self.opened.done():
            self.opened.set_result(None)
        return True

    def _read_frame(self) -> bool:
        """Parse one frame from the buffer; return False if the next one is incomplete."""
        buffer = self._buffer
        if len(buffer) < 2:
            return False
        length, start = buffer[1] & 0x7F, 2
        if length == 126:
            if len(buffer) < 4:
                return False
            length, start = struct.unpack_from(">H", buffer, 2)[0], 4
        elif length == 127:
            if len(buffer) < 10:
                return False
            length, start = struct.unpack_from(">Q", buffer, 2)[0], 10
        if len(buffer) < start + length:
            return False
        first, payload = buffer[0], bytes(buffer[start : start + length])
        del buffer[: start + length]
        if not first & 0x80 or not first & 0x0F:
            raise NotImplementedError("received a fragmented message, which Facedown’s servers never send")
        kind = first & 0x0F
        if kind == TEXT:
            self.heard(self._unpacked(payload) if first & 0x40 else payload)
        elif kind == PING and self._transport is not None:
            self._transport.write(frame(PONG, payload))
        elif kind == CLOSE and self._transport is not None:
            self._transport.close()
        return True

    def _unpacked(self, payload: bytes) -> bytes:
        assert self._unpack is not None
        text = self._unpack.decompress(payload + ENDS)
        if not self._keeps:
            self._unpack = zlib.decompressobj(-15)
        return text


def actions_in(message: bytes) -> list[int]:
    r"""Return the actions of all touch sequences in a "table" message.

    >>> actions_in(rb'{"type":"table","say":["\"action\":9"],"step":{"choices":[{"action":4}]},"yours":true}')
    [4]
    """
    start = message.find(b',"step":{')
    end = message.find(b',"yours":', start)
    return [int(found) for found in ACTION.findall(message, start, end)] if start >= 0 else []
