"""A finished match is shared: by the system's own sheet where there is one, else as a copied link that says so."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.page_time import stop_clock
from tests.browser.people import PHONE, Person, Server
from tests.browser.test_access import BOTH, check
from tests.browser.test_whole_matches import over

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

SHEET = "Object.defineProperty(navigator, 'share', {value: async (told) => { window.told = told; }})"
#: What pages have that come without encryption.
PLAIN = "Object.defineProperty(navigator, 'clipboard', {value: undefined})"

#: How long a button says that it has copied its link, in ms.
COPIED = 1500


@pytest.fixture
def ada(browser: Browser, server: Server, seed: int) -> Person:
    """Somebody whose match of Reveal, of one hand, is over."""
    person = Person(browser, server, seed, "touch", **PHONE)
    person.context.grant_permissions(["clipboard-read", "clipboard-write"])
    person.new_table("reveal", "greedy", **{"end": "hands", "end-hands-0": "1"})
    person.play_until(over)
    return person


def clipboard(context: BrowserContext, origin: str) -> str:
    """What the clipboard holds."""
    page = context.new_page()
    page.goto(f"{origin}/learn")
    page.bring_to_front()
    held: str = page.evaluate("navigator.clipboard.readText()")
    page.close()
    return held


def code_of(page: Page) -> str:
    return page.url.partition("?")[0].rpartition("/")[2]


@pytest.mark.slow
def test_a_link_is_copied_and_said_to_be(ada: Person, server: Server) -> None:
    page, code = ada.page, code_of(ada.page)
    share = page.locator("[data-share]")
    stop_clock(page)
    share.tap()
    expect(share).to_have_attribute("data-copied", "Copied")
    expect(page.locator("#polite")).to_contain_text("Copied")
    assert clipboard(ada.context, server.origin) == f"{server.origin}/m/{code}"
    page.clock.run_for(COPIED)
    expect(share).not_to_have_attribute("data-copied", "Copied")
    assert not ada.complaints


@pytest.mark.nightly
def test_a_replay_is_shared_as_it_stands_for_the_viewer_it_shows(ada: Person, server: Server) -> None:
    page, code = ada.page, code_of(ada.page)
    share = page.locator("[data-share]")
    page.goto(f"{server.origin}/m/{code}?ply=2&eyes=1")
    page.tap("[aria-label='One move on']")
    page.wait_for_url("**?ply=3&eyes=1")
    page.evaluate("() => { window.__setTimeout = window.setTimeout.bind(window); }")
    stop_clock(page)
    share.tap()
    expect(share).to_have_attribute("data-copied", "Copied")
    # The button's timer stands still; those of axe run.
    page.evaluate("() => { window.setTimeout = window.__setTimeout; }")
    check(page, "a replay, its link copied", *BOTH)
    expect(share).to_have_attribute("data-copied", "Copied")
    assert clipboard(ada.context, server.origin) == f"{server.origin}/m/{code}?ply=3&eyes=1"
    assert not ada.complaints


@pytest.mark.nightly
def test_german_says_it_in_german(ada: Person, server: Server) -> None:
    page = ada.page
    page.goto(f"{server.origin}/m/{code_of(page)}?lang=de")
    share = page.locator("[data-share]")
    expect(share).to_have_attribute("aria-label", "Teilen")
    stop_clock(page)
    share.tap()
    expect(share).to_have_attribute("data-copied", "Kopiert")


@pytest.mark.nightly
def test_it_works_where_the_clipboard_is_closed(ada: Person, server: Server) -> None:
    page, code = ada.page, code_of(ada.page)
    page.add_init_script(PLAIN)
    page.reload()
    stop_clock(page)
    page.tap("[data-share]")
    expect(page.locator("[data-share]")).to_have_attribute("data-copied", "Copied")
    assert clipboard(ada.context, server.origin) == f"{server.origin}/m/{code}"


@pytest.mark.slow
def test_the_system_has_a_sheet_of_its_own(ada: Person, server: Server) -> None:
    page, code = ada.page, code_of(ada.page)
    page.add_init_script(SHEET)
    page.reload()
    page.tap("[data-share]")
    page.wait_for_function("() => window.told")
    assert page.evaluate("window.told.url") == f"{server.origin}/m/{code}"
    assert page.get_attribute("[data-share]", "data-copied") is None
