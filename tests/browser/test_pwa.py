"""The installable app in Chromium: guides can be read offline, and nothing personal is cached."""

from __future__ import annotations

import contextlib

import pytest
from playwright.sync_api import Browser, Error, Page, expect

from tests.browser.players import PHONE, Person
from tests.server.http_server import Server
from tests.waiting import wait_until

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

#: Paths of all cached responses.
KEPT = """async () => {
  const found = [];
  for (const name of await caches.keys())
    for (const request of await (await caches.open(name)).keys()) found.push(new URL(request.url).pathname);
  return found;
}"""


def wait_for_service_worker(page: Page) -> None:
    """Wait until the service worker controls the page."""
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")


def check_installable(page: Page) -> None:
    """Check that Chromium would install the page as an app."""
    line = page.context.new_cdp_session(page)
    told = line.send("Page.getAppManifest")
    assert told["url"].endswith("/manifest.webmanifest")
    assert not told["errors"], told["errors"]
    # A private window can never install an app. Nothing else may be in the way.
    ways = {error["errorId"] for error in line.send("Page.getInstallabilityErrors")["installabilityErrors"]}
    assert ways <= {"in-incognito"}, ways


def announce_offline(page: Page) -> None:
    """Tell a page that its device is offline. Newer browsers do not do so when the network is emulated."""
    with contextlib.suppress(Error):
        # Older browsers do not know this command and have already told the page.
        named = {"offline": True, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
        page.context.new_cdp_session(page).send("Network.overrideNetworkState", named)


def test_app_is_installable_and_guides_open_offline_without_personal_data_in_the_cache(
    browser: Browser, server: Server, seed: int
) -> None:
    person = Person(browser, server, seed, "touch", **PHONE)
    url = person.new_table("detect", "greedy", name="Ada of the cache")
    page = person.page
    page.wait_for_selector("#board")
    wait_for_service_worker(page)
    check_installable(page)
    # Open the guide from the table: the referring address must not be cached either.
    page.goto(f"{server.origin}/guide/detect", referer=url)
    # The guides are cached one after the other, in any order.
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
    announce_offline(page)
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
    person.complaints.clear()  # The console reports the lost connection.
