"""In forced colours (a system's high contrast) a button that cannot be used does not look like one that can."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.people import Server

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

#: The colour of a button's words and of its edge, and how the edge is drawn.
PLACE = "#actions [data-button=place]"
LOOK = "(e) => { const s = getComputedStyle(e); return [s.color, s.borderTopColor, s.borderTopStyle]; }"


@pytest.mark.slow
def test_a_button_that_cannot_be_used_looks_so(browser: Browser, server: Server) -> None:
    page = browser.new_context(viewport={"width": 390, "height": 844}, forced_colors="active").new_page()
    page.goto(server.origin + "/new/reveal")
    page.locator("input[name=name]").fill("Ada")
    page.locator(".sheet-actions .primary").click()
    page.locator("[data-button=keep]").click()
    grey = page.locator(PLACE)
    expect(grey).to_have_attribute("aria-disabled", "true")
    usable = page.locator("#bar .tool").last
    grey_look = grey.evaluate(LOOK)
    system = page.evaluate(
        """() => { const e = document.body.appendChild(document.createElement('p'));
        e.style.color = 'GrayText'; return getComputedStyle(e).color; }"""
    )
    assert grey_look[0] == system, "its words are grey as the system says"
    assert grey_look[1] == system
    assert grey_look[2] == "dashed"
    # The same button once it may be used: another colour, a whole edge.
    able_look = grey.evaluate(
        f"(e) => {{ e.removeAttribute('aria-disabled'); e.classList.remove('grey'); return ({LOOK})(e); }}"
    )
    assert able_look[0] != grey_look[0]
    assert able_look[1] != grey_look[1]
    assert able_look[2] == "solid"
    assert usable.evaluate(LOOK)[0] != grey_look[0]
