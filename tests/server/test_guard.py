"""Origins, addresses, names, headers, sizes, haste."""

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
from facedown.server.http.request_guard import same_origin
from tests.server.cases import STRANGE, cases
from tests.server.http_server import PATIENCE, Live, Serve, Server, awaited, open_table, refusals
from tests.server.raw_websocket import line


@cases("origins of forms")
def test_whose_page_it_is(scheme: str, headers: dict[str, str], fine: bool) -> None:
    """A page of http is none of ours where the request is https; a proxy that is not known may have had TLS."""
    assert same_origin(Headers(headers), scheme, ("https://friend.example", "http://friend.example")) is fine


@pytest.mark.parametrize("known", [True, False], ids=["proxy known", "proxy unknown"])
@pytest.mark.parametrize("page", ["http", "https"])
def test_forms_and_live_tables_behind_tls(known: bool, page: str, served: Serve) -> None:
    """A proxy with TLS; where the server knows it, a page of http is a strange one, else it cannot be told."""
    fine = page == "https" or not known
    server = served(proxies=("127.0.0.1",) if known else ())
    (ada,) = server.guests(1)
    url, origin = open_table(ada, "low"), server.origin.replace("http", page)
    headers = {"origin": origin, "x-forwarded-proto": "https"}
    assert ada.post("/quick", data={"game": "detect"}, headers=headers).status_code == (303 if fine else 403)
    assert live_status(server, url, ada, origin=origin, x_forwarded_proto="https") == (101 if fine else 403)


def proxied(browser: dict[str, str]) -> Headers:
    """What the server behind the documented proxy gets of a browser's headers."""
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
def test_forms_come_through_the_documented_proxy_on_any_port(port: str) -> None:
    ours = {"host": f"Cards.example{port}", "origin": f"https://cards.example{port}"}
    assert same_origin(proxied(ours), "https")
    assert not same_origin(proxied({**ours, "origin": "https://cards.example:9999"}), "https")
    assert not same_origin(proxied({**ours, "origin": "https://evil.example"}), "https")
    # Whoever asks is told apart by an address of their own, and live tables are passed on.
    passed = proxied({**ours, "upgrade": "websocket"})
    told = (passed["x-forwarded-for"], passed["upgrade"], passed["connection"])
    assert told == ("198.51.100.7", "websocket", "upgrade")


def test_a_head_is_the_answer_without_its_body_and_a_large_form_is_refused(ada: httpx.Client) -> None:
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


def test_a_table_can_be_embedded_in_another_origin_that_is_named(served: Serve) -> None:
    friend = "https://friend.example"
    named = served(origins=(friend,))
    (ada,) = named.guests(1)
    with Live(named, ada, open_table(ada, "low"), origin=friend) as live:
        live.hello()


# --- whose address a request has, and to which names it may be sent ---------------------------------------------------


def passed(
    client: str, headers: list[tuple[str, str]], proxies: tuple[str, ...] = (), kind: str = "http"
) -> dict[str, Any]:
    """What the application is told of a request."""
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
        # Live lines do not pass through the layers of requests.
        return dict(awaited(addresses.resolve_or_refuse(scope, send)) or {})
    awaited(addresses(scope, None, send))  # type: ignore[arg-type]
    return seen


HOST = ("host", "cards.example")


@cases("forwarded addresses")
def test_only_a_known_proxy_is_believed(client: str, forwarded: str, proxies: list[str], found: str) -> None:
    """Not a proxy that the host has not named, nor what a stranger wrote before the first entry of a known one."""
    scope = passed(client, [HOST, ("x-forwarded-for", forwarded)], tuple(proxies))
    assert scope["client"][0] == found


def test_the_same_goes_for_scheme_and_host() -> None:
    headers = [HOST, ("x-forwarded-proto", "https"), ("x-forwarded-host", "play.example")]
    stranger = passed("203.0.113.9", headers, ("127.0.0.1",))
    assert stranger["scheme"] == "http"
    assert (b"host", b"cards.example") in stranger["headers"]
    for kind, scheme in (("http", "https"), ("websocket", "wss")):
        known = passed("127.0.0.1", headers, ("127.0.0.1",), kind)
        assert known["scheme"] == scheme
        assert [value for name, value in known["headers"] if name == b"host"] == [b"play.example"]
    chain = [HOST, ("x-forwarded-for", "198.51.100.7, 10.1.2.3"), ("x-forwarded-proto", "https, http")]
    assert passed("127.0.0.1", chain, ("127.0.0.1", "10.0.0.0/8"))["scheme"] == "https"
    strange = [HOST, ("x-forwarded-host", "evil.example/x"), ("x-forwarded-proto", "gopher")]
    assert passed("127.0.0.1", strange, ("127.0.0.1",))["status"] == 400
    assert {parse_host_header(name) for name in (*STRANGE["hosts"], "a" * 300)} == {None}


def ask(server: Server, path: str, host: str | bytes, **headers: str) -> httpx.Response:
    named: dict[str, Any] = {"Host": host, **headers}
    return httpx.get(server.origin + path, headers=named, timeout=PATIENCE)


def test_a_strange_name_is_refused_everywhere(server: Server, ada: httpx.Client) -> None:
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
        assert live_status(server, url, ada, host=strange) == 400
    for hosts, status in ((b"Host: a\r\nHost: evil.example\r\n", b"400"), (b"", b"400"), (b"Host: a\r\n", b"200")):
        with line(server.port) as bare:
            bare.sendall(b"GET / HTTP/1.1\r\nConnection: close\r\n" + hosts + b"\r\n")
            assert bare.recv(12) == b"HTTP/1.1 " + status


def live_status(server: Server, url: str, client: httpx.Client, **named: str) -> int:
    try:
        with Live(server, client, url, **named) as live:
            live.hello()
    except InvalidStatus as refused:
        return refused.response.status_code
    return 101


def test_only_the_names_that_the_host_gave(served: Serve) -> None:
    named = served(hosts=("cards.example", "*.play.example"))
    for fine in ("cards.example", "Cards.Example:8443", "cards.example.", "a.play.example"):
        assert ask(named, "/", fine).status_code == 200, fine
    for strange in ("127.0.0.1", "evil.example", "cards.example.evil.example", "play.example", "xplay.example"):
        answer = ask(named, "/", strange)
        assert answer.status_code == 400, strange
        assert strange not in answer.text + str(answer.headers)
    # A live table says by its status that it is this name, and not the missing seat.
    assert live_status(named, "/t/AAAA", *named.guests(1), host="evil.example") == 400
    assert [ask(named, "/health", host).status_code for host in ("10.0.0.5:8000", "a b")] == [200, 400]


@pytest.mark.parametrize(
    ("proxies", "appended", "answers"),
    [
        ((), "", [303, 303, 303, 429, 429, 429]),
        (("127.0.0.1",), "", [303] * 6),
        # Through a proxy that appends, the stranger's own entries are nothing.
        (("127.0.0.1",), ", 198.51.100.7", [303, 303, 303, 429, 429, 429]),
        # One network of IPv6 is one household.
        (("127.0.0.1",), ", 2001:db8::{}", [303, 303, 303, 429, 429]),
    ],
)
def test_no_address_is_made_up(served: Serve, proxies: tuple[str, ...], appended: str, answers: list[int]) -> None:
    """New things are counted by address: whoever writes others' into a header is refused all the same."""
    small, found = served(new_things_a_minute=3, proxies=proxies), []
    # Time stands still: after twenty seconds there would be room for one more.
    with small.clock.stopped():
        for number, client in enumerate(small.guests(len(answers)), 1):
            headers = {"X-Forwarded-For": f"192.0.2.{number}{appended.format(number)}"}
            found.append(client.post("/quick", data={"game": "detect"}, headers=headers).status_code)
    assert found == answers
