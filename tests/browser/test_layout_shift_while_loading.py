"""Layout shift while a page loads: nothing moves when styles, fonts and script arrive."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser

from tests.browser.page_time import wait_for_frames
from tests.browser.players import DESKTOP, PHONE
from tests.nightly_selection import mostly
from tests.server.http_server import Server

pytestmark = pytest.mark.browser

#: Largest layout shift, by Chromium's measure (area × distance). Up to 0.1 counts as good.
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
#: Whether the page has been drawn for the first time.
PAINTED = "() => performance.getEntriesByType('paint').length > 0"
#: Number of frames for which a page is watched after everything has loaded.
LOOKED_AT = 12

#: A slow connection on which a page arrives in pieces. Chromium may draw after each piece.
BAD_LINE = {"offline": False, "latency": 20, "downloadThroughput": 100_000, "uploadThroughput": 100_000}


@pytest.mark.parametrize("coming", mostly(("at-once", "late", "in-pieces"), (), ("late", "in-pieces")))
@pytest.mark.parametrize("window", mostly([PHONE, DESKTOP], [PHONE], []), ids=["phone", "desktop"])
def test_page_causes_no_layout_shift_while_it_loads(
    browser: Browser, server: Server, window: dict[str, object], coming: str
) -> None:
    context = browser.new_context(**window)
    page = context.new_page()
    page.add_init_script(f"({SHIFTS})()")
    if coming == "late":
        # The script and the fonts arrive long after the first paint.
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
