"""A visitor behind a real nginx or Caddy, with TLS on any port: forms, live tables, the API, addresses, cookies."""

from __future__ import annotations

import asyncio
import json
import socket
import ssl
import time
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar
from urllib.parse import urlsplit

import httpx
import pytest
from websockets.asyncio.client import ClientConnection, connect

from facedown.server.process.rate_limit import Buckets
from tests.deploy.conftest import Behind
from tests.server.http_server import COOKIES_ACCEPTED, PATIENCE, action_in

pytestmark = pytest.mark.nightly

T = TypeVar("T")
FORM = {"game": "reveal", "name": "Ada", "seat-0": "you", "seat-1": "low", "clock": "0", "spectators": "on"}
#: The visitor's address: another one than the proxy's, so that they are told apart.
HOME = "127.0.0.2"


def visitor(behind: Behind, **headers: str) -> httpx.Client:
    transport = httpx.HTTPTransport(verify=behind.proxy.trust, local_address=HOME)
    own = {"Origin": behind.proxy.origin, **headers}
    return httpx.Client(
        base_url=behind.at, transport=transport, headers=own, cookies=COOKIES_ACCEPTED, timeout=PATIENCE
    )


class Line:
    """The live line of a table, as its page opens it.

    In a loop and a thread of its own: websockets' threads would read and write one TLS connection at the same time,
    which Python's `ssl` does not allow.
    """

    def __init__(self, behind: Behind, client: httpx.Client, table: str) -> None:
        self.address = f"{behind.proxy.origin.replace('http', 'ws', 1)}{table}/live"
        cookies = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
        self.named: dict[str, Any] = {
            "additional_headers": {"Cookie": cookies},
            "origin": behind.proxy.origin,
            "ssl": behind.proxy.trust,
            "open_timeout": PATIENCE,
            "max_size": None,
            "ping_interval": None,
        }
        self.thread = ThreadPoolExecutor(1)
        self.runner = asyncio.Runner()

    def __enter__(self) -> Line:
        self.line = self._run(self._open())
        return self

    def __exit__(self, *_: object) -> None:
        self._run(self.line.close())
        self.thread.submit(self.runner.close).result()
        self.thread.shutdown()

    async def _open(self) -> ClientConnection:
        return await connect(self.address, **self.named)

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        return self.thread.submit(self.runner.run, work).result(PATIENCE)

    def send(self, **message: Any) -> None:
        self._run(self.line.send(json.dumps(message)))

    def get(self, kind: str) -> dict[str, Any]:
        while True:
            message: dict[str, Any] = json.loads(self._run(self.line.recv()))
            if message["type"] == kind:
                return message


def test_a_table_is_made_and_played(behind: Behind) -> None:
    with visitor(behind) as ada:
        answer = ada.post("/tables", data=FORM)
        assert answer.status_code == 303, answer.text
        table = answer.headers["location"]
        assert table.startswith(f"{behind.root}/t/")
        cookie = next(value for value in answer.headers.get_list("set-cookie") if value.startswith("facedown-guest="))
        said = {part.strip().lower() for part in cookie.split(";")}
        assert {"secure", "httponly", "samesite=lax", f"path={behind.root}/"} <= said
        page = ada.get(f"{behind.proxy.origin}{table}")
        assert page.status_code == 200
        assert f'data-live="{table}/live"' in page.text
        with Line(behind, ada, table) as line:
            line.send(type="hello", version=0)
            message = line.get("table")
            version, step = message["version"], message["step"]
            line.send(type="move", action=action_in(step), version=version)
            while message["version"] == version:
                message = line.get("table")
            assert message["version"] > version


def test_the_api_gives_addresses_of_the_outside(behind: Behind) -> None:
    with visitor(behind) as bot:
        made = bot.post("/api/v1/tables", json={"game": "reveal", "name": "Bot", "seats": ["me", "low"]})
        assert made.status_code == 201, made.text
        told = made.json()
        assert f'"{behind.at}/t/' in json.dumps(told)
        servers = bot.get("/openapi.json").json().get("servers", [{"url": ""}])
        assert servers == [{"url": behind.root}]


def test_whoever_claims_another_address_is_not_believed(behind: Behind, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []
    take = Buckets.take

    def spy(self: Buckets, key: str, *rest: Any, **named: Any) -> bool:
        seen.append(key)
        return take(self, key, *rest, **named)

    monkeypatch.setattr(Buckets, "take", spy)
    claims = {"X-Forwarded-For": "203.0.113.9", "Forwarded": "for=203.0.113.9", "X-Real-IP": "203.0.113.9"}
    with visitor(behind, **claims) as eve:
        assert eve.post("/tables", data=FORM).status_code == 303
    assert HOME in seen
    assert "203.0.113.9" not in seen
    seen.clear()
    # Nor is somebody who comes without the proxy.
    direct = behind.server.origin
    with httpx.Client(
        transport=httpx.HTTPTransport(local_address=HOME),
        headers=claims | {"Origin": direct},
        cookies=COOKIES_ACCEPTED,
        timeout=PATIENCE,
    ) as eve:
        assert eve.post(f"{direct}/tables", data=FORM, timeout=PATIENCE).status_code == 303
    assert HOME in seen
    assert "203.0.113.9" not in seen


def test_a_claimed_scheme_and_host_are_not_believed(behind: Behind) -> None:
    claims = {"X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "http"}
    with visitor(behind, **claims) as eve:
        page = eve.get("/learn").text
    assert f"{behind.at}/learn" in page
    assert behind.proxy.origin.replace("https", "http") not in page


def test_forms_of_strange_pages_and_large_bodies_are_refused(behind: Behind) -> None:
    with visitor(behind, Origin="https://evil.example") as eve, visitor(behind) as ada:
        assert eve.post("/tables", data=FORM).status_code == 403
        assert ada.post("/tables", content=b"x" * 200_000).status_code == 413


def test_a_slow_request_is_dropped(behind: Behind) -> None:
    with (
        socket.create_connection(("127.0.0.1", behind.proxy.port), PATIENCE) as raw,
        behind.proxy.trust.wrap_socket(raw, server_hostname="127.0.0.1") as slow,
    ):
        slow.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ")
        try:
            answer = slow.recv(4096)
        except (ssl.SSLError, ConnectionError):
            answer = b""
        # Nothing, or an answer that says so; `recv` would have run out of patience otherwise.
        assert not answer or b" 408 " in answer or b" 400 " in answer


def test_a_reload_loses_nobody(behind: Behind) -> None:
    with visitor(behind) as ada:
        table = ada.post("/tables", data=FORM).headers["location"]
        with Line(behind, ada, table) as line:
            line.send(type="hello", version=0)
            message = line.get("table")
            behind.proxy.reload()
            until = time.monotonic() + 3
            # Each over a connection of its own: one that is kept may be closed just as it is asked over, and browsers
            # then ask again (RFC 9112, 9.3.1).
            while time.monotonic() < until:
                assert ada.get("/learn", headers={"Connection": "close"}).status_code == 200
        # A page whose line was closed opens it again: the table is as it was.
        with Line(behind, ada, table) as line:
            line.send(type="hello", version=0)
            again = line.get("table")
            # The bot may have chosen meanwhile.
            assert again["version"] >= message["version"]
            assert again["step"]["prompt"] == message["step"]["prompt"]


def test_only_the_table_lives_below_its_path(behind: Behind) -> None:
    with visitor(behind) as ada:
        if behind.root:
            assert ada.get(f"{behind.proxy.origin}/learn").status_code == 404
            moved = ada.get(f"{behind.proxy.origin}{behind.root}")
            assert (moved.status_code, urlsplit(moved.headers["location"]).path) == (308, f"{behind.root}/")
        assert ada.get("/").status_code == 200
        slashed = ada.get("/learn/")
        assert slashed.status_code in (307, 308, 404)
        if "location" in slashed.headers:
            assert slashed.headers["location"].startswith((behind.at, behind.root + "/"))
