"""The browser in which pages are looked at: Chromium, driven by Playwright, where both are installed."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser

#: The names under which systems have it. Debian's ``chromium-headless-shell`` draws the same pages without the windows
#: of a browser around them, which cost a second of the processor for each person at the table.
EXECUTABLE_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
LAUNCH_FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update")


def find_chromium() -> str | None:
    """The system's Chromium: ``FACEDOWN_CHROMIUM``, or the first on the path; None where there is none."""
    chosen = os.environ.get("FACEDOWN_CHROMIUM")
    return chosen or next((path for path in map(shutil.which, EXECUTABLE_NAMES) if path), None)


def unavailable_reason() -> str:
    """Why no page can be looked at here; empty where one can."""
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
    """A browser without a window: the system's Chromium, or the one that Playwright has brought."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=list(LAUNCH_FLAGS))
        try:
            yield browser
        finally:
            browser.close()
