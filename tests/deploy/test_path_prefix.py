"""A server below a path of its host: every address on every page works, and matches can be played."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import httpx
import pytest
from playwright.sync_api import Browser

from tests.browser.players import Person
from tests.deploy.conftest import ProxiedServer, require_programs
from tests.deploy.proxies import Nginx
from tests.server.http_server import PATIENCE, Server, finished, open_table, serving
from tests.waiting import wait_until

pytestmark = pytest.mark.nightly

ROOT = "/cards"
#: HTML attributes that may hold an address.
HELD = ("href", "src", "action", "content", "data-turn", "data-share", "data-copy", "data-figure", "data-step-url")
#: Addresses that take only POST or a WebSocket, or need a code.
POSTED = re.compile(
    r"/(join|tables|quick|language|sit|watch|leave|again|from|play|live|forget|out|key|request|search|stop)$"
)
IN_STYLE = re.compile(r"""url\(["']?([^"')]+)""")


class Addresses(HTMLParser):
    """All addresses of a page, each with the attribute that holds it."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in HELD and value and (name != "content" or value.startswith(("/", "http"))):
                self.found.append((name, value))


@pytest.fixture(scope="module")
def below(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ProxiedServer]:
    """A server behind an nginx that serves it below a path and knows no other site."""
    require_programs("nginx", "openssl")
    folder: Path = tmp_path_factory.mktemp("below")
    with (
        serving(folder, prefix=ROOT, proxies=("127.0.0.1",)) as server,
        Nginx(folder, [server.port], ROOT, secure=False) as proxy,
    ):
        yield ProxiedServer(proxy, server)


def addresses_in(url: str, answer: httpx.Response, prefix: str) -> list[str]:
    kind = answer.headers.get("content-type", "")
    if kind.startswith("text/html"):
        page = Addresses()
        page.feed(answer.text)
        # The client adds the prefix to these, which tests/project/test_base_path_urls.py checks.
        rooted = [prefix + value if name in ("data-figure", "data-step-url") else value for name, value in page.found]
        return [urljoin(url, value) for value in rooted]
    if kind.startswith("text/css"):
        return [urljoin(url, value) for value in IN_STYLE.findall(answer.text) if not value.startswith(("data:", "#"))]
    if "manifest" in kind:
        told = answer.json()
        named = [told["start_url"], told["scope"], told["id"], *(icon["src"] for icon in told["icons"])]
        return [urljoin(url, value) for value in named]
    if url.split("?")[0].endswith("/sw.js"):
        kept = json.loads(answer.text.split("self.KEPT=", 1)[1].split(";\n", 1)[0])
        base = urljoin(url, "./")
        return [urljoin(base, value) for value in (*kept["files"], *kept["pages"], kept["offline"])]
    if "xml" in kind and "sitemap" in url:
        return re.findall(r"<loc>([^<]+)</loc>", answer.text)
    if url.endswith("/robots.txt"):
        return re.findall(r"Sitemap: (\S+)", answer.text)
    return []


def crawl(server: Server, at: str, prefix: str) -> tuple[list[str], int]:
    """Follow every address from a few pages on. Returns the broken addresses, and the number of all addresses."""
    # Tables are made at the server's own address, where matches are played to their end.
    with server.client() as ada, httpx.Client(base_url=at, timeout=PATIENCE) as client:
        ended = finished(server, ada).removeprefix(prefix)
        running = open_table(ada, "low").removeprefix(prefix)
        lobby = open_table(ada, "open").removeprefix(prefix)
        client.cookies.update(dict(ada.cookies))
        begun = ["/", "/sw.js", "/robots.txt", "/docs", "/openapi.json", "/rules/detect", ended, running, lobby]
        waiting = [f"{at}{path}" for path in begun] + [f"{at}/m/{ended.rsplit('/', 1)[-1]}"]
        origin = at.removesuffix(prefix)
        seen: set[str] = set()
        wrong: list[str] = []
        while waiting:
            url = waiting.pop().split("#")[0]
            # One moment of a replay and one language stand for all.
            one_of = re.sub(r"(ply|eyes|lang|moves)=[^&]*", r"\1", url)
            if one_of in seen:
                continue
            seen.add(one_of)
            parts = urlsplit(url)
            assert f"{parts.scheme}://{parts.netloc}" == origin, url
            if not parts.path.startswith(f"{prefix}/"):
                wrong.append(url)
                continue
            if POSTED.search(parts.path):
                continue
            answer = client.get(url)
            if answer.is_redirect:
                waiting.append(urljoin(url, answer.headers["location"]))
            elif answer.status_code >= 400:
                wrong.append(f"{answer.status_code} {url}")
            waiting += addresses_in(url, answer, prefix)
        return wrong, len(seen)


def test_every_address_on_every_page_works_below_a_path_prefix(below: ProxiedServer, tmp_path: Path) -> None:
    # Pages that are cached for a server at the root are not shown below the path.
    with serving(tmp_path) as plain:
        wrong, many = crawl(plain, plain.origin, "")
    assert wrong == [], "\n".join(wrong)
    assert many > 60
    wrong, many = crawl(below.server, below.at, ROOT)
    assert wrong == [], "\n".join(wrong)
    assert many > 60


def test_match_is_played_below_a_path_prefix_without_a_request_outside_it(
    below: ProxiedServer, chromium_once: Browser
) -> None:
    ada = Person(chromium_once, below.server, 7)
    asked: list[tuple[int, str]] = []
    ada.page.on("response", lambda answer: asked.append((answer.status, answer.url)))
    lines: list[str] = []
    ada.page.on("websocket", lambda line: lines.append(line.url))
    try:
        ada.page.goto(f"{below.at}/")
        ada.page.evaluate("navigator.serviceWorker.ready.then((found) => found.scope)")
        assert ada.page.evaluate("navigator.serviceWorker.ready.then((r) => r.scope)") == f"{below.at}/"
        form = {"game": "detect", "name": "Ada", "seat-0": "you", "seat-1": "low", "clock": "0", "spectators": "on"}
        own = {"Origin": below.proxy.origin}
        made = ada.context.request.post(f"{below.at}/tables", form=form, headers=own, timeout=PATIENCE * 1000)
        ada.page.goto(made.url)
        assert ada.page.url.startswith(f"{below.at}/t/")
        acted: list[bool] = []
        wait_until(lambda: acted.append(ada.act()) or sum(acted) >= 3)  # type: ignore[func-returns-value]
        ada.page.goto(f"{below.at}/learn/reveal")
        assert ada.page.evaluate("document.cookie") is not None
        ada.page.evaluate("document.querySelector('[data-theme-set=dark]').click()")
        ada.page.reload()
        assert ada.page.evaluate("document.documentElement.dataset.theme") == "dark"
        ada.page.keyboard.press("Escape")
        ada.page.keyboard.press("Escape")
        ada.page.wait_for_url(f"{below.at}/")
        assert lines
        assert all(urlsplit(url).path.startswith(f"{ROOT}/t/") for url in lines)
        assert [url for status, url in asked if status >= 400 or not urlsplit(url).path.startswith(f"{ROOT}/")] == []
        assert ada.complaints == []
    finally:
        ada.context.close()
