"""What can go wrong at a seat has one exception each, and nothing that a strange server says is believed."""

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
from tests.client.conftest import link_to, two
from tests.server.http_server import PATIENCE, Server

# --- what a server refuses --------------------------------------------------------------------------------------------


def test_every_refusal_of_the_protocol_has_an_exception() -> None:
    assert set(errors.BY_CODE) == {*get_args(RefusalCode), "unauthorized"}
    assert set(STATUS) <= set(errors.BY_CODE)
    assert len(set(errors.BY_CODE.values())) == len(errors.BY_CODE)
    exported = {name for name, value in vars(errors).items() if isinstance(value, type)} - {"Any"}
    assert exported <= set(vars(client))


def test_wrong_codes_names_and_full_tables(server: Server) -> None:
    with pytest.raises(client.NoSuchTable, match="does not exist"):
        sit(link_to(server, "ABCDEFGH"), "Ben", patience=PATIENCE)
    with open_table(server.origin, "detect", "Ada", patience=PATIENCE) as ada:
        with pytest.raises(client.Malformed, match="at least one letter"):
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


def test_what_a_server_refuses_is_said_in_ones_language(server: Server) -> None:
    with pytest.raises(client.NoSuchTable) as wrong:
        sit(link_to(server, "ABCDEFGH"), "Ben", language="de", patience=PATIENCE)
    assert (wrong.value.code, wrong.value.reason) == ("unknown", str(wrong.value))
    assert "gibt es nicht" in wrong.value.reason


def test_a_refused_move_changes_nothing(server: Server) -> None:
    with two(server) as (ada, _ben):
        turn = ada.wait()
        with pytest.raises(client.Illegal, match="not allowed"):
            ada.play(100, turn)
        with pytest.raises(client.Malformed, match="is not a move"):
            ada.play("dance", turn)
        ada.play(turn.legal[0], turn)
        with pytest.raises(client.Stale, match="already played"):
            ada.play(turn.legal[1], turn)
        ada.wait()
        with pytest.raises(client.NotYourTurn, match="not your turn"):
            ada.play(0)
        assert server.rooms._rooms[ada.code].session.ply == 1


def waiting(seat: Seat) -> None:
    """Wait until something ends it."""
    while True:
        seat.wait(PATIENCE)


def test_a_made_up_token_and_an_exchanged_one(server: Server) -> None:
    with open_table(server.origin, "detect", "Ada", ("me", "low"), patience=PATIENCE) as ada:
        ada.wait()
        with pytest.raises(client.UnknownToken, match="token is not valid"):
            Seat(parse_table_address(link_to(server, ada.code)), "made up", patience=PATIENCE)
        ada._asking.ask(m.Joined, "POST", f"tables/{ada.code}/seats/me/token")
        with pytest.raises(client.TableClosed, match="token is not valid"):
            waiting(ada)
        with pytest.raises(client.UnknownToken):
            ada.play(0)


def test_a_table_that_is_deleted(server: Server) -> None:
    with open_table(server.origin, "detect", "Ada", ("me", "low"), patience=PATIENCE) as ada:
        ada.wait()
        room = server.rooms._rooms[ada.code]
        server.loop.call_soon_threadsafe(server.rooms.remove_deleted, room)
        with pytest.raises(client.TableClosed, match="operator of this server closed"):
            waiting(ada)


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
def test_what_is_no_link_is_never_asked_for(table: str, server: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        sit(table, "Ada", server=server)


def test_a_table_without_a_seat_of_ones_own_is_not_opened_here() -> None:
    with pytest.raises(ValueError, match="me"):
        open_table("https://cards.example", "detect", "Ada", ("low", "low"))


# --- strange servers --------------------------------------------------------------------------------------------------

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


class Strange(httpx.MockTransport):
    """A server that gives these answers, one after the other, and the last one for ever."""

    def __init__(self) -> None:
        super().__init__(self.answer)
        self.answers: list[tuple[int, Any, dict[str, str]]] = []
        self.asked: list[str] = []

    def says(self, status: int, body: Any = b"", **headers: str) -> None:
        """What it answers next."""
        self.answers.append((status, body, headers))

    def answer(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(f"{request.method} {request.url.path}")
        status, body, headers = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        return httpx.Response(status, headers=headers, content=body if isinstance(body, bytes) else json.dumps(body))


@pytest.fixture
def strange(monkeypatch: pytest.MonkeyPatch) -> Strange:
    """A strange server, which every request goes to."""
    found = Strange()
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
def test_no_seat_is_taken_at_a_table_without_an_answer_or_rules(
    strange: Strange, status: int, body: Any, error: type[Exception], says: str
) -> None:
    strange.says(status, body)
    with pytest.raises(error, match=says):
        sit("http://strange.example/t/ABCD", "Ada", patience=0.1)
    assert strange.asked == ["GET /api/v1/tables/ABCD"]


@pytest.mark.usefixtures("quick")
def test_a_seat_is_asked_for_once_where_nobody_knows(strange: Strange) -> None:
    """A question is asked again; who sits down twice would hold two seats."""
    unavailable = {"code": "unavailable", "reason": "That could not be written down."}
    strange.says(503, b"busy")
    strange.says(200, TABLE)
    strange.says(503, unavailable)
    with pytest.raises(client.NoAnswer, match="written down"):
        sit("http://strange.example/t/ABCD", "Ada", patience=5)
    assert strange.asked == ["GET /api/v1/tables/ABCD"] * 2 + ["POST /api/v1/tables/ABCD/seats"]


@pytest.mark.usefixtures("quick")
def test_who_is_too_fast_waits_as_long_as_is_said(strange: Strange) -> None:
    hasty = {"code": "too-fast", "reason": "Not so fast."}
    strange.says(429, hasty, **{"retry-after": "0"})
    strange.says(200, TABLE)
    strange.says(429, hasty, **{"retry-after": "60"})
    with pytest.raises(TooFast, match="Not so fast"):
        sit("http://strange.example/t/ABCD", "Ada", patience=5)
    assert len(strange.asked) == 3


@contextlib.contextmanager
def saying(*told: str | bytes, status: int = 0, patience: float = 20.0) -> Iterator[tuple[LiveConnection, list[Any]]]:
    """The line to a server that says the same to everybody, or opens no line (`status`); each request for one."""
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
def test_what_is_no_message_is_not_believed(told: str | bytes, says: str) -> None:
    with saying(told) as (line, _), pytest.raises(client.BadAnswer, match=says):
        line.next(PATIENCE)


def test_what_is_not_known_here_is_passed_over() -> None:
    chat = {"type": "chat", "name": "Noor", "text": "Hello", "seat": None, "at": 1, "colour": "red"}
    with saying('{"type": "fanfare", "notes": []}', '{"type": "pong"}', json.dumps(chat)) as (line, _):
        found = line.next(PATIENCE)
        assert isinstance(found, m.Chat)
        assert not hasattr(found, "colour")
        with pytest.raises(TimeoutError):
            line.next(0.05)


@pytest.mark.parametrize(("code", "error", "times"), [("too-fast", TooFast, 3), ("closed", client.TableClosed, 1)])
def test_a_line_that_comes_too_fast_is_opened_again_and_one_of_a_closed_table_is_not(
    monkeypatch: pytest.MonkeyPatch, code: str, error: type[Exception], times: int
) -> None:
    # A pause is a quarter of that at least: the last one is longer than the patience, however chance falls.
    monkeypatch.setattr(requests, "WAITS", (0.1, 0.3, 600.0))
    with saying(json.dumps({"type": "error", "code": code, "reason": "Not here."})) as (line, opened):
        with pytest.raises(error, match="Not here"):
            line.next(PATIENCE)
        assert len(opened) == times


def test_who_answers_there_is_no_table(monkeypatch: pytest.MonkeyPatch) -> None:
    with saying(status=404) as (line, _), pytest.raises(client.BadAnswer, match="status 404, not a live table"):
        line.next(PATIENCE)
    monkeypatch.setattr(requests, "WAITS", (0.01,))
    with saying(status=502, patience=0.2) as (line, _):
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
def test_a_view_that_is_none_is_not_believed(server: Server, change: dict[str, Any], says: str) -> None:
    with open_table(server.origin, "detect", "Ada", ("me", "low"), patience=PATIENCE) as ada:
        message = ada._line.next(PATIENCE)
        assert isinstance(message, m.Known)
        ada._turn(message)
        with pytest.raises(client.BadAnswer, match=says):
            ada._turn(message.model_copy(update=change))


# --- what is read is what is sent -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("read", "sent"),
    [
        *((model, live.models(live.AnySent)[kind]) for kind, model in m.KINDS.items()),
        (m.SeatInfo, api_models.SeatInfo),
        (m.TableInfo, api_models.TableInfo),
        (m.Joined, api_models.Joined),
        (m.Moved, api_models.View),
        (m.Again, api_models.Again),
        (m.FinishedMatch, api_models.FinishedMatch),
        (m.Problem, api_models.Problem),
    ],
)
def test_what_is_read_is_always_sent(read: type[BaseModel], sent: type[BaseModel]) -> None:
    for name, field in read.model_fields.items():
        assert name in sent.model_fields, name
        if field.is_required():
            assert sent.model_fields[name].is_required(), name


def test_a_line_says_that_it_is_there_before_it_is_taken_for_gone() -> None:
    from facedown.server.process.settings import ServerSettings

    assert ServerSettings.model_fields["silence"].default > 3 * lines.PING
