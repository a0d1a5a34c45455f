"""Raw TCP and WebSocket connections that can send any bytes."""

from __future__ import annotations

import base64
import os
import socket
import struct

from tests.server.http_server import PATIENCE, Server

MASK = b"\x0f\xa1\x07\x5c"


def tcp_connection(port: int, source: str = "") -> socket.socket:
    """Open a TCP connection, optionally from another address of this machine."""
    return socket.create_connection(("127.0.0.1", port), PATIENCE, (source, 0) if source else None)


def read_all(connection: socket.socket) -> bytes:
    """Read until the other side closes."""
    found = b""
    try:
        while part := connection.recv(65536):
            found += part
    except ConnectionError:
        pass
    return found


def read_until(connection: socket.socket, mark: bytes, times: int = 1) -> bytes:
    """Read until these bytes have come as often as given."""
    found = b""
    while found.count(mark) < times:
        part = connection.recv(1)
        assert part, found
        found += part
    return found


def frame(opcode: int, data: bytes = b"", *, fin: bool = True, reserved: int = 0, masked: bool = True) -> bytes:
    first = (0x80 if fin else 0) | reserved << 4 | opcode
    flag, size = 0x80 if masked else 0, len(data)
    if size < 126:
        head = bytes([first, flag | size])
    elif size < 1 << 16:
        head = bytes([first, flag | 126]) + struct.pack("!H", size)
    else:
        head = bytes([first, flag | 127]) + struct.pack("!Q", size)
    if not masked:
        return head + data
    return head + MASK + bytes(byte ^ MASK[at % 4] for at, byte in enumerate(data))


def upgrade_request(path: str, port: int, cookie: str, more: str = "") -> bytes:
    key = base64.b64encode(os.urandom(16)).decode()
    return (
        f"GET {path}/live HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\n"
        f"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n"
        f"Cookie: {cookie}\r\n{more}\r\n"
    ).encode()


def websocket_connection(server: Server, path: str, cookie: str, more: str = "", source: str = "") -> socket.socket:
    opened = tcp_connection(server.port, source)
    opened.sendall(upgrade_request(path, server.port, cookie, more))
    head = read_until(opened, b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 101"), head
    return opened
