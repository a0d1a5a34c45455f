"""HTTP connections that are slow, half open, too large or too many are closed without disturbing others."""

from __future__ import annotations

import contextlib
import resource
import socket
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import Mock

import pytest
from httpx import Client

from facedown.server.http import per_client_limits
from facedown.server.http.connection_limits import LimitedHttpProtocol, LimitedWebSocketProtocol
from facedown.server.http.per_client_limits import (
    MAX_REFUSED,
    RESERVED_FILE_DESCRIPTORS,
    ConnectionLimits,
    increase_connection_limit,
)
from facedown.server.http.visitors import COOKIE
from facedown.server.process.server_settings import ServerSettings
from tests.server.http_server import PATIENCE, Live, Server, module_server, open_table, refusals, serving, token_of
from tests.server.raw_websocket import read_all, read_until, tcp_connection, upgrade_request, websocket_connection
from tests.waiting import wait_until

pytestmark = pytest.mark.usefixtures("quiet_log")

GET = b"GET / HTTP/1.1\r\nHost: cards\r\n"
GET_ROBOTS = b"GET /robots.txt HTTP/1.1\r\nHost: cards\r\n\r\n"
#: Larger than the server's write buffer for a response.
FONT = b"GET /static/dist/sans.ttf HTTP/1.1\r\nHost: cards\r\n\r\n"
FORM = b"Origin: http://cards\r\nCookie: facedown-cookies=kept\r\nContent-Type: application/x-www-form-urlencoded\r\n"
POST = b"POST /tables HTTP/1.1\r\nHost: cards\r\n" + FORM


#: Seconds that these servers wait for a head, for a body, or for a client to read a response.
LONG_TIMEOUT = 600.0
#: Seconds that these servers keep an idle connection.
KEEP_ALIVE = 900


#: A server in the event loop of a real one, because the test concerns its transports.
server = module_server(usual_loop=True)
#: A server with long timeouts and a manual clock.
slow_timeout_server = module_server(
    head_timeout=LONG_TIMEOUT, body_timeout=LONG_TIMEOUT, take_timeout=LONG_TIMEOUT, keep_alive=KEEP_ALIVE
)


@pytest.fixture(autouse=True)
def bytes_read(monkeypatch: pytest.MonkeyPatch) -> Counter[int]:
    """Count the bytes that the server has read from each connection, by the client's port."""
    found: Counter[int] = Counter()
    receive = LimitedHttpProtocol.data_received

    def received(guest: LimitedHttpProtocol, data: bytes) -> None:
        receive(guest, data)
        if guest.client is not None:
            found[guest.client[1]] += len(data)

    monkeypatch.setattr(LimitedHttpProtocol, "data_received", received)
    return found


def protocol_of(server: Server, connection: socket.socket) -> LimitedHttpProtocol:
    """Return the server's protocol object of a connection."""
    name = connection.getsockname()

    def found() -> list[LimitedHttpProtocol]:
        there = [guest for guest in list(server.limits.open) if isinstance(guest, LimitedHttpProtocol)]
        return [guest for guest in there if guest.client == name]

    wait_until(found)
    return found()[0]


@pytest.mark.parametrize(
    ("sent", "status", "kind"),
    [
        (b"GET / HT", b"408", "slow-head"),
        (GET + b"X-Slow: ", b"408", "slow-head"),
        (b"\r\n\r\n", b"408", "slow-head"),
        (POST + b"Content-Length: 9\r\n\r\na=b", b"408", "slow-body"),
        (POST + b"Transfer-Encoding: chunked\r\n\r\n3\r\na=b", b"408", "slow-body"),
        (GET + b"X: " + b"x" * 20_000 + b"\r\n\r\n", b"431", "head-too-large"),
        (GET + b"X: " + b"x" * 20_000, b"431", "head-too-large"),
        (b"GET /" + b"x" * 20_000 + b" HTTP/1.1\r\nHost: cards\r\n\r\n", b"431", "head-too-large"),
        (GET + b"X: y\r\n" * 150 + b"\r\n", b"431", "too-many-headers"),
        (b"\x16\x03\x01\x02\x00\x01\x00", b"400", "no-request"),
        (b"GET / HTTP/1.1\r\nHost cards\r\n\r\n", b"400", "no-request"),
        (POST + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", b"400", "no-request"),
        (b"GET http://[ HTTP/1.1\r\nHost: c\r\n\r\n", b"400", "no-request"),
    ],
)  # fmt: skip
def test_incomplete_or_malformed_request_gets_an_error_response_and_its_connection_closes(
    slow_timeout_server: Server, bytes_read: Counter[int], sent: bytes, status: bytes, kind: str
) -> None:
    before = refusals(kind)
    with tcp_connection(slow_timeout_server.port) as connection:
        connection.sendall(sent)
        if status == b"408":
            wait_until(lambda: bytes_read[connection.getsockname()[1]] == len(sent))
            slow_timeout_server.advance(LONG_TIMEOUT)
        answer = read_all(connection)
    assert answer[:12] == b"HTTP/1.1 " + status
    assert b"connection: close" in answer
    assert refusals(kind) == before + 1


def test_connection_with_an_incomplete_body_closes_after_an_early_response(slow_timeout_server: Server) -> None:
    before = refusals("slow-body")
    with tcp_connection(slow_timeout_server.port) as connection:
        connection.sendall(POST.replace(b"http://cards", b"http://evil") + b"Content-Length: 9\r\n\r\na=b")
        guest = protocol_of(slow_timeout_server, connection)
        wait_until(lambda: guest.cycle is not None and guest.cycle.response_complete)
        slow_timeout_server.advance(LONG_TIMEOUT)
        answer = read_all(connection)
    # One response, then the connection closes.
    assert answer.startswith(b"HTTP/1.1 403")
    assert answer.count(b"HTTP/1.1 ") == 1
    assert refusals("slow-body") == before + 1


def test_request_head_sent_byte_by_byte_times_out(slow_timeout_server: Server, bytes_read: Counter[int]) -> None:
    with tcp_connection(slow_timeout_server.port) as connection:
        guest = protocol_of(slow_timeout_server, connection)
        for sent, byte in enumerate(GET[:10], 1):
            assert not guest.transport.is_closing()
            connection.send(bytes([byte]))
            wait_until(lambda sent=sent: bytes_read[connection.getsockname()[1]] == sent)  # type: ignore[misc]
            slow_timeout_server.advance(LONG_TIMEOUT / 10)
        answer = read_all(connection)
    assert answer.startswith(b"HTTP/1.1 408")


def test_silent_connection_is_closed_without_a_response(slow_timeout_server: Server) -> None:
    before = refusals("silent")
    with tcp_connection(slow_timeout_server.port) as connection:
        protocol_of(slow_timeout_server, connection)
        slow_timeout_server.advance(LONG_TIMEOUT)
        assert read_all(connection) == b""
    assert refusals("silent") == before + 1


def test_keep_alive_connection_serves_more_requests_and_closes_when_idle(slow_timeout_server: Server) -> None:
    with tcp_connection(slow_timeout_server.port) as connection, tcp_connection(slow_timeout_server.port) as silent:
        protocol_of(slow_timeout_server, silent)
        for _ in range(3):
            connection.sendall(GET_ROBOTS)
            assert read_until(connection, b"sitemap.xml\n").startswith(b"HTTP/1.1 200")
        guest = protocol_of(slow_timeout_server, connection)
        wait_until(lambda: guest.timeout_keep_alive_task is not None)
        assert list(slow_timeout_server.limits.open)[-1] is guest, "who asked last makes room last"
        slow_timeout_server.advance(KEEP_ALIVE)
        assert read_all(connection) == b""
    with tcp_connection(slow_timeout_server.port) as connection:
        # Two requests at once, and an unfinished third one.
        connection.sendall(GET_ROBOTS * 2 + b"GET /rob")
        third = protocol_of(slow_timeout_server, connection)
        wait_until(lambda: third.cycle and third.cycle.response_complete)
        connection.sendall(b"o")
        wait_until(lambda: "head" in third.timers)
        slow_timeout_server.advance(LONG_TIMEOUT)
        answers = read_all(connection)
    assert answers.count(b"HTTP/1.1 200") == 2
    assert answers.count(b"HTTP/1.1 408") == 1


def test_client_that_disconnects_while_sending_a_form_is_counted_in_the_metrics(slow_timeout_server: Server) -> None:
    before = refusals("gone-while-sending")
    with tcp_connection(slow_timeout_server.port) as connection:
        connection.sendall(POST + b"Content-Length: 9\r\n\r\na=b")
    wait_until(lambda: refusals("gone-while-sending") > before)


@contextlib.contextmanager
def connection_with_small_buffers(server: Server) -> Iterator[socket.socket]:
    """Open a connection with small buffers: a large response stays in transit while the client reads nothing."""
    # Accepted sockets inherit the buffer size.
    server.listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.connect(("127.0.0.1", server.port))
        connection.settimeout(PATIENCE)
        yield connection
    # Wait until its requests end, because they may still log.
    wait_until(lambda: not server.server.server_state.tasks)


def test_response_that_the_client_never_reads_is_dropped_after_a_timeout(slow_timeout_server: Server) -> None:
    before = refusals("answer-not-taken")
    with connection_with_small_buffers(slow_timeout_server) as connection:
        with contextlib.suppress(ConnectionError, TimeoutError):
            connection.settimeout(0.2)
            connection.sendall(FONT * 400)
        guest = protocol_of(slow_timeout_server, connection)
        wait_until(lambda: "take" in guest.timers)
        slow_timeout_server.advance(LONG_TIMEOUT)
        wait_until(lambda: refusals("answer-not-taken") > before)


def test_response_with_connection_close_that_stays_unread_is_dropped_after_a_timeout(
    slow_timeout_server: Server,
) -> None:
    before = refusals("answer-not-taken")
    with connection_with_small_buffers(slow_timeout_server) as connection:
        connection.sendall(b"GET /learn HTTP/1.1\r\nHost: cards\r\nConnection: close\r\n\r\n")
        guest = protocol_of(slow_timeout_server, connection)
        wait_until(guest.transport.is_closing)
        assert 0 < guest.transport.get_write_buffer_size() < 65536
        slow_timeout_server.advance(LONG_TIMEOUT)
        wait_until(lambda: refusals("answer-not-taken") > before)


def test_malformed_pipelined_request_does_not_interrupt_a_running_response(server: Server) -> None:
    with connection_with_small_buffers(server) as connection:
        connection.sendall(GET_ROBOTS + FONT)
        answers = read_until(connection, b"HTTP/1.1 200", 2)
        # The second response is in transit, and the third request waits.
        assert protocol_of(server, connection).is_busy
        connection.sendall(GET_ROBOTS + b"no request\r\n\r\n")
        answers += read_all(connection)
    assert answers.count(b"HTTP/1.1 ") == 2


@pytest.mark.parametrize("under_way", [True, False])
def test_websocket_upgrade_does_not_interrupt_a_running_response(server: Server, ada: Client, under_way: bool) -> None:
    live = upgrade_request(open_table(ada, "low"), server.port, f"{COOKIE}={token_of(ada)}")
    with connection_with_small_buffers(server) as connection:
        connection.sendall(FONT if under_way else FONT + live)
        answers = b""
        if under_way:
            answers = read_until(connection, b"HTTP/1.1 200")
            connection.sendall(live)
        answers += read_all(connection)
    assert answers.startswith(b"HTTP/1.1 200" if under_way else b"HTTP/1.1 400")
    assert answers.count(b"HTTP/1.1 ") == 1


# --- too many connections ---------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_connections_per_address_are_limited(tmp_path: Path) -> None:
    with serving(tmp_path, connections_of_address=5) as small, contextlib.ExitStack() as held:
        open_ones = [held.enter_context(tcp_connection(small.port, "127.0.0.2")) for _ in range(5)]
        with tcp_connection(small.port, "127.0.0.2") as sixth:
            sixth.sendall(GET + b"\r\n")
            answer = read_all(sixth)
        assert answer.startswith(b"HTTP/1.1 429")
        assert b"retry-after: " in answer
        # Other addresses are not affected, and closing a connection makes room for another.
        assert held.enter_context(small.client()).get("/robots.txt").status_code == 200
        open_ones[0].close()

        def again() -> bool:
            with tcp_connection(small.port, "127.0.0.2") as connection:
                connection.sendall(GET + b"Connection: close\r\n\r\n")
                return read_all(connection).startswith(b"HTTP/1.1 200")

        wait_until(again)


def test_known_proxy_is_exempt_from_the_connection_limit(tmp_path: Path) -> None:
    with serving(tmp_path, connections_of_address=2, proxies=("127.0.0.0/8",)) as small, contextlib.ExitStack() as held:
        for _ in range(20):
            held.enter_context(tcp_connection(small.port))
        assert held.enter_context(small.client()).get("/robots.txt").status_code == 200


class FakeConnection:
    """A connection as the limits see it. By default its client has sent no request yet."""

    def __init__(self, is_busy: bool = False) -> None:
        self.transport = Mock()
        self.is_busy = is_busy

    @property
    def gone(self) -> bool:
        """Whether it was closed in favour of another one."""
        return self.transport.abort.called


def full_limits(monkeypatch: pytest.MonkeyPatch, guests: list[FakeConnection]) -> ConnectionLimits:
    """Return limits of 16 connections, all of which are open."""
    monkeypatch.setattr(per_client_limits, "increase_connection_limit", lambda: 16)
    full = ConnectionLimits(ServerSettings(database="sqlite://", connections_of_address=100))
    assert [full.admit_or_refusal_kind(guest, f"192.0.2.{at}") for at, guest in enumerate(guests)] == [""] * 16
    return full


def test_full_server_drops_the_longest_idle_connection_first(monkeypatch: pytest.MonkeyPatch) -> None:
    guests = [FakeConnection(is_busy=at not in (3, 5)) for at in range(16)]
    full = full_limits(monkeypatch, guests)
    newest = FakeConnection()
    assert full.admit_or_refusal_kind(newest, "198.51.100.1") == ""
    assert (guests[3].gone, guests[5].gone) == (True, False)
    assert full.admit_or_refusal_kind(FakeConnection(is_busy=True), "198.51.100.2") == ""
    assert guests[5].gone
    assert full.admit_or_refusal_kind(FakeConnection(is_busy=True), "198.51.100.3") == ""
    assert newest.gone
    # Only connections with a running request are left.
    assert full.admit_or_refusal_kind(FakeConnection(), "198.51.100.4") == "connections"
    assert [guest.gone for guest in guests[6:]] == [False] * 10
    assert len(full.open) == 16


def test_refused_connections_do_not_count_as_open(monkeypatch: pytest.MonkeyPatch) -> None:
    full = full_limits(monkeypatch, [FakeConnection(is_busy=True) for _ in range(16)])
    strangers = [FakeConnection() for _ in range(5)]
    assert {full.admit_or_refusal_kind(guest, "203.0.113.1") for guest in strangers} == {"connections"}
    for guest in strangers * 2:
        full.release(guest)
    assert (len(full.open), len(full.refused)) == (16, 0)
    assert full.addresses.active_count("203.0.113.1") == 0


def test_only_a_limited_number_of_refused_connections_get_a_response(tmp_path: Path) -> None:
    with serving(tmp_path, connections_of_address=1) as small, contextlib.ExitStack() as held:
        held.enter_context(tcp_connection(small.port))
        refused = [held.enter_context(tcp_connection(small.port)) for _ in range(MAX_REFUSED)]
        wait_until(lambda: len(small.limits.refused) == MAX_REFUSED)
        with tcp_connection(small.port) as dropped:
            assert read_all(dropped) == b""
        for connection in (refused[0], refused[-1]):
            connection.sendall(GET_ROBOTS)
            assert read_all(connection).startswith(b"HTTP/1.1 429")


def test_websocket_counts_as_one_connection_together_with_its_upgrade_request(tmp_path: Path) -> None:
    with serving(tmp_path) as small, small.client() as ada:
        url = open_table(ada, "low")
        ada.close()
        wait_until(lambda: not small.limits.open)
        with websocket_connection(small, url, f"{COOKIE}={token_of(ada)}"):
            (live,) = small.limits.open
            assert isinstance(live, LimitedWebSocketProtocol)
            assert live.is_busy
            assert len(small.limits.addresses) == 1
        wait_until(lambda: not small.limits.open and not len(small.limits.addresses))


def test_connection_limit_is_the_file_descriptor_limit_minus_a_reserve() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(512, hard), hard))
        room = increase_connection_limit()
        assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] == hard
        assert room == hard - RESERVED_FILE_DESCRIPTORS or hard == resource.RLIM_INFINITY
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_players_continue_while_1100_connections_are_half_open(tmp_path: Path) -> None:
    """They come from five addresses, and half of them sent half a request head. After the timeout all are closed."""
    with serving(tmp_path, head_timeout=LONG_TIMEOUT) as running, contextlib.ExitStack() as held:
        ada = held.enter_context(running.client())
        url = open_table(ada, "low")
        with Live(running, ada, url) as live:
            message = live.until_yours(live.hello())
            half = [held.enter_context(tcp_connection(running.port, f"127.0.0.{2 + at % 5}")) for at in range(1100)]
            for connection in half[::2]:
                connection.sendall(GET)
            limits = running.limits
            wait_until(lambda: len(limits.open) >= 1100)
            version = message["version"]
            for _ in range(3):
                message = live.until_yours(live.play(message))
            assert message["version"] > version
            assert ada.get("/").status_code == 200
            assert len(limits.open) >= 1100
            running.advance(LONG_TIMEOUT)
            # No slot, timer or counter is left. The last ones close one by one while the server keeps working.
            kept = running.server.server_state.connections
            wait_until(lambda: len(limits.open) < 10 and len(limits.addresses) <= 1 and len(kept) < 10)
            assert [read_all(connection)[:12] for connection in half[::2]] == [b"HTTP/1.1 408"] * 550
            live.until_yours(live.play(message))
