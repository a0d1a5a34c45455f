"""The documentation site in Chromium: accessible at any width, in both themes, by keyboard, and from a folder."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.players import DESKTOP, PATIENCE, PHONE
from tests.browser.test_accessibility import BOTH, check_accessibility
from tests.docs.conftest import Site

pytestmark = [pytest.mark.browser, pytest.mark.nightly, pytest.mark.timeout(600)]

#: The front page, a guide, a page of the reference.
PAGES = ("index.html", "guides/scout.html", "reference/core/seeds.html")
#: Pages with wide tables, long code, long signatures, many pictures.
WIDE = ("host.html", "adding-a-game.html", "reference/core/match.html", "pictures/index.html", "api.html")
SIZES: dict[str, dict[str, Any]] = {"desktop": DESKTOP, "phone": PHONE}


def page_with_long_timeout(browser: Browser, **context: Any) -> Page:
    """Open a page with a timeout for busy machines, where a search of the whole index may take long."""
    page = browser.new_context(**context).new_page()
    page.set_default_timeout(PATIENCE * 1000)
    return page


def open_page(browser: Browser, address: str, **context: Any) -> tuple[Page, list[str]]:
    """Open a page. Returns it with its errors and its requests to other hosts."""
    page = page_with_long_timeout(browser, reduced_motion="reduce", **context)
    wrong: list[str] = []
    root = address.split("/", 3)[2]
    page.on("request", lambda asked: wrong.append(asked.url) if root not in asked.url else None)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda told: wrong.append(told.text) if told.type in ("error", "warning") else None)
    page.goto(address)
    return page, wrong


@pytest.mark.parametrize("size", SIZES)
def test_documentation_passes_accessibility_checks_and_loads_nothing_from_other_hosts(
    size: str, chromium_once: Browser, address: str
) -> None:
    for name in PAGES:
        page, wrong = open_page(chromium_once, address + name, **SIZES[size])
        check_accessibility(page, f"{name}, {size}", *BOTH)
        assert wrong == []
        page.context.close()


def test_documentation_pages_with_wide_content_do_not_scroll_sideways_on_a_phone(
    chromium_once: Browser, address: str
) -> None:
    page, wrong = open_page(chromium_once, address, **PHONE)
    for name in WIDE:
        page.goto(address + name)
        wide = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
        assert wide[0] <= wide[1] + 1, f"{name} is {wide[0]} wide"
    page.context.close()
    assert wrong == []


def test_bracket_keys_open_the_next_or_previous_documentation_page_except_in_search(
    chromium_once: Browser, address: str
) -> None:
    page, wrong = open_page(chromium_once, address + "bots.html", **DESKTOP)
    page.keyboard.press("]")
    page.wait_for_url("**/a_bot.html")
    page.keyboard.press("[")
    page.wait_for_url("**/bots.html")
    page.keyboard.press("/")
    page.keyboard.type("rulings[")
    assert page.input_value(".md-search__input") == "rulings[", "a key that is typed turns no page"
    assert page.url.endswith("bots.html")
    page.context.close()
    assert wrong == []


@pytest.mark.parametrize("folder", [False, True], ids=["served", "from a folder"])
def test_documentation_search_finds_a_word_served_by_http_and_opened_as_local_files(
    folder: bool, chromium_once: Browser, address: str, site: Site
) -> None:
    root = site.folder.as_uri() + "/" if folder else address
    page = page_with_long_timeout(chromium_once, **DESKTOP)
    page.goto(root + "bots.html")
    page.keyboard.press("/")
    page.keyboard.type("redeal")
    page.locator('.md-search-result__link[href*="reference/core/hidden_cards.html"]').first.wait_for()
    page.context.close()


def test_documentation_menu_can_be_opened_and_followed_on_a_phone(chromium_once: Browser, address: str) -> None:
    page, wrong = open_page(chromium_once, address + "host.html", **PHONE)
    page.tap("label[for=__drawer].md-icon")
    page.tap(".names >> text=Limits")
    page.wait_for_url("**/limits.html")
    page.context.close()
    assert wrong == []
