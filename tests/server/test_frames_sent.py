"""Frames that no page of ours sends: each is answered or cut off, nothing breaks, and nothing grows."""

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
from tests.server.raw_websocket import all_of, frame, line, live_line, upgrade
from tests.waiting import wait_until

#: How long a server waits until a client takes what it sends, in seconds.
PATIENT = 600.0
TEXT, BINARY, CONTINUED, CLOSE, PING, PONG = 1, 2, 0, 8, 9, 10
HELLO = b'{"type":"hello","version":0}'
DEFLATE = "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n"


pytestmark = pytest.mark.usefixtures("quiet_log")
#: A server in the event loop of a real one: its transports are what is tested here.
server = module_server(usual_loop=True)


@pytest.fixture
def table(ada: Client) -> tuple[str, str]:
    return a_line(ada)


def a_line(client: Client) -> tuple[str, str]:
    """The address of a table with a bot, and the visitor's cookie."""
    return open_table(client, "low"), f"facedown-guest={token_of(client)}"


def closed_with(answer: bytes) -> int | None:
    """The code of the close frame at the end of what the server sent."""
    at = answer.rfind(b"\x88")
    return int.from_bytes(answer[at + 2 : at + 4], "big") if at >= 0 else None


def live_lines(server: Server) -> list[LimitedWebSocketProtocol]:
    """The server's ends of all live lines."""
    return [one for one in list(server.server.server_state.connections) if isinstance(one, LimitedWebSocketProtocol)]


def deflated(data: bytes) -> bytes:
    """Data as a compressed frame holds it."""
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
def test_what_is_no_message_closes_the_line(
    server: Server, table: tuple[str, str], sent: bytes, code: int, kind: str
) -> None:
    before = refusals(kind)
    with live_line(server, *table) as opened:
        opened.sendall(sent)
        answer = all_of(opened)
    assert closed_with(answer) == code
    assert refusals(kind) == before + 1


def test_a_bomb_is_not_unpacked(server: Server, table: tuple[str, str]) -> None:
    bomb = deflated(b" " * 30_000_000)
    assert len(bomb) < 32_000
    with live_line(server, *table, more=DEFLATE) as opened:
        opened.sendall(frame(TEXT, bomb, reserved=4))
        assert closed_with(all_of(opened)) == 1009
    with live_line(server, *table, more=DEFLATE) as opened:
        # By parts it is the same.
        for start in range(0, len(bomb), 1000):
            opcode, part = (TEXT if start == 0 else CONTINUED), bomb[start : start + 1000]
            try:
                opened.sendall(frame(opcode, part, fin=False, reserved=4 if start == 0 else 0))
            except ConnectionError:
                break
        assert closed_with(all_of(opened)) in (1009, None)
    with live_line(server, *table, more=DEFLATE) as opened:
        opened.sendall(frame(TEXT, b"\xff" * 50, reserved=4))
        assert closed_with(all_of(opened)) in (1002, 1007, 1011)


def test_binary_messages_are_answered(live: Live) -> None:
    before = refusals("binary")
    live.socket.send(b"\x00\x01")
    assert live.get("error") == {"type": "error", "code": "malformed", "reason": "A message must be text."}
    live.socket.send("[" * 4000)
    assert live.get("error")["code"] == "malformed"
    live.send(type="hello", version=0, more="x" * 100)
    live.get("table")
    assert refusals("binary") == before + 1


def test_a_message_may_come_in_parts(server: Server, table: tuple[str, str]) -> None:
    with live_line(server, *table) as opened:
        for at, byte in enumerate(HELLO):
            opened.sendall(frame(TEXT if at == 0 else CONTINUED, bytes([byte]), fin=at == len(HELLO) - 1))
            opened.sendall(frame(PING, b"between"))
        answer = b""
        while b'"filler":' not in answer:
            answer += opened.recv(65536)
        opened.sendall(frame(CLOSE, b"\x03\xe8"))
        answer += all_of(opened)
    assert b'"type":"table"' in answer
    assert answer.count(b"\x8a\x07between") == len(HELLO)


@pytest.mark.parametrize("opcode", [PING, PONG, TEXT])
def test_a_flood_of_frames_is_cut_off(tmp_path: Path, opcode: int) -> None:
    """Also one that comes in a single piece: only the first of it is looked at."""
    limits = {"frames_at_once": 100, "frames_a_second": 1.0}
    with serving(tmp_path, usual_loop=True, **limits) as small, small.client() as ada:
        table, before = a_line(ada), refusals("frames")
        with live_line(small, *table) as opened:
            try:
                opened.sendall(frame(opcode, b"{}") * 40_000)
                answer = all_of(opened)
            except ConnectionError:
                answer = b""
        # What has come with the last that was fine is answered as well.
        assert answer.count(b"\x8a\x02{}") <= 100 + CHUNK // 8
        assert refusals("frames") == before + 1
        with Live(small, ada, table[0]) as live:
            live.hello()


def test_who_takes_no_answers_to_pings_is_dropped(tmp_path: Path) -> None:
    """Pings are answered by the protocol itself: their answers must not pile up for somebody who reads none."""
    with serving(tmp_path, send_timeout=PATIENT, frames_at_once=4000) as small, small.client() as ada:
        before = refusals("message-not-taken")
        # What is opened through it has as much room.
        small.listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        with live_line(small, *a_line(ada)) as opened:
            opened.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            opened.sendall(frame(PING, b"x" * 125) * 3000)
            wait_until(lambda: any("send" in one.timers for one in live_lines(small)))
            assert max(one.transport.get_write_buffer_size() for one in live_lines(small)) < 1_000_000
            small.advance(PATIENT)
            wait_until(lambda: refusals("message-not-taken") > before)
        wait_until(lambda: len(small.limits.open) <= 1)


def test_a_page_that_nobody_takes_is_dropped(tmp_path: Path) -> None:
    with serving(tmp_path, send_timeout=PATIENT) as small, small.client() as ada:
        url, cookie = a_line(ada)
        with live_line(small, url, cookie) as opened:
            opened.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            room = small.room(url)
            wait_until(lambda: bool(room.subscribers))

            def stuck() -> bool:
                with contextlib.suppress(TimeoutError):
                    opened.settimeout(0.05)
                    opened.sendall(frame(TEXT, HELLO))
                return any("send" in one.timers for one in live_lines(small))

            wait_until(stuck)
            small.advance(PATIENT)
            wait_until(lambda: not room.subscribers)
        wait_until(lambda: len(small.limits.open) <= 1)
        ended = small.rooms.metrics.line_ends.labels(why="slow")
        wait_until(lambda: ended._value.get() == 1)


def test_a_goodbye_that_never_ends_is_cut_off(tmp_path: Path) -> None:
    with serving(tmp_path) as server, server.client() as ada:
        url, cookie = a_line(ada)
        with live_line(server, url, cookie) as opened:
            opened.sendall(frame(TEXT, b'{"type":"chat","text":7}') * 3)
            room = server.room(url)
            wait_until(lambda: bool(room.subscribers))
            connection = next(iter(room.subscribers))
            # The server says goodbye, and nobody answers.
            connection._ends = "overflowed"
            server.call(connection.on_change)
            wait_until(lambda: any(one.close_timer for one in live_lines(server)))
            server.advance(10)
            assert closed_with(all_of(opened)) == 1013
            wait_until(lambda: not room.subscribers)


def test_what_is_no_handshake_is_refused(server: Server, table: tuple[str, str]) -> None:
    fine = upgrade(table[0], server.port, table[1])
    for broken in (
        fine.replace(b"GET ", b"POST "),
        fine.replace(b"Sec-WebSocket-Key: ", b"Sec-WebSocket-Key: !"),
        fine.replace(b"Sec-WebSocket-Version: 13", b"Sec-WebSocket-Version: 7"),
        fine.replace(b"/live", b"/live\xff\xfe"),
        fine.replace(b"Upgrade: websocket", b"Upgrade: websocket\r\nX: " + b"y" * 10_000),
        fine.replace(b"/live", b"/live?" + b"q" * 9000),
        fine.replace(b"Upgrade: websocket", b"Upgrade: h2c"),
    ):
        with line(server.port) as opened:
            opened.sendall(broken)
            answer = opened.recv(12)
        assert answer.startswith(b"HTTP/1.1 4"), (broken[:60], answer)
    with live_line(server, *table) as opened:
        opened.sendall(frame(TEXT, HELLO))
        opened.recv(10)


@pytest.mark.slow
def test_a_line_that_is_closed_is_gone_without_a_look_for_circles(server: Server, table: tuple[str, str]) -> None:
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
            with live_line(server, url, cookie) as opened:
                opened.sendall(frame(TEXT, HELLO))
                wait_until(lambda: bool(room.subscribers))
                assert there() > before
            wait_until(lambda: not room.subscribers)
        wait_until(lambda: not there() - before)
    finally:
        gc.enable()
