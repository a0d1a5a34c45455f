"""The sheet of a new table goes with what is chosen on it, and home says what quick play deals."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.people import DESKTOP, PHONE, Server
from tests.selection import mostly

pytestmark = pytest.mark.browser


def test_the_mode_goes_with_the_seats_until_it_is_chosen(browser: Browser, server: Server) -> None:
    page = browser.new_context(**PHONE).new_page()
    page.goto(server.origin + "/new/uncovered")
    modes = {
        word: page.locator(f"[name=option-mode][value={word}]") for word in ("beginner", "intermediate", "advanced")
    }
    expect(modes["intermediate"]).to_be_checked()
    page.locator("[data-add-seat]").click()
    expect(modes["advanced"]).to_be_checked()
    page.locator("[name=seat-2]").select_option("closed")
    expect(modes["intermediate"]).to_be_checked()
    modes["beginner"].check()
    page.locator("[data-add-seat]").click()
    expect(modes["beginner"]).to_be_checked()


def test_the_memory_aid_of_reveal_goes_off_where_a_friend_comes(browser: Browser, server: Server) -> None:
    page = browser.new_context(**PHONE).new_page()
    page.goto(server.origin + "/new/reveal")
    memory, other = page.locator("[name=memory]"), page.locator("[name=seat-1]")
    bot = other.input_value()
    expect(memory).to_be_checked()
    other.select_option("open")
    expect(memory).not_to_be_checked()
    other.select_option(bot)
    expect(memory).to_be_checked()
    memory.uncheck()
    other.select_option("open")
    other.select_option(bot)
    expect(memory).not_to_be_checked()


@pytest.mark.parametrize("window", mostly([PHONE, DESKTOP], (), [PHONE], one=True), ids=str)
def test_home_says_what_quick_play_deals_and_leads_to_ones_data(
    window: dict[str, object], browser: Browser, server: Server
) -> None:
    page = browser.new_context(**window).new_page()  # type: ignore[arg-type]
    page.goto(server.origin)
    words, button = page.locator("#quick-words"), page.locator(".dock .quick .button")
    assert button.get_attribute("aria-describedby") == "quick-words"
    below, above = words.bounding_box(), button.bounding_box()
    lids = page.locator(".lids").bounding_box()
    assert below
    assert above
    assert lids
    assert 0 <= below["y"] - above["y"] - above["height"] <= 16, "it stands right below its button"
    if window is DESKTOP:
        assert below["y"] + below["height"] <= lids["y"]
    else:
        assert below["y"] + below["height"] <= page.evaluate("innerHeight")
    page.get_by_role("link", name="Your data").first.click()
    page.wait_for_url("**/you")
