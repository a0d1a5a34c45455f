"""Origins, addresses, names, headers, sizes, haste."""

from __future__ import annotations

import contextlib
import json
import re
import socket
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.datastructures import Headers
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from facedown.server.http.addresses import Addresses, name_of
from facedown.server.http.guard import same_origin
from tests.server.cases import STRANGE, cases, unsafe
from tests.server.serving import PATIENCE, Live, Server, awaited, open_table, refusals, serving


@cases("origins of forms")
def test_whose_page_it_is(headers: dict[str, str], fine: bool) -> None:
    assert same_origin(Headers(headers), "http", ("https://friend.example",)) is fine


@pytest.mark.parametrize(
    ("scheme", "origin", "fine"),
    [
        ("https", "https://cards.example", True),
        ("https", "http://cards.example", False),
        ("https", "ftp://cards.example", False),
        ("wss", "https://cards.example", True),
        ("wss", "http://cards.example", False),
        # A proxy that is not known may have had TLS before it.
        ("http", "https://cards.example", True),
        ("ws", "https://cards.example", True),
        # The host says that this is a page of theirs.
        ("https", "http://friend.example", True),
    ],
)
def test_a_page_of_http_is_none_of_ours_where_the_request_is_https(scheme: str, origin: str, fine: bool) -> None:
    headers = Headers({"host": "cards.example", "origin": origin})
    assert same_origin(headers, scheme, ("http://friend.example",)) is fine


@pytest.mark.parametrize("known", [True, False], ids=["proxy known", "proxy unknown"])
@pytest.mark.parametrize("page", ["http", "https"])
def test_forms_and_live_tables_behind_tls(known: bool, page: str, tmp_path: Path) -> None:
    """A proxy with TLS; where the server knows it, a page of http is a strange one, else it cannot be told."""
    fine = page == "https" or not known
    with serving(tmp_path, proxies=("127.0.0.1",) if known else ()) as server, server.client() as ada:
        url = open_table(ada, "low")
        host = server.origin.split("//")[1]
        headers = {"origin": f"{page}://{host}", "x-forwarded-proto": "https"}
        assert ada.post("/quick", data={"game": "detect"}, headers=headers).status_code == (303 if fine else 403)
        cookies = "; ".join(f"{name}={value}" for name, value in ada.cookies.items())
        live = f"ws://{host}{url}/live"
        about = {"Cookie": cookies, "X-Forwarded-Proto": "https"}
        more = {"origin": Origin(headers["origin"]), "additional_headers": about, "open_timeout": PATIENCE}
        if fine:
            with connect(live, **more) as line:
                line.send('{"type": "hello", "version": 0}')
                assert json.loads(line.recv(PATIENCE))["type"] in ("table", "lobby")
        else:
            with pytest.raises(InvalidStatus) as refused:
                connect(live, **more)
            assert refused.value.response.status_code == 403


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
    passed = dict(browser)
    for name, value in re.findall(r"proxy_set_header (\S+) (\S+);", block):
        passed[name.lower()] = values[value]
    return Headers(passed)


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


def test_a_head_is_the_answer_without_its_body(ada: httpx.Client) -> None:
    ada.get("/")
    pages = ("/", "/new/detect", "/g/scout", "/docs", "/health", "/api/v1/games", "/static/tokens.css", "/nowhere")
    for path in (*pages, "/api/v1/tables/NOPE"):
        full, head = ada.get(path), ada.head(path)
        assert head.status_code == full.status_code != 405, path
        assert head.content == b""
        assert head.headers["content-type"] == full.headers["content-type"]
        assert head.headers["x-content-type-options"] == "nosniff"
    assert ada.head("/tables").status_code == ada.get("/tables").status_code


def test_every_answer_has_the_security_headers(ada: httpx.Client) -> None:
    for path in ("/", "/new/detect", "/treasure", "/api/v1/games", "/health", "/docs", "/static/tokens.css"):
        headers = ada.get(path).headers
        assert unsafe(dict(headers)) == []
        assert ("no-store" in headers["cache-control"]) is not path.startswith("/static")


def test_pages_need_nothing_that_the_policy_forbids(ada: httpx.Client) -> None:
    for path in ("/", "/new/detect", "/docs", open_table(ada, "low")):
        page = ada.get(path).text
        assert "<script>" not in page
        assert " style=" not in page
        assert " onclick=" not in page


def test_a_form_that_is_too_large_is_refused(ada: httpx.Client) -> None:
    assert ada.post("/tables", data={"name": "x" * 70_000}).status_code == 413


def test_a_table_can_be_embedded_in_another_origin_that_is_named(tmp_path: Path) -> None:
    friend = "https://friend.example"
    with serving(tmp_path, origins=(friend,)) as named, named.client() as client:
        url = open_table(client, "low")
        with Live(named, client, url, origin=friend) as live:
            assert live.hello()["type"] == "table"


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
    addresses = Addresses(app, proxies, (), "en")
    if kind == "websocket":
        # Live lines do not pass through the layers of requests.
        return dict(awaited(addresses.admitted(scope, send)) or {})
    awaited(addresses(scope, None, send))  # type: ignore[arg-type]
    return seen


HOST = ("host", "cards.example")


@pytest.mark.parametrize(
    ("client", "forwarded", "proxies", "found"),
    [
        # Nobody is believed whom the host has not named, the own machine neither.
        ("127.0.0.1", "198.51.100.7", (), "127.0.0.1"),
        ("203.0.113.9", "198.51.100.7", ("127.0.0.1",), "203.0.113.9"),
        ("127.0.0.1", "198.51.100.7", ("127.0.0.1",), "198.51.100.7"),
        # What a stranger wrote before the proxy's own entry is nothing.
        ("127.0.0.1", "10.0.0.1, 192.0.2.66, 198.51.100.7", ("127.0.0.1",), "198.51.100.7"),
        # Through a chain: the last that is no proxy.
        ("127.0.0.1", "192.0.2.66, 198.51.100.7, 10.1.2.3", ("127.0.0.1", "10.0.0.0/8"), "198.51.100.7"),
        # A stranger who writes a proxy's address is not taken for one.
        ("127.0.0.1", "10.9.9.9, 198.51.100.7, 10.1.2.3", ("127.0.0.1", "10.0.0.0/8"), "198.51.100.7"),
        ("127.0.0.1", "10.9.9.9, 10.1.2.3", ("127.0.0.1", "10.0.0.0/8"), "10.9.9.9"),
        ("::1", "[2001:db8::7]:5000", ("::1",), "2001:db8::7"),
        ("::ffff:127.0.0.1", "198.51.100.7:5000", ("127.0.0.1",), "198.51.100.7"),
        ("127.0.0.1", "unknown", ("127.0.0.1",), "127.0.0.1"),
        ("127.0.0.1", "198.51.100.7, nonsense", ("127.0.0.1",), "127.0.0.1"),
    ],
)
def test_only_a_known_proxy_is_believed(client: str, forwarded: str, proxies: tuple[str, ...], found: str) -> None:
    scope = passed(client, [HOST, ("x-forwarded-for", forwarded)], proxies)
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


@pytest.mark.parametrize("strange", [*STRANGE["hosts"], "a" * 300])
def test_what_is_no_name(strange: str) -> None:
    assert name_of(strange) is None


def ask(server: Server, path: str, host: str | bytes | None, **more: Any) -> httpx.Response:
    """Ask under another name."""
    headers = {"Host": host} if host is not None else {}
    with httpx.Client(timeout=PATIENCE) as client:
        return client.request(more.pop("method", "GET"), server.origin + path, headers=headers, **more)  # type: ignore[arg-type]


def test_a_strange_name_is_refused_everywhere(server: Server, ada: httpx.Client) -> None:
    url = open_table(ada, "low")
    before = refusals("host-malformed")
    files = ("/sitemap.xml", "/robots.txt", "/api/v1/games", "/static/tokens.css")
    pages = ("/", url, f"{url}/preview.png", *files, "/nowhere")
    for path in pages:
        for strange in ("evil.example/x", b"evil.ex\xe4mple", "a@evil.example", ""):
            answer = ask(server, path, strange)
            assert answer.status_code == 400, (path, strange)
            assert "evil" not in answer.text + str(answer.headers)
            assert answer.headers["x-content-type-options"] == "nosniff"
    assert refusals("host-malformed") == before + 4 * len(pages)
    assert ask(server, "/api/v1/games", "a b").json()["code"] == "malformed"
    german = httpx.get(server.origin, headers={"Host": "a b", "Accept-Language": "de"}, timeout=PATIENCE)
    assert german.text.startswith("Dieser Server")
    for strange in ("evil.example/x", "a@evil.example"):
        assert live_status(server, url, strange) == 400
    for hosts, status in ((b"Host: a\r\nHost: evil.example\r\n", b"400"), (b"", b"400"), (b"Host: a\r\n", b"200")):
        with socket.create_connection(("127.0.0.1", server.port), PATIENCE) as line:
            line.sendall(b"GET / HTTP/1.1\r\nConnection: close\r\n" + hosts + b"\r\n")
            assert line.recv(12) == b"HTTP/1.1 " + status


def live_status(server: Server, url: str, host: str) -> int:
    """What a live line under another name is answered."""
    line = f"ws://127.0.0.1:{server.port}{url}/live"
    with (
        pytest.raises(InvalidStatus) as caught,
        connect(line, additional_headers={"Host": host}, open_timeout=PATIENCE),
    ):
        pass
    return caught.value.response.status_code


def test_only_the_names_that_the_host_gave(tmp_path: Path) -> None:
    with serving(tmp_path, hosts=("cards.example", "*.play.example")) as named:
        for fine in ("cards.example", "Cards.Example:8443", "cards.example.", "a.play.example"):
            assert ask(named, "/", fine).status_code == 200, fine
        for strange in ("127.0.0.1", "evil.example", "cards.example.evil.example", "play.example", "xplay.example"):
            answer = ask(named, "/", strange)
            assert answer.status_code == 400, strange
            assert strange not in answer.text + str(answer.headers)
        # A live table says by its status that it is this name, and not the missing seat.
        assert live_status(named, "/t/AAAA", "evil.example") == 400
        assert ask(named, "/health", "10.0.0.5:8000").status_code == 200
        assert ask(named, "/health", "a b").status_code == 400


def test_a_stranger_cannot_go_by_another_address(tmp_path: Path) -> None:
    """New things are counted by address: whoever writes others' into a header is refused all the same."""
    # Time stands still: after twenty seconds there would be room for one more.
    with serving(tmp_path, new_things_a_minute=3) as small, small.clock.stopped():
        assert guests(small, 6) == [303, 303, 303, 429, 429, 429]
    with serving(tmp_path, new_things_a_minute=3, proxies=("127.0.0.1",)) as proxied, proxied.clock.stopped():
        assert guests(proxied, 6) == [303] * 6
        # Through a proxy that appends, the stranger's own entries are nothing.
        assert guests(proxied, 6, ", 198.51.100.7") == [303, 303, 303, 429, 429, 429]
        # One network of IPv6 is one household.
        six = [guests(proxied, 1, f", 2001:db8::{number:x}")[0] for number in range(1, 6)]
        assert six == [303, 303, 303, 429, 429]


def guests(server: Server, many: int, appended: str = "") -> list[int]:
    """The answers to somebody who opens tables, each under another forwarded address."""
    found = []
    for number in range(many):
        with contextlib.closing(server.client()) as client:
            headers = {"X-Forwarded-For": f"192.0.2.{number + 1}{appended}"}
            found.append(client.post("/quick", data={"game": "detect"}, headers=headers).status_code)
    return found
