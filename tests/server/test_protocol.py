"""Connections that are slow, half open, too large or too many: they are let go of, and the others notice nothing."""

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

from facedown.server.http import request_limits
from facedown.server.http.connection_limits import LimitedHttpProtocol, LimitedWebSocketProtocol
from facedown.server.http.request_limits import (
    MAX_REFUSED,
    RESERVED_FILE_DESCRIPTORS,
    ConnectionLimits,
    max_connections,
)
from facedown.server.http.visitors import COOKIE
from facedown.server.process.settings import ServerSettings
from tests.server.http_server import PATIENCE, Live, Server, module_server, open_table, refusals, serving, token_of
from tests.server.raw_websocket import all_of, line, live_line, read_until, upgrade
from tests.waiting import wait_until

pytestmark = pytest.mark.usefixtures("quiet_log")

GET = b"GET / HTTP/1.1\r\nHost: cards\r\n"
GET_ROBOTS = b"GET /robots.txt HTTP/1.1\r\nHost: cards\r\n\r\n"
#: Larger than what is kept of an answer until it is taken.
FONT = b"GET /static/dist/sans.ttf HTTP/1.1\r\nHost: cards\r\n\r\n"
FORM = b"Origin: http://cards\r\nCookie: facedown-cookies=kept\r\nContent-Type: application/x-www-form-urlencoded\r\n"
POST = b"POST /tables HTTP/1.1\r\nHost: cards\r\n" + FORM


#: How long the server of these tests waits for a head, a body, or a client to take an answer, in seconds.
PATIENT = 600.0
#: For so long it keeps a connection over which nothing is asked for, in seconds.
KEPT = 900


#: A server in the event loop of a real one: its transports are what is tested here.
server = module_server(usual_loop=True)
#: A server that waits for long, until its clock is turned.
patient = module_server(head_timeout=PATIENT, body_timeout=PATIENT, take_timeout=PATIENT, keep_alive=KEPT)


@pytest.fixture(autouse=True)
def read(monkeypatch: pytest.MonkeyPatch) -> Counter[int]:
    """How many bytes the server has read of each connection, by its port at the client's end."""
    found: Counter[int] = Counter()
    receive = LimitedHttpProtocol.data_received

    def received(guest: LimitedHttpProtocol, data: bytes) -> None:
        receive(guest, data)
        if guest.client is not None:
            found[guest.client[1]] += len(data)

    monkeypatch.setattr(LimitedHttpProtocol, "data_received", received)
    return found


def guest_of(server: Server, connection: socket.socket) -> LimitedHttpProtocol:
    """The server's end of a connection."""
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
def test_what_is_no_whole_request_is_answered_and_closed(
    patient: Server, read: Counter[int], sent: bytes, status: bytes, kind: str
) -> None:
    before = refusals(kind)
    with line(patient.port) as connection:
        connection.sendall(sent)
        if status == b"408":
            wait_until(lambda: read[connection.getsockname()[1]] == len(sent))
            patient.advance(PATIENT)
        answer = all_of(connection)
    assert answer[:12] == b"HTTP/1.1 " + status
    assert b"connection: close" in answer
    assert refusals(kind) == before + 1


def test_a_body_that_nobody_waits_for_is_not_awaited_for_ever(patient: Server) -> None:
    before = refusals("slow-body")
    with line(patient.port) as connection:
        connection.sendall(POST.replace(b"http://cards", b"http://evil") + b"Content-Length: 9\r\n\r\na=b")
        guest = guest_of(patient, connection)
        wait_until(lambda: guest.cycle is not None and guest.cycle.response_complete)
        patient.advance(PATIENT)
        answer = all_of(connection)
    # Answered once, and closed.
    assert answer.startswith(b"HTTP/1.1 403")
    assert answer.count(b"HTTP/1.1 ") == 1
    assert refusals("slow-body") == before + 1


def test_slow_bytes_do_not_make_the_time_longer(patient: Server, read: Counter[int]) -> None:
    with line(patient.port) as connection:
        guest = guest_of(patient, connection)
        for sent, byte in enumerate(GET[:10], 1):
            assert not guest.transport.is_closing()
            connection.send(bytes([byte]))
            wait_until(lambda sent=sent: read[connection.getsockname()[1]] == sent)  # type: ignore[misc]
            patient.advance(PATIENT / 10)
        answer = all_of(connection)
    assert answer.startswith(b"HTTP/1.1 408")


def test_who_says_nothing_is_closed_without_a_word(patient: Server) -> None:
    before = refusals("silent")
    with line(patient.port) as connection:
        guest_of(patient, connection)
        patient.advance(PATIENT)
        assert all_of(connection) == b""
    assert refusals("silent") == before + 1


def test_a_connection_is_kept_for_more_requests_and_closed_when_idle(patient: Server) -> None:
    with line(patient.port) as connection, line(patient.port) as silent:
        guest_of(patient, silent)
        for _ in range(3):
            connection.sendall(GET_ROBOTS)
            assert read_until(connection, b"sitemap.xml\n").startswith(b"HTTP/1.1 200")
        guest = guest_of(patient, connection)
        wait_until(lambda: guest.timeout_keep_alive_task is not None)
        assert list(patient.limits.open)[-1] is guest, "who asked last makes room last"
        patient.advance(KEPT)
        assert all_of(connection) == b""
    with line(patient.port) as connection:
        # Two at once, and the beginning of a third that never ends.
        connection.sendall(GET_ROBOTS * 2 + b"GET /rob")
        third = guest_of(patient, connection)
        wait_until(lambda: third.cycle and third.cycle.response_complete)
        connection.sendall(b"o")
        wait_until(lambda: "head" in third.timers)
        patient.advance(PATIENT)
        answers = all_of(connection)
    assert answers.count(b"HTTP/1.1 200") == 2
    assert answers.count(b"HTTP/1.1 408") == 1


def test_who_leaves_in_the_middle_of_a_form_breaks_nothing(patient: Server) -> None:
    before = refusals("gone-while-sending")
    with line(patient.port) as connection:
        connection.sendall(POST + b"Content-Length: 9\r\n\r\na=b")
    wait_until(lambda: refusals("gone-while-sending") > before)


@contextlib.contextmanager
def narrow(server: Server) -> Iterator[socket.socket]:
    """A connection with little room on its way: a large answer is under way for as long as nothing is read."""
    # What is opened through it has as much room.
    server.listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.connect(("127.0.0.1", server.port))
        connection.settimeout(PATIENCE)
        yield connection
    # Whatever was asked for over it comes to its end, in the log, too.
    wait_until(lambda: not server.server.server_state.tasks)


def test_an_answer_that_nobody_takes_is_dropped(patient: Server) -> None:
    before = refusals("answer-not-taken")
    with narrow(patient) as connection:
        with contextlib.suppress(ConnectionError, TimeoutError):
            connection.settimeout(0.2)
            connection.sendall(FONT * 400)
        guest = guest_of(patient, connection)
        wait_until(lambda: "take" in guest.timers)
        patient.advance(PATIENT)
        wait_until(lambda: refusals("answer-not-taken") > before)


def test_the_rest_of_an_answer_before_a_close_is_dropped_when_nobody_takes_it(patient: Server) -> None:
    before = refusals("answer-not-taken")
    with narrow(patient) as connection:
        connection.sendall(b"GET /openapi.json HTTP/1.1\r\nHost: cards\r\nConnection: close\r\n\r\n")
        guest = guest_of(patient, connection)
        wait_until(guest.transport.is_closing)
        assert 0 < guest.transport.get_write_buffer_size() < 65536
        patient.advance(PATIENT)
        wait_until(lambda: refusals("answer-not-taken") > before)


def test_nothing_is_said_in_the_middle_of_an_answer_though_more_was_asked_for(server: Server) -> None:
    with narrow(server) as connection:
        connection.sendall(GET_ROBOTS + FONT)
        answers = read_until(connection, b"HTTP/1.1 200", 2)
        # The second is under way and no rest of one, the third waits for its turn.
        assert guest_of(server, connection).is_busy
        connection.sendall(GET_ROBOTS + b"no request\r\n\r\n")
        answers += all_of(connection)
    assert answers.count(b"HTTP/1.1 ") == 2


@pytest.mark.parametrize("under_way", [True, False])
def test_a_live_line_does_not_begin_in_the_middle_of_an_answer(server: Server, ada: Client, under_way: bool) -> None:
    live = upgrade(open_table(ada, "low"), server.port, f"{COOKIE}={token_of(ada)}")
    with narrow(server) as connection:
        connection.sendall(FONT if under_way else FONT + live)
        answers = b""
        if under_way:
            answers = read_until(connection, b"HTTP/1.1 200")
            connection.sendall(live)
        answers += all_of(connection)
    assert answers.startswith(b"HTTP/1.1 200" if under_way else b"HTTP/1.1 400")
    assert answers.count(b"HTTP/1.1 ") == 1


# --- too many ---------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_one_address_has_only_so_many(tmp_path: Path) -> None:
    with serving(tmp_path, connections_of_address=5) as small, contextlib.ExitStack() as held:
        open_ones = [held.enter_context(line(small.port, "127.0.0.2")) for _ in range(5)]
        with line(small.port, "127.0.0.2") as sixth:
            sixth.sendall(GET + b"\r\n")
            answer = all_of(sixth)
        assert answer.startswith(b"HTTP/1.1 429")
        assert b"retry-after: " in answer
        # Others are not concerned, and who closes one may open one.
        assert held.enter_context(small.client()).get("/robots.txt").status_code == 200
        open_ones[0].close()

        def again() -> bool:
            with line(small.port, "127.0.0.2") as connection:
                connection.sendall(GET + b"Connection: close\r\n\r\n")
                return all_of(connection).startswith(b"HTTP/1.1 200")

        wait_until(again)


def test_a_proxy_may_have_all(tmp_path: Path) -> None:
    with serving(tmp_path, connections_of_address=2, proxies=("127.0.0.0/8",)) as small, contextlib.ExitStack() as held:
        for _ in range(20):
            held.enter_context(line(small.port))
        assert held.enter_context(small.client()).get("/robots.txt").status_code == 200


class Guest:
    """A connection as the limits see it; at first its client has asked for nothing."""

    def __init__(self, is_busy: bool = False) -> None:
        self.transport = Mock()
        self.is_busy = is_busy

    @property
    def gone(self) -> bool:
        """Whether it was closed in favour of another one."""
        return self.transport.abort.called


def a_full_server(monkeypatch: pytest.MonkeyPatch, guests: list[Guest]) -> ConnectionLimits:
    """Limits of sixteen connections, all of which are open."""
    monkeypatch.setattr(request_limits, "max_connections", lambda: 16)
    full = ConnectionLimits(ServerSettings(database="sqlite://", connections_of_address=100))
    assert [full.admit(guest, f"192.0.2.{at}") for at, guest in enumerate(guests)] == [""] * 16
    return full


def test_who_has_asked_for_nothing_for_longest_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    guests = [Guest(is_busy=at not in (3, 5)) for at in range(16)]
    full = a_full_server(monkeypatch, guests)
    newest = Guest()
    assert full.admit(newest, "198.51.100.1") == ""
    assert (guests[3].gone, guests[5].gone) == (True, False)
    assert full.admit(Guest(is_busy=True), "198.51.100.2") == ""
    assert guests[5].gone
    assert full.admit(Guest(is_busy=True), "198.51.100.3") == ""
    assert newest.gone
    # Now only those are left that ask for something.
    assert full.admit(Guest(), "198.51.100.4") == "connections"
    assert [guest.gone for guest in guests[6:]] == [False] * 10
    assert len(full.open) == 16


def test_refused_connections_take_no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    full = a_full_server(monkeypatch, [Guest(is_busy=True) for _ in range(16)])
    strangers = [Guest() for _ in range(5)]
    assert {full.admit(guest, "203.0.113.1") for guest in strangers} == {"connections"}
    for guest in strangers * 2:
        full.release(guest)
    assert (len(full.open), len(full.refused)) == (16, 0)
    assert full.addresses.active("203.0.113.1") == 0


def test_only_some_refused_connections_are_answered(tmp_path: Path) -> None:
    with serving(tmp_path, connections_of_address=1) as small, contextlib.ExitStack() as held:
        held.enter_context(line(small.port))
        refused = [held.enter_context(line(small.port)) for _ in range(MAX_REFUSED)]
        wait_until(lambda: len(small.limits.refused) == MAX_REFUSED)
        with line(small.port) as dropped:
            assert all_of(dropped) == b""
        for connection in (refused[0], refused[-1]):
            connection.sendall(GET_ROBOTS)
            assert all_of(connection).startswith(b"HTTP/1.1 429")


def test_a_live_line_keeps_the_place_of_its_request(tmp_path: Path) -> None:
    with serving(tmp_path) as small, small.client() as ada:
        url = open_table(ada, "low")
        ada.close()
        wait_until(lambda: not small.limits.open)
        with live_line(small, url, f"{COOKIE}={token_of(ada)}"):
            (live,) = small.limits.open
            assert isinstance(live, LimitedWebSocketProtocol)
            assert live.is_busy
            assert len(small.limits.addresses) == 1
        wait_until(lambda: not small.limits.open and not len(small.limits.addresses))


def test_as_many_files_as_the_system_gives_but_for_a_reserve() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(512, hard), hard))
        room = max_connections()
        assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] == hard
        assert room == hard - RESERVED_FILE_DESCRIPTORS or hard == resource.RLIM_INFINITY
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_others_play_while_1100_connections_are_half_open(tmp_path: Path) -> None:
    """From five addresses; among them such as have sent half a head. After their time all are gone."""
    with serving(tmp_path, head_timeout=PATIENT) as running, contextlib.ExitStack() as held:
        ada = held.enter_context(running.client())
        url = open_table(ada, "low")
        with Live(running, ada, url) as live:
            message = live.until_yours(live.hello())
            half = [held.enter_context(line(running.port, f"127.0.0.{2 + at % 5}")) for at in range(1100)]
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
            running.advance(PATIENT)
            # Nothing of them is kept: no place, no time that runs, no counter. The last ones go one by one, and the
            # server does not stand still while it is looked at.
            kept = running.server.server_state.connections
            wait_until(lambda: len(limits.open) < 10 and len(limits.addresses) <= 1 and len(kept) < 10)
            assert [all_of(connection)[:12] for connection in half[::2]] == [b"HTTP/1.1 408"] * 550
            live.until_yours(live.play(message))
