"""A page comes, and nothing on it moves any more: no piece of it jumps when styles, letters and script arrive."""

from __future__ import annotations

import contextlib
import re
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx
import pytest
from playwright.sync_api import Browser

from tests.browser.page_time import wait_for_frames
from tests.browser.people import DESKTOP, PATIENCE, PHONE
from tests.selection import mostly
from tests.server.serving import Server

pytestmark = pytest.mark.browser

#: Of the window, weighed by how far: Chromium's own measure, of which 0.1 is still called good.
MOST_SHIFT = 0.005
PAGES = ("/", "/new/detect", "/new/scout", "/new/reveal", "/guide/detect", "/guide/scout", "/score/detect", "/docs")

SHIFTS = """() => {
  window.shifts = [];
  const name = (node) => node?.id || node?.className || node?.nodeName;
  const note = (s) => [name(s.node), s.previousRect.toJSON(), s.currentRect.toJSON()];
  new PerformanceObserver((list) => {
    for (const e of list.getEntries()) window.shifts.push({ value: e.value, sources: e.sources.map(note) });
  }).observe({ type: 'layout-shift', buffered: true });
}"""
#: Has the page been drawn for the first time?
PAINTED = "() => performance.getEntriesByType('paint').length > 0"
#: Number of frames for which the page is watched once everything has arrived.
LOOKED_AT = 12

#: A page comes in so many pieces, with so long between them (s): Chromium draws after each if it may.
PIECES = 24
BETWEEN = 0.02


@contextlib.contextmanager
def halting(origin: str) -> Iterator[str]:
    """A server before that of `origin`, whose pages come piece by piece, as over a bad line."""

    class Halting(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            answer = httpx.get(origin + self.path, headers={"Accept-Encoding": "identity"}, timeout=PATIENCE)
            self.send_response(answer.status_code)
            self.send_header("Content-Type", answer.headers["Content-Type"])
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            page = answer.content
            size = len(page) // PIECES + 1 if "text/html" in answer.headers["Content-Type"] else len(page)
            for at in range(0, len(page), size):
                piece = page[at : at + size]
                self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
                time.sleep(BETWEEN if size < len(page) else 0)  # Real time: Chromium's parser decides when it draws.
            self.wfile.write(b"0\r\n\r\n")

        def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Halting) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


@pytest.mark.parametrize("coming", mostly(("at-once", "late", "in-pieces"), (), ("late", "in-pieces")))
@pytest.mark.parametrize("window", mostly([PHONE, DESKTOP], [PHONE], []), ids=["phone", "desktop"])
def test_nothing_jumps_while_a_page_comes(
    browser: Browser, server: Server, window: dict[str, object], coming: str
) -> None:
    context = browser.new_context(**window)
    page = context.new_page()
    page.add_init_script(f"({SHIFTS})()")
    if coming == "late":
        # The script and the letters come long after the first paint, as on a train.
        late = re.compile(r"/facedown\.js|\.woff2")
        page.route(late, lambda route: (page.wait_for_function(PAINTED), route.continue_()))
    with halting(server.origin) if coming == "in-pieces" else contextlib.nullcontext(server.origin) as origin:
        for path in PAGES:
            page.goto(origin + path)
            page.wait_for_function("() => document.fonts.status === 'loaded'")
            wait_for_frames(page, LOOKED_AT)
            shifts = page.evaluate("window.shifts")
            assert sum(shift["value"] for shift in shifts) < MOST_SHIFT, (path, shifts)
        context.close()
