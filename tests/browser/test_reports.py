"""A report in a browser: axe finds nothing, nothing scrolls sideways, nothing is fetched; in both themes, on paper."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from facedown.core.language import speaking
from facedown.simulate import report
from facedown.simulate.findings import Findings
from tests.browser.people import DESKTOP, PHONE
from tests.browser.test_access import BOTH, check
from tests.browser.windows import SMALL
from tests.selection import mostly
from tests.simulate.made import alone, compared

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

LOOKS: dict[str, tuple[Callable[[], Findings], str, dict[str, Any]]] = {
    "compared, phone": (compared, "de", PHONE),
    "running, small": (lambda: replace(compared(), deals=1200), "de", SMALL),
    "alone, desktop": (alone, "en", DESKTOP),
}


@pytest.mark.parametrize("name", mostly(LOOKS, (), ("compared, phone",)))
def test_a_report_can_be_read_by_anybody(name: str, chromium_once: Browser, tmp_path: Path) -> None:
    made, language, size = LOOKS[name]
    with speaking(language):
        report.write(made(), tmp_path / "report.html")
    context = chromium_once.new_context(**size, offline=True, java_script_enabled=True)
    try:
        page = context.new_page()
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto((tmp_path / "report.html").as_uri())
        assert all(url.startswith(("file:", "data:")) for url in asked), asked
        # What is folded up is looked at, too.
        page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
        check(page, name, *BOTH)
        page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = false; })")
        page.emulate_media(media="print", color_scheme="dark")
        paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert paper == "rgb(246, 241, 232)", "a page on paper is light"
        assert page.evaluate("document.querySelector('details table').checkVisibility({ contentVisibilityAuto: true })")
    finally:
        context.close()
