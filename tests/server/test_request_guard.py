"""Checks of origins, forwarded headers, host names and sizes of requests."""

from __future__ import annotations

import itertools
import re
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.datastructures import Headers
from websockets.exceptions import InvalidStatus

from facedown.server.http.client_address import ClientAddressMiddleware, parse_host_header
from facedown.server.http.request_guard import is_same_origin
from tests.server.http_server import PATIENCE, Live, Serve, Server, open_table, refusals, run_with_manual_clock
from tests.server.raw_websocket import tcp_connection
from tests.server.request_cases import STRANGE, cases


@cases("origins of forms")
def test_same_origin_check_accepts_own_and_listed_origins_and_refuses_foreign_ones(
    scheme: str, headers: dict[str, str], fine: bool
) -> None:
    """An http origin is foreign to an https request. Behind an unknown proxy, https cannot be ruled out."""
    assert is_same_origin(Headers(headers), scheme, ("https://friend.example", "http://friend.example")) is fine


@pytest.mark.parametrize("known", [True, False], ids=["proxy known", "proxy unknown"])
@pytest.mark.parametrize("page", ["http", "https"])
def test_http_origin_is_refused_behind_a_known_tls_proxy_and_accepted_behind_an_unknown_one(
    known: bool, page: str, start_server: Serve
) -> None:
    """Behind a known TLS proxy an http origin is foreign. Behind an unknown one the server cannot know."""
    fine = page == "https" or not known
    server = start_server(proxies=("127.0.0.1",) if known else ())
    (ada,) = server.guests(1)
    url, origin = open_table(ada, "low"), server.origin.replace("http", page)
    headers = {"origin": origin, "x-forwarded-proto": "https"}
    assert ada.post("/quick", data={"game": "detect"}, headers=headers).status_code == (303 if fine else 403)
    assert websocket_status(server, url, ada, origin=origin, x_forwarded_proto="https") == (101 if fine else 403)


def nginx_headers(browser: dict[str, str]) -> Headers:
    """Return a browser's headers as the documented proxy passes them on."""
    block = (Path(__file__).parents[2] / "docs/deploy/nginx.conf").read_text(encoding="utf-8")
    host = browser["host"]
    values = {
        "$http_host": host,
        "$host": host.rsplit(":", 1)[0].lower(),
        "$scheme": "https",
        "$http_upgrade": browser.get("upgrade", ""),
        "$remote_addr": "198.51.100.7",
        "$facedown_connection": "upgrade",
        '""': "",
    }
    passed = {name.lower(): values[value] for name, value in re.findall(r"proxy_set_header (\S+) (\S+);", block)}
    return Headers(browser | passed)


@pytest.mark.parametrize("port", ["", ":8443", ":8080", ":443"])
def test_same_origin_forms_pass_the_documented_nginx_proxy_on_any_port(port: str) -> None:
    ours = {"host": f"Cards.example{port}", "origin": f"https://cards.example{port}"}
    assert is_same_origin(nginx_headers(ours), "https")
    assert not is_same_origin(nginx_headers({**ours, "origin": "https://cards.example:9999"}), "https")
    assert not is_same_origin(nginx_headers({**ours, "origin": "https://evil.example"}), "https")
    # The proxy forwards the client's address and WebSocket upgrades.
    passed = nginx_headers({**ours, "upgrade": "websocket"})
    told = (passed["x-forwarded-for"], passed["upgrade"], passed["connection"])
    assert told == ("198.51.100.7", "websocket", "upgrade")


def test_head_response_equals_get_without_body_and_large_forms_get_413(ada: httpx.Client) -> None:
    ada.get("/")
    pages = ("/", "/new/detect", "/g/scout", "/docs", "/health", "/api/v1/games", "/static/tokens.css", "/nowhere")
    for path in (*pages, "/api/v1/tables/NOPE"):
        full, head = ada.get(path), ada.head(path)
        assert head.status_code == full.status_code != 405, path
        assert head.content == b""
        assert head.headers["content-type"] == full.headers["content-type"]
        assert head.headers["x-content-type-options"] == "nosniff"
    assert ada.head("/tables").status_code == ada.get("/tables").status_code
    assert ada.post("/tables", data={"name": "x" * 70_000}).status_code == 413


def test_websocket_from_a_configured_foreign_origin_is_accepted(start_server: Serve) -> None:
    friend = "https://friend.example"
    named = start_server(origins=(friend,))
    (ada,) = named.guests(1)
    with Live(named, ada, open_table(ada, "low"), origin=friend) as live:
        live.hello()


# --- client addresses and host names ----------------------------------------------------------------------------------


def received_scope(
    client: str, headers: list[tuple[str, str]], proxies: tuple[str, ...] = (), kind: str = "http"
) -> dict[str, Any]:
    """Return the scope that the application receives for a request."""
    seen: dict[str, Any] = {}

    async def app(scope: Any, receive: Any, send: Any) -> None:
        seen.update(scope)

    async def send(message: Any) -> None:
        seen.setdefault("status", message.get("status"))

    raw = [(name.encode(), value.encode("latin-1")) for name, value in headers]
    scheme = "ws" if kind == "websocket" else "http"
    scope = {"type": kind, "path": "/", "scheme": scheme, "client": (client, 5), "headers": raw, "query_string": b""}
    addresses = ClientAddressMiddleware(app, proxies, (), "en")
    if kind == "websocket":
        # WebSockets do not pass through the HTTP middleware.
        return dict(run_with_manual_clock(addresses.resolve_or_refuse(scope, send)) or {})
    run_with_manual_clock(addresses(scope, None, send))  # type: ignore[arg-type]
    return seen


HOST = ("host", "cards.example")


@cases("forwarded addresses")
def test_forwarded_client_address_is_trusted_only_from_known_proxies(
    client: str, forwarded: str, proxies: list[str], found: str
) -> None:
    """Addresses from an unconfigured proxy, or before the first entry of a known one, are ignored."""
    scope = received_scope(client, [HOST, ("x-forwarded-for", forwarded)], tuple(proxies))
    assert scope["client"][0] == found


def test_forwarded_scheme_and_host_are_trusted_only_from_known_proxies() -> None:
    headers = [HOST, ("x-forwarded-proto", "https"), ("x-forwarded-host", "play.example")]
    stranger = received_scope("203.0.113.9", headers, ("127.0.0.1",))
    assert stranger["scheme"] == "http"
    assert (b"host", b"cards.example") in stranger["headers"]
    for kind, scheme in (("http", "https"), ("websocket", "wss")):
        known = received_scope("127.0.0.1", headers, ("127.0.0.1",), kind)
        assert known["scheme"] == scheme
        assert [value for name, value in known["headers"] if name == b"host"] == [b"play.example"]
    chain = [HOST, ("x-forwarded-for", "198.51.100.7, 10.1.2.3"), ("x-forwarded-proto", "https, http")]
    assert received_scope("127.0.0.1", chain, ("127.0.0.1", "10.0.0.0/8"))["scheme"] == "https"
    strange = [HOST, ("x-forwarded-host", "evil.example/x"), ("x-forwarded-proto", "gopher")]
    assert received_scope("127.0.0.1", strange, ("127.0.0.1",))["status"] == 400
    assert {parse_host_header(name) for name in (*STRANGE["hosts"], "a" * 300)} == {None}


def ask(server: Server, path: str, host: str | bytes, **headers: str) -> httpx.Response:
    named: dict[str, Any] = {"Host": host, **headers}
    return httpx.get(server.origin + path, headers=named, timeout=PATIENCE)


def test_malformed_host_header_gets_400_on_every_path(server: Server, ada: httpx.Client) -> None:
    url = open_table(ada, "low")
    before = refusals("host-malformed")
    strange_hosts = ("evil.example/x", b"evil.ex\xe4mple", "a@evil.example", "")
    files = ("/sitemap.xml", "/robots.txt", "/api/v1/games", "/static/tokens.css")
    asked = [*itertools.product(("/", url, f"{url}/preview.png", *files, "/nowhere"), strange_hosts)]
    for path, strange in asked:
        answer = ask(server, path, strange)
        assert answer.status_code == 400, (path, strange)
        assert "evil" not in answer.text + str(answer.headers)
        assert answer.headers["x-content-type-options"] == "nosniff"
    assert refusals("host-malformed") == before + len(asked)
    assert ask(server, "/api/v1/games", "a b").json()["code"] == "malformed"
    assert ask(server, "/", "a b", **{"Accept-Language": "de"}).text.startswith("Der Hostname")
    for strange in ("evil.example/x", "a@evil.example"):
        assert websocket_status(server, url, ada, host=strange) == 400
    for hosts, status in ((b"Host: a\r\nHost: evil.example\r\n", b"400"), (b"", b"400"), (b"Host: a\r\n", b"200")):
        with tcp_connection(server.port) as bare:
            bare.sendall(b"GET / HTTP/1.1\r\nConnection: close\r\n" + hosts + b"\r\n")
            assert bare.recv(12) == b"HTTP/1.1 " + status


def websocket_status(server: Server, url: str, client: httpx.Client, **named: str) -> int:
    try:
        with Live(server, client, url, **named) as live:
            live.hello()
    except InvalidStatus as refused:
        return refused.response.status_code
    return 101


def test_only_configured_host_names_are_served(start_server: Serve) -> None:
    named = start_server(hosts=("cards.example", "*.play.example"))
    for fine in ("cards.example", "Cards.Example:8443", "cards.example.", "a.play.example"):
        assert ask(named, "/", fine).status_code == 200, fine
    for strange in ("127.0.0.1", "evil.example", "cards.example.evil.example", "play.example", "xplay.example"):
        answer = ask(named, "/", strange)
        assert answer.status_code == 400, strange
        assert strange not in answer.text + str(answer.headers)
    # The status of a WebSocket handshake tells a wrong host name from a missing table.
    assert websocket_status(named, "/t/AAAA", *named.guests(1), host="evil.example") == 400
    assert [ask(named, "/health", host).status_code for host in ("10.0.0.5:8000", "a b")] == [200, 400]


@pytest.mark.parametrize(
    ("proxies", "appended", "answers"),
    [
        ((), "", [303, 303, 303, 429, 429, 429]),
        (("127.0.0.1",), "", [303] * 6),
        # Behind a proxy that appends, the client's own entries are ignored.
        (("127.0.0.1",), ", 198.51.100.7", [303, 303, 303, 429, 429, 429]),
        # One IPv6 network counts as one household.
        (("127.0.0.1",), ", 2001:db8::{}", [303, 303, 303, 429, 429]),
    ],
)
def test_rate_limit_by_address_ignores_forged_forwarded_headers(
    start_server: Serve, proxies: tuple[str, ...], appended: str, answers: list[int]
) -> None:
    """New tables are counted by address. Forged addresses in a header do not avoid the limit."""
    small, found = start_server(new_things_a_minute=3, proxies=proxies), []
    # With a running clock, there would be room for one more after 20 s.
    with small.clock.stopped():
        for number, client in enumerate(small.guests(len(answers)), 1):
            headers = {"X-Forwarded-For": f"192.0.2.{number}{appended.format(number)}"}
            found.append(client.post("/quick", data={"game": "detect"}, headers=headers).status_code)
    assert found == answers
