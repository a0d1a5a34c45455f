"""Windows of people who have their seats already: a client with cookies sat them down, a browser shows their page."""

from __future__ import annotations

from typing import Any

import httpx
from playwright.sync_api import Browser, Page

from tests.browser.people import DESKTOP, PHONE
from tests.server.serving import Server

SMALL: dict[str, Any] = {**PHONE, "viewport": {"width": 320, "height": 640}}
PHONES: dict[str, dict[str, Any]] = {"phone": PHONE, "small": SMALL}
SIZES: dict[str, dict[str, Any]] = {**PHONES, "desktop": DESKTOP}


def looking(
    browser: Browser, server: Server, client: httpx.Client, url: str, size: str, *, turned: bool = False
) -> Page:
    """Open the page of a person whose cookies are known, and wait for its line.

    `turned`: a test can turn the page's clock on (`page.clock`), which otherwise keeps real time.
    """
    context = browser.new_context(**SIZES[size])
    context.add_cookies([{"name": n, "value": v, "url": server.origin} for n, v in client.cookies.items()])
    page = context.new_page()
    if turned:
        page.clock.install()
    page.goto(server.origin + url)
    page.wait_for_selector("#prompt-words")
    page.wait_for_function("() => !document.body.classList.contains('is-offline')")
    return page
