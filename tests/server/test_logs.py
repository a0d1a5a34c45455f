"""Logs: events with fields, without credentials and without user texts."""

from __future__ import annotations

import asyncio
import gc
import io
import json
import logging
import re
import secrets
from pathlib import Path
from typing import Any

import pytest
import structlog
from sqlalchemy.exc import OperationalError
from websockets.exceptions import WebSocketException

from facedown.core.match import Match
from facedown.play import Refusal
from facedown.server.connection import viewer_page_data
from facedown.server.http.visitors import COOKIE
from facedown.server.process import logs
from facedown.store.engine import read_transaction
from tests.server.api_players import API, bearer, new_player
from tests.server.http_server import Live, Serve, Server, code_of, lobby, missing, open_table, serving, sit
from tests.waiting import run_ready_tasks, wait_until

FORMS: tuple[logs.Form, ...] = ("json", "text")


@pytest.fixture
def log_output() -> io.StringIO:
    """Log events of every level, in JSON and in text."""
    out = io.StringIO()
    root = logging.getLogger()
    before = root.handlers[:]
    handlers = []
    for form in FORMS:
        logs.configure_logging(form, "debug", out)
        handlers.append(root.handlers[-1])
    # The second handler replaced the first one; the tests need both.
    root.handlers[:] = [*before, *handlers]
    structlog.contextvars.clear_contextvars()
    return out


def json_lines(out: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.getvalue().splitlines() if line.startswith("{")]


def test_log_event_is_one_line_with_its_fields(log_output: io.StringIO) -> None:
    logs.logger().info("table_opened", match="0123456789ab", seats=3)
    (line,) = json_lines(log_output)
    assert line.pop("timestamp").endswith("Z")
    assert line == {
        "event": "table_opened", "match": "0123456789ab", "seats": 3, "level": "info", "logger": "facedown.server",
    }  # fmt: skip
    assert "table_opened" in log_output.getvalue().splitlines()[-1]
    assert "seats=3" in log_output.getvalue().replace("\x1b[0m", "").replace("\x1b[36m", "").replace("\x1b[35m", "")


def test_log_events_below_the_level_are_dropped(log_output: io.StringIO) -> None:
    logs.configure_logging("json", "warning", log_output)
    log = logs.logger("facedown.server.test")
    log.info("too_small")
    log.warning("large_enough")
    assert [line["event"] for line in json_lines(log_output)] == ["large_enough"]


def test_library_log_messages_use_the_same_format_without_their_arguments(log_output: io.StringIO) -> None:
    error, info, debug = logging.ERROR, logging.INFO, logging.DEBUG
    for name, level, *said in (
        ("uvicorn.error", error, "Exception in ASGI application\n%s", "a-secret"),
        ("uvicorn.error", info, '%s - "WebSocket %s" [accepted]', "192.0.2.7", "/t/SECR/live"),
        ("websockets.server", debug, "> TEXT %s", "a-secret"),
        ("sqlalchemy.engine.Engine", info, "INSERT %s", "a-secret"),
        ("asyncio", error, "Task exception was never retrieved\nfuture: <Task coro=f('a-secret')>"),
        ("asyncio", error, "Exception in callback f('a-secret')"),
        ("alembic.runtime.migration", info, "Running upgrade %s -> %s", "0001", "0002"),
        ("facedown.store", info, "schema upgraded from %s to %s", "0001", "0002"),
    ):
        logging.getLogger(name).log(level, *said)
    assert [line["event"] for line in json_lines(log_output)] == [
        "Exception in ASGI application",
        "Task exception was never retrieved",
        "Exception in callback f",
        "schema upgraded from 0001 to 0002",
    ]
    assert "secret" not in log_output.getvalue().lower()


class ErrorWithText(Exception):
    """An exception with a message."""


def test_logged_exception_shows_types_and_locations_but_no_messages(log_output: io.StringIO) -> None:
    def inner() -> None:
        secret = "the-secret"
        raise ValueError(f"no such thing: {secret}")

    try:
        try:
            inner()
        except ValueError as wrong:
            raise ExceptionGroup("the-secret", [ErrorWithText("the-secret"), OSError(28, "No space left")]) from wrong
    except ExceptionGroup:
        logs.logger().exception("went_wrong")
    (line,) = json_lines(log_output)
    assert "secret" not in log_output.getvalue()
    kinds = ("builtins.ValueError\n", "ErrorWithText", "builtins.OSError: No space left", "ExceptionGroup")
    assert missing(line["exception"], *kinds, "in inner", f"{Path(__file__)}:") == []
    # A database error is reduced to one word.
    assert logs.safe_error_text(OperationalError("INSERT", {"name": "Ada"}, Exception("Ada"))) == "refused"


def test_logged_addresses_are_anonymized() -> None:
    one, other = logs.anonymize_address("192.0.2.1"), logs.anonymize_address("192.0.2.2")
    assert one == logs.anonymize_address("192.0.2.1") != other
    assert "192" not in one
    assert logs.anonymize_address("192.0.2.1", "network") == "192.0.2.0/24"
    assert logs.anonymize_address("testclient", "network") == logs.anonymize_address(None) == ""


def test_request_log_names_routes_without_table_codes(log_output: io.StringIO, start_server: Serve) -> None:
    server = start_server(log_requests=True, log_addresses="network")
    (ada,) = server.guests(1)
    url = open_table(ada, "low")
    ada.get(url)
    ada.get("/nowhere/SECRETCODE")
    with Live(server, ada, url) as live:
        live.hello()

    def noted() -> list[dict[str, Any]]:
        return [line for line in json_lines(log_output) if line["logger"] == "facedown.server.requests"]

    wait_until(lambda: len(noted()) == 4)
    assert [(line["event"], line.get("method"), line["route"], line.get("status")) for line in noted()] == [
        ("request", "POST", "/tables", 303),
        ("request", "GET", "/t/{code}", 200),
        ("request", "GET", "", 404),
        ("line_closed", "", "/t/{code}/live", None),
    ]
    assert len({line["request"] for line in noted()}) == 4
    assert {line["address"] for line in noted()} == {"127.0.0.0/24"}
    assert not [word for word in ("SECRETCODE", code_of(url)) if word in log_output.getvalue()]


class SecretTexts(set[str]):
    """Texts that must not be in a log."""

    def new(self, kind: str = "") -> str:
        mark = f"{kind}Zq{secrets.token_hex(5)}"
        self.add(mark)
        return mark


def use_all_features(server: Server, marked: SecretTexts) -> None:
    """Use forms, the API and WebSockets, including many refused requests."""
    ada, ben = server.guests(2)
    url = open_table(ada, "open", name=marked.new("A"))
    code = code_of(url)
    sit(ben, url, marked.new("B"))
    marked.update(client.cookies[COOKIE] for client in (ada, ben))
    theirs = (url, f"{url}?lang=de", f"{url}/preview.png", f"/m/{code}", f"/m/{code}.facedown")
    for path in (*theirs, "/metrics", "/ready"):
        ben.get(path)
    strange = marked.new()
    ada.get(f"/t/{strange[:4]}", headers={"Cookie": f"{COOKIE}={marked.new() * 3}", "Referer": f"http://x/{strange}"})
    ada.get(f"/nowhere/{strange}?{strange}")
    ada.post(f"{url}/sit", data={"name": strange}, headers={"Origin": f"http://{strange}.example"})
    ada.request(strange.upper(), "/")
    with lobby(server, url, ada, ben) as (hers, his):
        hers.send(type="chat", text=marked.new("chat "))
        hers.get("chat")
        hers.send(type="ready", ready=True)
        his.send(type="ready", ready=True)
        table = hers.get("table")
        for wrong in (f"{{{strange}", json.dumps({"type": strange}), json.dumps({"type": "move", "action": strange})):
            hers.socket.send(wrong)
            hers.get("error")
        hers.move(table)
        hers.beyond(table["version"])
    with pytest.raises(WebSocketException):
        Live(server, ada, url, origin=f"http://{strange}.example")
    # A program does the same.
    player = new_player(ada, "me", "low", name=marked.new("P"))
    marked.add(player.token)
    player.play()
    player.move(words=strange, version=0, token=strange)
    ada.post(f"{player.path}/moves", headers=bearer(strange), json={"action": strange})
    ada.post(f"{API}/tables", content=b"{" + strange.encode())
    ada.post(f"{API}/tables", json={"game": strange, "name": strange, "seats": [strange]})


def cause_errors(server: Server, marked: SecretTexts, patch: pytest.MonkeyPatch, written: io.StringIO) -> None:
    """Cause errors with secrets in their messages: in a page, a bot, an unreadable table and background tasks."""
    (ada,) = server.guests(1)
    url = open_table(ada, "low", name=marked.new("C"))
    code = code_of(url)
    marked.add(ada.cookies[COOKIE])

    def breaks(*_: object, **__: object) -> Any:
        raise ValueError(f"{marked.new()} of {code}")

    with patch.context() as inner:
        inner.setattr(viewer_page_data, "page", breaks)
        assert ada.get(url).status_code == 500
        with Live(server, ada, url) as live:
            live.send(type="hello", version=0)
            live.until_closed()
    with patch.context() as inner:
        # Whoever leads, Ada waits for the bot after one card at the latest.
        inner.setattr(server.rooms.settings.bots, "bot", breaks)
        with Live(server, ada, open_table(ada, "low", name=marked.new("C"))) as live:
            table = live.hello()
            if table["yours"]:
                live.move(table)
            wait_until(lambda: "bot_failed" in written.getvalue())
    with patch.context() as inner:
        inner.setattr(Match, "play", breaks)
        inner.setattr("facedown.server.table.table_loading.Session", breaks)
        room = server.rooms._rooms.pop(code)
        server.call(room.cancel_timer_and_bots)
        server.within(server.rooms._take_over_room(code))
        assert ada.get(url).status_code == 410
    server.within(fail_in_background(marked.new()))


async def fail_in_background(secret: str) -> None:
    """Start two failing background tasks: one that is never awaited, and a callback."""

    async def fails() -> None:
        raise Refusal("conflict", secret)

    def falls(with_what: str) -> None:
        raise KeyError(with_what)

    task = asyncio.ensure_future(fails())
    asyncio.get_running_loop().call_soon(falls, secret)
    await run_ready_tasks(2)
    del task
    gc.collect()


def refuse_writes(server: Server, marked: SecretTexts, patch: pytest.MonkeyPatch) -> None:
    """Make every write fail with a database error that contains all parameters."""
    (ada,) = server.guests(1)
    url = open_table(ada, "low", name=marked.new("D"))
    marked.add(ada.cookies[COOKIE])
    engine = server.rooms.repository._engine

    def refuses(cursor: Any, statement: str, parameters: Any, context: Any = None) -> None:
        if statement.startswith(("INSERT", "UPDATE")):
            raise engine.dialect.dbapi.OperationalError(f"disk I/O error at {parameters!r}")  # type: ignore[union-attr]
        cursor.execute(statement, parameters)

    with patch.context() as inner:
        inner.setattr(engine.dialect, "do_execute", refuses)
        inner.setattr(engine.dialect, "do_executemany", refuses)
        with Live(server, ada, url) as live:
            table = live.hello()
            live.send(type="chat", text=marked.new("more chat "))
            live.get("error")
            live.move(table)
            live.get("error")
        form = {"game": "detect", "seat-0": "you", "seat-1": "low"}
        body = {"game": "detect", "name": marked.new("E"), "seats": ["me", "low"]}
        answers = (ada.post("/tables", data=form), ada.post(f"{API}/tables", json=body), ada.get("/ready"))
        assert [answer.status_code for answer in answers] == [503] * 3


def test_no_log_line_contains_a_secret(
    log_output: io.StringIO, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    marked, codes = SecretTexts(), set()
    with serving(tmp_path, log_requests=True) as server:
        server.app.state.readiness.ttl = 0.0
        use_all_features(server, marked)
        cause_errors(server, marked, monkeypatch, log_output)
        refuse_writes(server, marked, monkeypatch)
        with read_transaction(server.rooms.repository.engine) as connection:
            for code, seed in connection.exec_driver_sql("SELECT code, hex(seed) FROM matches").all():
                marked.add(seed)
                codes.add(code)
            for (key,) in connection.exec_driver_sql("SELECT key_hash FROM seats UNION SELECT token_hash FROM people"):
                marked.update([key] if key else [])
    text = log_output.getvalue()
    events = {line["event"] for line in json_lines(log_output)}
    # The log names every failure.
    assert {
        "request", "line_closed", "foreign_page", "line_broke_off", "bot_failed", "table_not_opened", "not_written",
        "database_refused", "readiness", "started", "stopped", "Task exception was never retrieved",
    } <= events, events  # fmt: skip
    assert len(marked) > 20
    small = text.lower()
    found = {secret for secret in marked if secret.lower() in small}
    # A code of digits only may equal another number in a line.
    found |= {code for code in codes if not code.isdigit() and re.search(rf"\b{code}\b", text)}
    assert not found, [line for line in text.splitlines() if any(secret in line for secret in found)][:5]


def test_every_logged_warning_and_error_is_in_the_runbook() -> None:
    source = Path(logs.__file__).parent.parent
    troubles = {
        event
        for module in source.rglob("*.py")
        for event in re.findall(r"\blog\.(?:warning|error|exception)\(\s*\"([^\"]+)\"", module.read_text("utf-8"))
    }
    assert len(troubles) > 20
    runbook = (Path(__file__).parent.parent.parent / "docs" / "runbook.md").read_text("utf-8")
    assert not {event for event in troubles if f"`{event}`" not in runbook}
