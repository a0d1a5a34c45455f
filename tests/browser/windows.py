"""Windows of people who have their seats already: a client with cookies sat them down, a browser shows their page."""

from __future__ import annotations

from typing import Any

import httpx
from playwright.sync_api import Browser, Page

from tests.browser.people import DESKTOP, PHONE, Window
from tests.server.serving import Server

SMALL: Window = {**PHONE, "viewport": {"width": 320, "height": 640}}
PHONES: dict[str, Window] = {"phone": PHONE, "small": SMALL}
SIZES: dict[str, Window] = {**PHONES, "desktop": DESKTOP}


def seated(browser: Browser, server: Server, client: httpx.Client, **context: Any) -> Page:
    """Open an empty page of a person whose cookies are known."""
    window = browser.new_context(**context)
    window.add_cookies([{"name": n, "value": v, "url": server.origin} for n, v in client.cookies.items()])
    return window.new_page()


def looking(
    browser: Browser, server: Server, client: httpx.Client, url: str, size: str, *, turned: bool = False
) -> Page:
    """Open the page of a person whose cookies are known, and wait for its line.

    `turned`: a test can turn the page's clock on (`page.clock`), which otherwise keeps real time.
    """
    page = seated(browser, server, client, **SIZES[size])
    if turned:
        page.clock.install()
    page.goto(server.origin + url)
    page.wait_for_selector("#prompt-words")
    page.wait_for_function("() => !document.body.classList.contains('is-offline')")
    return page
