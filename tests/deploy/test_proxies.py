"""A visitor behind a real nginx or Caddy with TLS: forms, live tables, the API, addresses, cookies."""

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
from tests.deploy.conftest import ProxiedServer
from tests.server.http_server import COOKIES_ACCEPTED, PATIENCE, action_in

pytestmark = pytest.mark.nightly

T = TypeVar("T")
FORM = {"game": "reveal", "name": "Ada", "seat-0": "you", "seat-1": "low", "clock": "0", "spectators": "on"}
#: The visitor's address. It differs from the proxy's.
HOME = "127.0.0.2"


def visitor(proxied: ProxiedServer, **headers: str) -> httpx.Client:
    transport = httpx.HTTPTransport(verify=proxied.proxy.trust, local_address=HOME)
    own = {"Origin": proxied.proxy.origin, **headers}
    return httpx.Client(
        base_url=proxied.at, transport=transport, headers=own, cookies=COOKIES_ACCEPTED, timeout=PATIENCE
    )


class LiveConnection:
    """The live connection of a table, as its page opens it.

    It runs in a loop and a thread of its own. websockets' threads would read and write one TLS connection at the same
    time, which Python's `ssl` does not allow.
    """

    def __init__(self, proxied: ProxiedServer, client: httpx.Client, table: str) -> None:
        self.address = f"{proxied.proxy.origin.replace('http', 'ws', 1)}{table}/live"
        cookies = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
        self.named: dict[str, Any] = {
            "additional_headers": {"Cookie": cookies},
            "origin": proxied.proxy.origin,
            "ssl": proxied.proxy.trust,
            "open_timeout": PATIENCE,
            "max_size": None,
            "ping_interval": None,
        }
        self.thread = ThreadPoolExecutor(1)
        self.runner = asyncio.Runner()

    def __enter__(self) -> LiveConnection:
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


def test_table_is_opened_and_played_through_a_proxy(proxied: ProxiedServer) -> None:
    with visitor(proxied) as ada:
        answer = ada.post("/tables", data=FORM)
        assert answer.status_code == 303, answer.text
        table = answer.headers["location"]
        assert table.startswith(f"{proxied.root}/t/")
        cookie = next(value for value in answer.headers.get_list("set-cookie") if value.startswith("facedown-guest="))
        said = {part.strip().lower() for part in cookie.split(";")}
        assert {"secure", "httponly", "samesite=lax", f"path={proxied.root}/"} <= said
        page = ada.get(f"{proxied.proxy.origin}{table}")
        assert page.status_code == 200
        assert f'data-live="{table}/live"' in page.text
        with LiveConnection(proxied, ada, table) as line:
            line.send(type="hello", version=0)
            message = line.get("table")
            version, step = message["version"], message["step"]
            line.send(type="move", action=action_in(step), version=version)
            while message["version"] == version:
                message = line.get("table")
            assert message["version"] > version


def test_api_returns_public_addresses_behind_a_proxy(proxied: ProxiedServer) -> None:
    with visitor(proxied) as bot:
        made = bot.post("/api/v1/tables", json={"game": "reveal", "name": "Bot", "seats": ["me", "low"]})
        assert made.status_code == 201, made.text
        told = made.json()
        assert f'"{proxied.at}/t/' in json.dumps(told)
        servers = bot.get("/openapi.json").json().get("servers", [{"url": ""}])
        assert servers == [{"url": proxied.root}]


def test_forged_client_address_headers_are_ignored(proxied: ProxiedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []
    take = Buckets.take_token

    def spy(self: Buckets, key: str, *rest: Any, **named: Any) -> bool:
        seen.append(key)
        return take(self, key, *rest, **named)

    monkeypatch.setattr(Buckets, "take_token", spy)
    claims = {"X-Forwarded-For": "203.0.113.9", "Forwarded": "for=203.0.113.9", "X-Real-IP": "203.0.113.9"}
    with visitor(proxied, **claims) as eve:
        assert eve.post("/tables", data=FORM).status_code == 303
    assert HOME in seen
    assert "203.0.113.9" not in seen
    seen.clear()
    # The headers are also ignored from a client that bypasses the proxy.
    direct = proxied.server.origin
    with httpx.Client(
        transport=httpx.HTTPTransport(local_address=HOME),
        headers=claims | {"Origin": direct},
        cookies=COOKIES_ACCEPTED,
        timeout=PATIENCE,
    ) as eve:
        assert eve.post(f"{direct}/tables", data=FORM, timeout=PATIENCE).status_code == 303
    assert HOME in seen
    assert "203.0.113.9" not in seen


def test_forged_scheme_and_host_headers_are_ignored(proxied: ProxiedServer) -> None:
    claims = {"X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "http"}
    with visitor(proxied, **claims) as eve:
        page = eve.get("/learn").text
    assert f"{proxied.at}/learn" in page
    assert proxied.proxy.origin.replace("https", "http") not in page


def test_form_from_a_foreign_origin_gets_403_and_a_large_body_413_through_a_proxy(proxied: ProxiedServer) -> None:
    with visitor(proxied, Origin="https://evil.example") as eve, visitor(proxied) as ada:
        assert eve.post("/tables", data=FORM).status_code == 403
        assert ada.post("/tables", content=b"x" * 200_000).status_code == 413


def test_proxy_drops_a_request_whose_headers_arrive_too_slowly(proxied: ProxiedServer) -> None:
    with (
        socket.create_connection(("127.0.0.1", proxied.proxy.port), PATIENCE) as raw,
        proxied.proxy.trust.wrap_socket(raw, server_hostname="127.0.0.1") as slow,
    ):
        slow.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ")
        try:
            answer = slow.recv(4096)
        except (ssl.SSLError, ConnectionError):
            answer = b""
        # An empty answer, or one with an error status. Otherwise `recv` would time out.
        assert not answer or b" 408 " in answer or b" 400 " in answer


def test_no_request_fails_and_no_table_is_lost_when_the_proxy_configuration_is_reloaded(proxied: ProxiedServer) -> None:
    with visitor(proxied) as ada:
        table = ada.post("/tables", data=FORM).headers["location"]
        with LiveConnection(proxied, ada, table) as line:
            line.send(type="hello", version=0)
            message = line.get("table")
            proxied.proxy.reload()
            until = time.monotonic() + 3
            # Use one connection for each request. A kept connection may be closed just as a request is sent, and
            # browsers then send it again (RFC 9112, 9.3.1).
            while time.monotonic() < until:
                assert ada.get("/learn", headers={"Connection": "close"}).status_code == 200
        # A page whose connection was closed opens it again. The table is unchanged.
        with LiveConnection(proxied, ada, table) as line:
            line.send(type="hello", version=0)
            again = line.get("table")
            # Meanwhile the bot may have chosen.
            assert again["version"] >= message["version"]
            assert again["step"]["prompt"] == message["step"]["prompt"]


def test_proxy_serves_only_below_the_path_prefix_and_redirects_to_its_trailing_slash(proxied: ProxiedServer) -> None:
    with visitor(proxied) as ada:
        if proxied.root:
            assert ada.get(f"{proxied.proxy.origin}/learn").status_code == 404
            moved = ada.get(f"{proxied.proxy.origin}{proxied.root}")
            assert (moved.status_code, urlsplit(moved.headers["location"]).path) == (308, f"{proxied.root}/")
        assert ada.get("/").status_code == 200
        slashed = ada.get("/learn/")
        assert slashed.status_code in (307, 308, 404)
        if "location" in slashed.headers:
            assert slashed.headers["location"].startswith((proxied.at, proxied.root + "/"))
