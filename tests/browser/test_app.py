"""The app in Chromium: it can be installed, guides are read without a connection, nothing of anybody's own is kept."""

from __future__ import annotations

import contextlib

import pytest
from playwright.sync_api import Browser, Error, Page, expect

from tests.browser.players import PHONE, Person
from tests.server.http_server import Server
from tests.waiting import wait_until

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

#: Everything that is kept, by its path.
KEPT = """async () => {
  const found = [];
  for (const name of await caches.keys())
    for (const request of await (await caches.open(name)).keys()) found.push(new URL(request.url).pathname);
  return found;
}"""


def taken_over(page: Page) -> None:
    """Wait until the worker answers for the page."""
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")


def can_be_installed(page: Page) -> None:
    """Check that Chromium would install the page as an app."""
    line = page.context.new_cdp_session(page)
    told = line.send("Page.getAppManifest")
    assert told["url"].endswith("/manifest.webmanifest")
    assert not told["errors"], told["errors"]
    # A private window never installs; nothing else may be in the way.
    ways = {error["errorId"] for error in line.send("Page.getInstallabilityErrors")["installabilityErrors"]}
    assert ways <= {"in-incognito"}, ways


def knows_it_is_offline(page: Page) -> None:
    """Let a page know what a page knows on a device without a line: newer browsers tell a played one only of itself."""
    with contextlib.suppress(Error):
        # Older browsers do not know this, and have told the page already.
        named = {"offline": True, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
        page.context.new_cdp_session(page).send("Network.overrideNetworkState", named)


def test_it_can_be_installed_and_guides_are_read_without_a_connection(
    browser: Browser, server: Server, seed: int
) -> None:
    person = Person(browser, server, seed, "touch", **PHONE)
    url = person.new_table("detect", "greedy", name="Ada of the cache")
    page = person.page
    page.wait_for_selector("#board")
    taken_over(page)
    can_be_installed(page)
    # Read from the table: where one came from is not kept either.
    page.goto(f"{server.origin}/guide/detect", referer=url)
    # The guides come one after the other, in any order.
    wait_until(lambda: {"/guide/detect", "/guide/scout"} <= set(page.evaluate(KEPT)))
    kept = page.evaluate(KEPT)
    assert {path.split("/")[1] for path in kept} == {"static", "guide", "offline"}
    texts = page.evaluate(
        """async () => { let all = ""; for (const n of await caches.keys()) for (const r of
        await (await caches.open(n)).matchAll()) if (r.headers.get("content-type").includes("html"))
        all += await r.text();
        return all; }"""
    )
    assert "Ada of the cache" not in texts
    assert url.rsplit("/", 1)[1] not in texts
    person.context.set_offline(True)
    page.goto(f"{server.origin}/guide/reveal")
    knows_it_is_offline(page)
    assert page.locator("article.text h1, article.text h2").count()
    expect(page.locator("#no-line")).to_contain_text("You’re offline.")
    page.goto(url)
    expect(page.locator(".offline-page [role=status]")).to_contain_text("You’re offline.")
    assert page.locator("[data-kept]:visible").count() == 5
    assert page.url == url
    person.context.set_offline(False)
    with page.expect_navigation():
        page.click("text=Reload")
    page.wait_for_selector("#board")
    person.complaints.clear()  # the lost line is told in the console
