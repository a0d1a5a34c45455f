"""Start of the browser in which the layout of pages is checked: Chromium, controlled by Playwright.

Both are optional. If one is not installed, `unavailable_reason` says which, and the layout check is skipped.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser

#: Names of the Chromium program on various systems. Debian's ``chromium-headless-shell`` comes first: it draws the same
#: pages, but has no code for windows. This saves a second of processor time for each browser that a test opens.
EXECUTABLE_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
LAUNCH_FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update")


def find_chromium() -> str | None:
    """Return the path of the Chromium program, or None if the system has none.

    The path is the value of the environment variable ``FACEDOWN_CHROMIUM``. If the variable is not set, it is that of
    the first of `EXECUTABLE_NAMES` that is found in ``PATH``.
    """
    chosen = os.environ.get("FACEDOWN_CHROMIUM")
    return chosen or next((path for path in map(shutil.which, EXECUTABLE_NAMES) if path), None)


def unavailable_reason() -> str:
    """Return which program is missing, with advice on how to install it; an empty text if pages can be checked."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return "Playwright is not installed: pip install playwright"
    if find_chromium():
        return ""
    with sync_playwright() as playwright:
        there = Path(playwright.chromium.executable_path).exists()
    return "" if there else "Chromium is not installed: playwright install chromium, or name it in FACEDOWN_CHROMIUM"


@contextmanager
def open_browser() -> Iterator[Browser]:
    """Open a browser without a window, and close it at the end of the ``with`` block.

    The browser is the system's Chromium (`find_chromium`). If the system has none, it is the one that Playwright has
    installed.
    """
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=list(LAUNCH_FLAGS))
        try:
            yield browser
        finally:
            browser.close()
