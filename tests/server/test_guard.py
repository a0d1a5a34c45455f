"""Origins, headers, sizes, haste."""

from __future__ import annotations

import json
import re
from pathlib import Path

import httpx
import pytest
from starlette.datastructures import Headers
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from facedown.server.http.guard import same_origin
from tests.server.abuse import unsafe
from tests.server.cases import cases
from tests.server.serving import PATIENCE, Live, open_table, serving


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
