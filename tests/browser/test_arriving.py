"""A page comes, and nothing on it moves any more: no piece of it jumps when styles, letters and script arrive."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser

from tests.browser.page_time import wait_for_frames
from tests.browser.players import DESKTOP, PHONE
from tests.nightly_selection import mostly
from tests.server.http_server import Server

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

#: A bad line, on which pages come in pieces: Chromium draws after each if it may.
BAD_LINE = {"offline": False, "latency": 20, "downloadThroughput": 100_000, "uploadThroughput": 100_000}


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
    if coming == "in-pieces":
        context.new_cdp_session(page).send("Network.emulateNetworkConditions", BAD_LINE)
    for path in PAGES:
        page.goto(server.origin + path)
        page.wait_for_function("() => document.fonts.status === 'loaded'")
        wait_for_frames(page, LOOKED_AT)
        shifts = page.evaluate("window.shifts")
        assert sum(shift["value"] for shift in shifts) < MOST_SHIFT, (path, shifts)
