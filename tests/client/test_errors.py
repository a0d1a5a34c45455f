"""Errors of the client: each has its own exception, and invalid answers of a server are not believed."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Iterator
from functools import partial
from http import HTTPStatus
from typing import Any, get_args

import httpx
import pytest
from pydantic import BaseModel
from websockets.http11 import Request, Response
from websockets.sync.server import ServerConnection, serve

from facedown import client
from facedown.client import Seat, TooFast, errors, open_table, parse_table_address, sit
from facedown.client import http_requests as requests
from facedown.client import live_connection as lines
from facedown.client import messages as m
from facedown.client.live_connection import LiveConnection
from facedown.core.game_registry import catalogue
from facedown.play.records import RefusalCode
from facedown.server.connection import messages as live
from facedown.server.http import api_models
from facedown.server.http.visitors import STATUS
from tests.client.conftest import link_to, two_seats
from tests.server.http_server import PATIENCE, Server

# --- refusals of a server ---------------------------------------------------------------------------------------------


def test_every_refusal_code_of_the_protocol_has_its_own_exception() -> None:
    assert set(errors.BY_CODE) == {*get_args(RefusalCode), "unauthorized"}
    assert set(STATUS) <= set(errors.BY_CODE)
    assert len(set(errors.BY_CODE.values())) == len(errors.BY_CODE)
    exported = {name for name, value in vars(errors).items() if isinstance(value, type)} - {"Any"}
    assert exported <= set(vars(client))


def test_unknown_table_bad_name_full_table_and_bad_options_raise_their_exceptions(server: Server) -> None:
    with pytest.raises(client.NoSuchTable, match="does not exist"):
        sit(link_to(server, "ABCDEFGH"), "Ben", patience=PATIENCE)
    with open_table(server.origin, "detect", "Ada", patience=PATIENCE) as ada:
        with pytest.raises(client.Malformed, match="can’t be empty"):
            sit(link_to(server, ada.code), "\u200b", patience=PATIENCE)
        with sit(link_to(server, ada.code), "Ben", ready=False, patience=PATIENCE):
            with pytest.raises(client.TableFull, match="taken"):
                sit(link_to(server, ada.code), "Cleo", patience=PATIENCE)
            with pytest.raises(client.Conflict, match="not over"):
                ada.record()
    with (
        open_table(server.origin, "detect", "Ada", ("me", "low"), spectators=False, patience=PATIENCE) as ada,
        pytest.raises(client.Forbidden, match="full"),
    ):
        sit(link_to(server, ada.code), "Ben", patience=PATIENCE)
    with pytest.raises(client.NoSuchTable, match="game chess"):
        open_table(server.origin, "chess", "Ada", patience=PATIENCE)
    with pytest.raises(client.Malformed, match="option"):
        open_table(server.origin, "detect", "Ada", options={"wind": "east"}, patience=PATIENCE)


def test_refusal_text_is_in_the_language_of_the_client(server: Server) -> None:
    with pytest.raises(client.NoSuchTable) as wrong:
        sit(link_to(server, "ABCDEFGH"), "Ben", language="de", patience=PATIENCE)
    assert (wrong.value.code, wrong.value.reason) == ("unknown", str(wrong.value))
    assert "gibt es nicht" in wrong.value.reason


def test_refused_move_raises_its_exception_and_changes_nothing(server: Server) -> None:
    with two_seats(server) as (ada, _ben):
        turn = ada.wait_for_change()
        with pytest.raises(client.Illegal, match="not allowed"):
            ada.play(100, turn)
        with pytest.raises(client.Malformed, match="is not a move"):
            ada.play("dance", turn)
        ada.play(turn.legal[0], turn)
        with pytest.raises(client.Stale, match="already played"):
            ada.play(turn.legal[1], turn)
        ada.wait_for_change()
        with pytest.raises(client.NotYourTurn, match="not your turn"):
            ada.play(0)
        assert server.rooms._rooms[ada.code].session.ply == 1


def wait_forever(seat: Seat) -> None:
    """Wait for turns until an exception ends it."""
    while True:
        seat.wait_for_change(PATIENCE)


def test_unknown_token_and_replaced_token_raise_their_exceptions(server: Server) -> None:
    with open_table(server.origin, "detect", "Ada", ("me", "low"), patience=PATIENCE) as ada:
        ada.wait_for_change()
        with pytest.raises(client.UnknownToken, match="token is not valid"):
            Seat(parse_table_address(link_to(server, ada.code)), "made up", patience=PATIENCE)
        ada._asking.ask(m.Joined, "POST", f"tables/{ada.code}/seats/me/token")
        with pytest.raises(client.TableClosed, match="token is not valid"):
            wait_forever(ada)
        with pytest.raises(client.UnknownToken):
            ada.play(0)


def test_client_waiting_at_a_deleted_table_gets_the_exception_table_closed(server: Server) -> None:
    with open_table(server.origin, "detect", "Ada", ("me", "low"), patience=PATIENCE) as ada:
        ada.wait_for_change()
        room = server.rooms._rooms[ada.code]
        server.loop.call_soon_threadsafe(server.rooms.remove_deleted, room)
        with pytest.raises(client.TableClosed, match="operator of this server has closed this table"):
            wait_forever(ada)


@pytest.mark.parametrize(
    ("table", "server", "says"),
    [
        ("K7QM4XPN", "", "nothing is not a server's address"),
        ("K7QM4XPN", "cards.example", "is not a server's address"),
        ("https://cards.example/", "", "is not a link to a table"),
        ("ftp://cards.example/t/K7QM4XPN", "", "is not a link to a table"),
        ("https:///t/K7QM4XPN", "", "is not a link to a table"),
        ("- -", "https://cards.example", "letters and digits"),
    ],
)
def test_invalid_table_link_raises_value_error_without_a_request(table: str, server: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        sit(table, "Ada", server=server)


def test_client_that_opens_a_table_without_a_seat_for_itself_gets_a_value_error() -> None:
    with pytest.raises(ValueError, match="me"):
        open_table("https://cards.example", "detect", "Ada", ("low", "low"))


# --- invalid servers --------------------------------------------------------------------------------------------------

TABLE = m.TableInfo(
    code="ABCD",
    url="http://x/t/ABCD",
    game=next(iter(catalogue())),
    status="lobby",
    rules_version=1,
    options={},
    seats=[],
    memory=False,
).model_dump()


class FakeServer(httpx.MockTransport):
    """A server that gives prepared answers one after the other, and then repeats the last one."""

    def __init__(self) -> None:
        super().__init__(self.answer)
        self.answers: list[tuple[int, Any, dict[str, str]]] = []
        self.asked: list[str] = []

    def says(self, status: int, body: Any = b"", **headers: str) -> None:
        """Add an answer."""
        self.answers.append((status, body, headers))

    def answer(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(f"{request.method} {request.url.path}")
        status, body, headers = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        return httpx.Response(status, headers=headers, content=body if isinstance(body, bytes) else json.dumps(body))


@pytest.fixture
def fake_server(monkeypatch: pytest.MonkeyPatch) -> FakeServer:
    """A fake server that receives every request."""
    found = FakeServer()
    monkeypatch.setattr(requests.httpx, "Client", partial(httpx.Client, transport=found))
    return found


@pytest.mark.parametrize(
    ("status", "body", "error", "says"),
    [
        (200, b"<html>hello", client.BadAnswer, "not a valid TableInfo"),
        (200, {"code": 7}, client.BadAnswer, "not a valid TableInfo: code"),
        (200, TABLE | {"rules_version": "1"}, client.BadAnswer, "rules_version"),
        (404, b"not here", client.BadAnswer, "status 404, without a reason"),
        (302, b"", client.BadAnswer, "status 302"),
        (200, TABLE | {"game": "chess"}, client.OtherRules, "chess"),
        (200, TABLE | {"rules_version": 99}, client.OtherRules, "version 99"),
    ],
)
def test_invalid_server_answer_or_unknown_rules_version_raises_before_a_seat_is_requested(
    fake_server: FakeServer, status: int, body: Any, error: type[Exception], says: str
) -> None:
    fake_server.says(status, body)
    with pytest.raises(error, match=says):
        sit("http://strange.example/t/ABCD", "Ada", patience=0.1)
    assert fake_server.asked == ["GET /api/v1/tables/ABCD"]


@pytest.mark.usefixtures("fast_retries")
def test_query_is_repeated_after_503_but_a_request_for_a_seat_is_not(fake_server: FakeServer) -> None:
    """A repeated request for a seat could take two seats."""
    unavailable = {"code": "unavailable", "reason": "That could not be written down."}
    fake_server.says(503, b"busy")
    fake_server.says(200, TABLE)
    fake_server.says(503, unavailable)
    with pytest.raises(client.NoAnswer, match="written down"):
        sit("http://strange.example/t/ABCD", "Ada", patience=5)
    assert fake_server.asked == ["GET /api/v1/tables/ABCD"] * 2 + ["POST /api/v1/tables/ABCD/seats"]


@pytest.mark.usefixtures("fast_retries")
def test_client_waits_for_retry_after_and_raises_too_fast_if_the_wait_exceeds_its_patience(
    fake_server: FakeServer,
) -> None:
    hasty = {"code": "too-fast", "reason": "Not so fast."}
    fake_server.says(429, hasty, **{"retry-after": "0"})
    fake_server.says(200, TABLE)
    fake_server.says(429, hasty, **{"retry-after": "60"})
    with pytest.raises(TooFast, match="Not so fast"):
        sit("http://strange.example/t/ABCD", "Ada", patience=5)
    assert len(fake_server.asked) == 3


@contextlib.contextmanager
def connect_to_fake_server(
    *told: str | bytes, status: int = 0, patience: float = 20.0
) -> Iterator[tuple[LiveConnection, list[Any]]]:
    """Connect to a server that sends the same messages to every client, or refuses connections with a status.

    Yields the connection and the list of requests for connections.
    """
    asked: list[Any] = []

    def enter(connection: ServerConnection, request: Request) -> Response | None:
        asked.append(request)
        return connection.respond(HTTPStatus(status), "no table") if status else None

    def handle(connection: ServerConnection) -> None:
        connection.recv(PATIENCE)
        for text in told:
            connection.send(text)
        with contextlib.suppress(Exception):
            connection.recv(PATIENCE)

    with serve(handle, "127.0.0.1", 0, process_request=enter) as there:
        thread = threading.Thread(target=there.serve_forever, daemon=True)
        thread.start()
        line = LiveConnection(f"ws://127.0.0.1:{there.socket.getsockname()[1]}/t/ABCD/live", {}, patience)
        try:
            yield line, asked
        finally:
            line.close()
            there.shutdown()
            thread.join(PATIENCE)


@pytest.mark.parametrize(
    ("told", "says"),
    [
        ("{", "not valid JSON"),
        ("[]", "no type"),
        ('{"type": 3}', "no type"),
        ('{"type": "known", "version": "1"}', "known: version"),
        ('{"type": "error"}', "error: code"),
        (b"\xff", "not valid JSON"),
    ],
)
def test_invalid_websocket_message_raises_bad_answer(told: str | bytes, says: str) -> None:
    with connect_to_fake_server(told) as (line, _), pytest.raises(client.BadAnswer, match=says):
        line.next(PATIENCE)


def test_unknown_messages_and_fields_of_the_server_are_ignored() -> None:
    chat = {"type": "chat", "name": "Noor", "text": "Hello", "seat": None, "at": 1, "colour": "red"}
    with connect_to_fake_server('{"type": "fanfare", "notes": []}', '{"type": "pong"}', json.dumps(chat)) as (line, _):
        found = line.next(PATIENCE)
        assert isinstance(found, m.Chat)
        assert not hasattr(found, "colour")
        with pytest.raises(TimeoutError):
            line.next(0.05)


@pytest.mark.parametrize(("code", "error", "times"), [("too-fast", TooFast, 3), ("closed", client.TableClosed, 1)])
def test_client_reconnects_after_a_too_fast_refusal_but_not_after_a_table_closed_refusal(
    monkeypatch: pytest.MonkeyPatch, code: str, error: type[Exception], times: int
) -> None:
    # A pause takes at least a quarter of its value. The last one is therefore longer than the patience.
    monkeypatch.setattr(requests, "WAITS", (0.1, 0.3, 600.0))
    with connect_to_fake_server(json.dumps({"type": "error", "code": code, "reason": "Not here."})) as (line, opened):
        with pytest.raises(error, match="Not here"):
            line.next(PATIENCE)
        assert len(opened) == times


def test_websocket_refusal_with_404_raises_bad_answer_error_and_with_502_no_answer_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with (
        connect_to_fake_server(status=404) as (line, _),
        pytest.raises(client.BadAnswer, match="status 404, not a live table"),
    ):
        line.next(PATIENCE)
    monkeypatch.setattr(requests, "WAITS", (0.01,))
    with connect_to_fake_server(status=502, patience=0.2) as (line, _):
        with pytest.raises(client.NoAnswer, match="502"):
            line.next(PATIENCE)
        line.close()
        with pytest.raises(client.NoAnswer, match="closed by this program"):
            line.next(PATIENCE)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"view": {}}, "not a record of detect: the field stream is missing"),
        ({"seat": 1}, "belongs to seat 0, not to seat 1"),
    ],
)
def test_view_of_another_game_or_seat_raises_bad_answer(server: Server, change: dict[str, Any], says: str) -> None:
    with open_table(server.origin, "detect", "Ada", ("me", "low"), patience=PATIENCE) as ada:
        message = ada._line.next(PATIENCE)
        assert isinstance(message, m.Known)
        ada._turn_from_message(message)
        with pytest.raises(client.BadAnswer, match=says):
            ada._turn_from_message(message.model_copy(update=change))


# --- the client reads what the server sends ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("read", "sent"),
    [
        *((model, live.models_by_type(live.AnySent)[kind]) for kind, model in m.KINDS.items()),
        (m.SeatInfo, api_models.SeatInfo),
        (m.TableInfo, api_models.TableInfo),
        (m.Joined, api_models.Joined),
        (m.Moved, api_models.View),
        (m.Again, api_models.Again),
        (m.FinishedMatch, api_models.FinishedMatch),
        (m.Problem, api_models.Problem),
    ],
)
def test_every_field_that_the_client_reads_is_sent_by_the_server(read: type[BaseModel], sent: type[BaseModel]) -> None:
    for name, field in read.model_fields.items():
        assert name in sent.model_fields, name
        if field.is_required():
            assert sent.model_fields[name].is_required(), name


def test_client_pings_well_before_the_server_closes_silent_connections() -> None:
    from facedown.server.process.server_settings import ServerSettings

    assert ServerSettings.model_fields["silence"].default > 3 * lines.PING
