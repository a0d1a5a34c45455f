"""WebSocket frames that our page never sends are answered or refused, without errors and without leaks."""

from __future__ import annotations

import contextlib
import gc
import socket
import zlib
from collections import Counter
from pathlib import Path

import pytest
from httpx import Client

from facedown.server.connection.websocket_connection import Connection
from facedown.server.http.connection_limits import CHUNK, LimitedHttpProtocol, LimitedWebSocketProtocol
from tests.server.http_server import Live, Server, module_server, open_table, refusals, serving, token_of
from tests.server.raw_websocket import frame, read_all, tcp_connection, upgrade_request, websocket_connection
from tests.waiting import wait_until

#: Seconds that a server waits for a client to read.
LONG_TIMEOUT = 600.0
TEXT, BINARY, CONTINUED, CLOSE, PING, PONG = 1, 2, 0, 8, 9, 10
HELLO = b'{"type":"hello","version":0}'
DEFLATE = "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n"


pytestmark = pytest.mark.usefixtures("quiet_log")
#: A server in the event loop of a real one, because the test concerns its transports.
server = module_server(usual_loop=True)


@pytest.fixture
def table(ada: Client) -> tuple[str, str]:
    return table_and_cookie(ada)


def table_and_cookie(client: Client) -> tuple[str, str]:
    """Return the path of a table with a bot, and the visitor's cookie."""
    return open_table(client, "low"), f"facedown-guest={token_of(client)}"


def close_code(answer: bytes) -> int | None:
    """Return the code of the close frame at the end of the received bytes."""
    at = answer.rfind(b"\x88")
    return int.from_bytes(answer[at + 2 : at + 4], "big") if at >= 0 else None


def websocket_protocols(server: Server) -> list[LimitedWebSocketProtocol]:
    """Return the server's protocol objects of all WebSockets."""
    return [one for one in list(server.server.server_state.connections) if isinstance(one, LimitedWebSocketProtocol)]


def deflated(data: bytes) -> bytes:
    """Compress data for a frame."""
    made = zlib.compressobj(9, wbits=-12)
    return (made.compress(data) + made.flush(zlib.Z_SYNC_FLUSH))[:-4]


@pytest.mark.parametrize(
    ("sent", "code", "kind"),
    [
        (frame(TEXT, b'{"type":"\xff\xfe"}'), 1007, "not-utf8"),
        (frame(TEXT, b"\xf0\x9f", fin=False) + frame(CONTINUED, b"\x82"), 1007, "not-utf8"),
        (frame(TEXT, b"x" * 40_000), 1009, "frame-malformed"),
        (frame(TEXT, b"x" * 20_000, fin=False) + frame(CONTINUED, b"x" * 20_000), 1009, "frame-malformed"),
        (b"\x81\xff" + b"\x7f" + b"\xff" * 7, 1009, "frame-malformed"),
        (frame(TEXT, HELLO, masked=False), 1002, "frame-malformed"),
        (frame(TEXT, HELLO, reserved=4), 1002, "frame-malformed"),
        (frame(3, b"what"), 1002, "frame-malformed"),
        (frame(CONTINUED, b"what"), 1002, "frame-malformed"),
        (frame(TEXT, b"a", fin=False) + frame(TEXT, b"b"), 1002, "frame-malformed"),
        (frame(PING, b"x" * 126), 1002, "frame-malformed"),
        (frame(CLOSE, b"\x00"), 1002, "frame-malformed"),
        (frame(CLOSE, b"\x00\x00"), 1002, "frame-malformed"),
        (frame(CLOSE, b"\x03\xe8\xff\xff"), 1007, "frame-malformed"),
    ],
)
def test_malformed_websocket_frame_closes_the_connection_with_its_close_code(
    server: Server, table: tuple[str, str], sent: bytes, code: int, kind: str
) -> None:
    before = refusals(kind)
    with websocket_connection(server, *table) as opened:
        opened.sendall(sent)
        answer = read_all(opened)
    assert close_code(answer) == code
    assert refusals(kind) == before + 1


def test_compressed_message_that_inflates_too_large_closes_the_websocket(
    server: Server, table: tuple[str, str]
) -> None:
    bomb = deflated(b" " * 30_000_000)
    assert len(bomb) < 32_000
    with websocket_connection(server, *table, more=DEFLATE) as opened:
        opened.sendall(frame(TEXT, bomb, reserved=4))
        assert close_code(read_all(opened)) == 1009
    with websocket_connection(server, *table, more=DEFLATE) as opened:
        # The same in fragments.
        for start in range(0, len(bomb), 1000):
            opcode, part = (TEXT if start == 0 else CONTINUED), bomb[start : start + 1000]
            try:
                opened.sendall(frame(opcode, part, fin=False, reserved=4 if start == 0 else 0))
            except ConnectionError:
                break
        assert close_code(read_all(opened)) in (1009, None)
    with websocket_connection(server, *table, more=DEFLATE) as opened:
        opened.sendall(frame(TEXT, b"\xff" * 50, reserved=4))
        assert close_code(read_all(opened)) in (1002, 1007, 1011)


def test_binary_websocket_message_gets_an_error_message(live: Live) -> None:
    before = refusals("binary")
    live.socket.send(b"\x00\x01")
    assert live.get("error") == {"type": "error", "code": "malformed", "reason": "A message must be text."}
    live.socket.send("[" * 4000)
    assert live.get("error")["code"] == "malformed"
    live.send(type="hello", version=0, more="x" * 100)
    live.get("table")
    assert refusals("binary") == before + 1


def test_fragmented_websocket_message_with_pings_in_between_is_accepted(server: Server, table: tuple[str, str]) -> None:
    with websocket_connection(server, *table) as opened:
        for at, byte in enumerate(HELLO):
            opened.sendall(frame(TEXT if at == 0 else CONTINUED, bytes([byte]), fin=at == len(HELLO) - 1))
            opened.sendall(frame(PING, b"between"))
        answer = b""
        while b'"filler":' not in answer:
            answer += opened.recv(65536)
        opened.sendall(frame(CLOSE, b"\x03\xe8"))
        answer += read_all(opened)
    assert b'"type":"table"' in answer
    assert answer.count(b"\x8a\x07between") == len(HELLO)


@pytest.mark.parametrize("opcode", [PING, PONG, TEXT])
def test_websocket_frame_flood_closes_the_connection(tmp_path: Path, opcode: int) -> None:
    """This includes a flood in a single write: the server reads only its beginning."""
    limits = {"frames_at_once": 100, "frames_a_second": 1.0}
    with serving(tmp_path, usual_loop=True, **limits) as small, small.client() as ada:
        table, before = table_and_cookie(ada), refusals("frames")
        with websocket_connection(small, *table) as opened:
            try:
                opened.sendall(frame(opcode, b"{}") * 40_000)
                answer = read_all(opened)
            except ConnectionError:
                answer = b""
        # Pings in the last chunk within the limit are answered, too.
        assert answer.count(b"\x8a\x02{}") <= 100 + CHUNK // 8
        assert refusals("frames") == before + 1
        with Live(small, ada, table[0]) as live:
            live.hello()


def test_client_that_reads_no_pongs_is_disconnected(tmp_path: Path) -> None:
    """The protocol answers pings by itself. Its pongs must not pile up for a client that reads nothing."""
    with serving(tmp_path, send_timeout=LONG_TIMEOUT, frames_at_once=4000) as small, small.client() as ada:
        before = refusals("message-not-taken")
        # Accepted sockets inherit the buffer size.
        small.listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        with websocket_connection(small, *table_and_cookie(ada)) as opened:
            opened.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            opened.sendall(frame(PING, b"x" * 125) * 3000)
            wait_until(lambda: any("send" in one.timers for one in websocket_protocols(small)))
            assert max(one.transport.get_write_buffer_size() for one in websocket_protocols(small)) < 1_000_000
            small.advance(LONG_TIMEOUT)
            wait_until(lambda: refusals("message-not-taken") > before)
        wait_until(lambda: len(small.limits.open) <= 1)


def test_client_that_reads_no_pages_is_disconnected(tmp_path: Path) -> None:
    with serving(tmp_path, send_timeout=LONG_TIMEOUT) as small, small.client() as ada:
        url, cookie = table_and_cookie(ada)
        with websocket_connection(small, url, cookie) as opened:
            opened.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            room = small.room(url)
            wait_until(lambda: bool(room.subscribers))

            def stuck() -> bool:
                with contextlib.suppress(TimeoutError):
                    opened.settimeout(0.05)
                    opened.sendall(frame(TEXT, HELLO))
                return any("send" in one.timers for one in websocket_protocols(small))

            wait_until(stuck)
            small.advance(LONG_TIMEOUT)
            wait_until(lambda: not room.subscribers)
        wait_until(lambda: len(small.limits.open) <= 1)
        ended = small.rooms.metrics.line_ends.labels(why="slow")
        wait_until(lambda: ended._value.get() == 1)


def test_unanswered_websocket_close_handshake_times_out(tmp_path: Path) -> None:
    with serving(tmp_path) as server, server.client() as ada:
        url, cookie = table_and_cookie(ada)
        with websocket_connection(server, url, cookie) as opened:
            opened.sendall(frame(TEXT, b'{"type":"chat","text":7}') * 3)
            room = server.room(url)
            wait_until(lambda: bool(room.subscribers))
            connection = next(iter(room.subscribers))
            # The server sends a close frame, and the client does not answer.
            connection._ends = "overflowed"
            server.call(connection.on_change)
            wait_until(lambda: any(one.close_timer for one in websocket_protocols(server)))
            server.advance(10)
            assert close_code(read_all(opened)) == 1013
            wait_until(lambda: not room.subscribers)


def test_invalid_websocket_handshake_gets_a_4xx_response(server: Server, table: tuple[str, str]) -> None:
    fine = upgrade_request(table[0], server.port, table[1])
    for broken in (
        fine.replace(b"GET ", b"POST "),
        fine.replace(b"Sec-WebSocket-Key: ", b"Sec-WebSocket-Key: !"),
        fine.replace(b"Sec-WebSocket-Version: 13", b"Sec-WebSocket-Version: 7"),
        fine.replace(b"/live", b"/live\xff\xfe"),
        fine.replace(b"Upgrade: websocket", b"Upgrade: websocket\r\nX: " + b"y" * 10_000),
        fine.replace(b"/live", b"/live?" + b"q" * 9000),
        fine.replace(b"Upgrade: websocket", b"Upgrade: h2c"),
    ):
        with tcp_connection(server.port) as opened:
            opened.sendall(broken)
            answer = opened.recv(12)
        assert answer.startswith(b"HTTP/1.1 4"), (broken[:60], answer)
    with websocket_connection(server, *table) as opened:
        opened.sendall(frame(TEXT, HELLO))
        opened.recv(10)


@pytest.mark.slow
def test_closed_websocket_is_freed_without_cyclic_garbage_collection(server: Server, table: tuple[str, str]) -> None:
    def there() -> Counter[type]:
        kinds = (LimitedHttpProtocol, LimitedWebSocketProtocol, Connection)
        return Counter(type(each) for each in gc.get_objects() if isinstance(each, kinds))

    url, cookie = table
    room = server.room(url)
    gc.collect()
    gc.disable()
    try:
        before = there()
        for _ in range(5):
            with websocket_connection(server, url, cookie) as opened:
                opened.sendall(frame(TEXT, HELLO))
                wait_until(lambda: bool(room.subscribers))
                assert there() > before
            wait_until(lambda: not room.subscribers)
        wait_until(lambda: not there() - before)
    finally:
        gc.enable()
