"""A page comes, and nothing on it moves any more: no piece of it jumps when styles, letters and script arrive."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from tests.browser.people import DESKTOP, PHONE, Server

pytestmark = pytest.mark.browser

#: Of the window, weighed by how far: Chromium's own measure, of which 0.1 is still called good.
MOST_SHIFT = 0.02
PAGES = ("/", "/new/detect", "/new/scout", "/new/reveal", "/guide/detect", "/guide/scout", "/score/detect", "/docs")

SHIFTS = """() => {
  window.shifts = [];
  const name = (node) => node?.id || node?.className || node?.nodeName;
  const note = (s) => [name(s.node), s.previousRect.toJSON(), s.currentRect.toJSON()];
  new PerformanceObserver((list) => {
    for (const e of list.getEntries()) window.shifts.push({ value: e.value, sources: e.sources.map(note) });
  }).observe({ type: 'layout-shift', buffered: true });
}"""


@pytest.mark.parametrize("slow", [False, True], ids=["at-once", "slow"])
@pytest.mark.parametrize("window", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_nothing_jumps_while_a_page_comes(
    browser: Browser, server: Server, window: dict[str, object], slow: bool
) -> None:
    context = browser.new_context(**window)
    page = context.new_page()
    page.add_init_script(f"({SHIFTS})()")
    if slow:
        # The script comes long after the first paint, as on a train.
        page.route("**/facedown.js*", lambda route: (page.wait_for_timeout(600), route.continue_()))
    for path in PAGES:
        page.goto(server.origin + path)
        page.wait_for_timeout(300)
        shifts = page.evaluate("window.shifts")
        assert sum(shift["value"] for shift in shifts) < MOST_SHIFT, (path, shifts)
