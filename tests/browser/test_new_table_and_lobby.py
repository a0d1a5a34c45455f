"""The new-table form and the lobby: seat sheets by mouse, finger and keyboard, and the chat field."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.page_time import box_of
from tests.browser.players import DESKTOP, PHONE, SIZES, new_page_for, open_page_for
from tests.browser.test_accessibility import BOTH, check_accessibility
from tests.nightly_selection import mostly
from tests.server.http_server import Server, open_table, sit

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]


@pytest.mark.parametrize("size", mostly(SIZES, ("phone",), ("desktop",)))
def test_player_removed_by_the_host_can_sit_down_again_once_the_host_readmits_them(
    browser: Browser, server: Server, size: str
) -> None:
    with server.client() as ada, server.client() as sol:
        url = open_table(ada, "open", "open", game="scout")
        sit(sol, url, "Sol")
        hers, his = (open_page_for(browser, server, client, url, size) for client in (ada, sol))
        expect(hers.locator("#place-1 .name")).to_have_text("Sol")
        sheet = hers.locator("#sheet-1-person")
        expect(sheet).to_be_hidden()
        hers.click("#touch-1")
        expect(sheet).to_be_visible()
        box, place = box_of(sheet), box_of(hers.locator("#place-1 .token"))
        if size == "desktop":
            assert box["y"] >= place["y"] + place["height"] or box["y"] + box["height"] <= place["y"]
            assert 256 <= box["width"] <= 360
        hers.keyboard.press("Escape")
        expect(sheet).to_be_hidden()
        expect(hers.locator("#touch-1")).to_be_focused()
        hers.click("#touch-1")
        hers.click("text=Remove Sol")
        expect(his.locator("main")).to_contain_text("The host has given your seat to someone else.")
        expect(his.locator("main a[href='/']").last).to_be_visible()
        expect(hers.locator("#place-1 .name")).to_have_text("Open seat")
        expect(sheet).to_have_count(0)
        if size != "desktop":
            hers.click(".bar [data-open=log]")
        hers.click("text=Let Sol back in")
        expect(hers.locator("text=Let Sol back in")).to_have_count(0)
        his.goto(server.origin + url)
        his.fill("[name=name]", "Sol")
        his.click("text=Join")
        expect(hers.locator("#place-1 .name")).to_have_text("Sol")


def test_seat_dialogs_of_a_lobby_swap_seats_by_keyboard_close_seats_and_mute_players(
    browser: Browser, server: Server
) -> None:
    with server.client() as ada, server.client() as ben:
        url = open_table(ada, "casual", "open", "open")
        sit(ben, url, "Ben")
        hers, his = (open_page_for(browser, server, client, url, "desktop") for client in (ada, ben))
        hers.focus("#touch-1")
        hers.keyboard.press("Enter")
        expect(hers.locator("#sheet-1-bot")).to_be_visible()
        assert hers.evaluate("document.activeElement.closest('#sheet-1-bot') !== null"), "the focus is in the sheet"
        assert hers.get_attribute("#sheet-1-bot [aria-pressed=true]", "value") is not None
        hers.focus("#sheet-1-bot .hosts button >> nth=1")
        hers.keyboard.press("Enter")
        expect(hers.locator("#place-1 .name")).to_have_text("Ben")
        expect(hers.locator("#polite")).to_contain_text("Juniper and Ben swapped seats.")
        hers.click("#touch-2")
        hers.click("#sheet-2-bot >> text=Close the seat")
        expect(hers.locator(".place")).to_have_count(3)
        # A guest can only mute.
        expect(his.locator(".touch")).to_have_count(1)
        his.click("#touch-0")
        his.check("#mute-0")
        hers.click("[data-phrase=Hello]")
        expect(his.locator("#hidden-lines")).to_contain_text("1 message from Ada is hidden")


@pytest.mark.parametrize("language", ["en", "de"])
def test_chat_field_of_a_full_lobby_is_visible_without_scrolling_on_a_desktop(
    browser: Browser, server: Server, language: str
) -> None:
    """The chat is long, the table is full, and the rules are many."""
    with server.client() as ada, server.client() as cem:
        rules = {"memory": "on", "hints": "on", "free-away": "on", "watchers-talk": "on", "clock": "300+10"}
        url = open_table(ada, *["open"] * 7, **rules, **{"option-tie": "extra_round"})
        cem.post(f"{url}/watch")
        for name in ("Ben", "Bartholomew-James", "Dora", "Emil", "Fanny", "Gus"):
            with server.client() as guest:
                sit(guest, url, name)
        page = open_page_for(browser, server, ada, f"{url}?lang={language}", "desktop")
        watching = open_page_for(browser, server, cem, url, "desktop")
        expect(watching.locator("#phrases")).to_be_visible()
        for number in range(5):
            page.fill("#say-text", f"line {number}, which is as long as people write them at such a table")
            page.press("#say-text", "Enter")
            expect(page.locator("#chat-lines li")).to_have_count(number + 1)
        for part in ("#say-text", "#phrases .phrase >> nth=0", "#chat-lines li >> nth=4"):
            assert page.locator(part).evaluate(
                """(part) => {
                  const r = part.getBoundingClientRect();
                  const top = document.elementFromPoint(r.left + 8, r.top + r.height / 2);
                  return r.bottom <= innerHeight && (top === part || part.contains(top));
                }"""
            ), part
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight + 1")


def test_host_can_get_ready_remove_a_player_and_close_a_seat_without_javascript(
    browser: Browser, server: Server
) -> None:
    with server.client() as ada, server.client() as ben:
        url = open_table(ada, "open", "open")
        sit(ben, url, "Ben")
        page = new_page_for(browser, server, ada, **DESKTOP, java_script_enabled=False)
        page.goto(server.origin + url)
        page.click("text=I’m ready")
        expect(page.locator("#place-0 .line").first).to_have_text("host, ready")
        page.click("#touch-1")
        page.click("text=Remove Ben")
        expect(page.locator("#place-1 .name")).to_have_text("Open seat")
        page.click("#touch-1")
        page.click("#sheet-1-open >> text=Close the seat")
        expect(page.locator(".place")).to_have_count(2)


@pytest.mark.parametrize("size", mostly(SIZES, (), ("small", "desktop")))
def test_lobby_seat_dialogs_and_settings_page_pass_the_accessibility_check_and_fit_the_window(
    browser: Browser, server: Server, size: str
) -> None:
    """The page of a removed player passes, too."""
    with server.client() as ada, server.client() as ben:
        url = open_table(ada, "open", "casual", "open", game="scout", **{"free-away": "on"})
        sit(ben, url, "Bartholomew-James")
        page = open_page_for(browser, server, ada, url, size)
        check_accessibility(page, "lobby", *BOTH)
        if size == "small":  # The QR code does not fit here: it opens by touch.
            page.locator("[data-open=picture]").focus()
            page.keyboard.press("Enter")
            expect(page.locator("dialog#picture[open] .qr")).to_be_visible()
            check_accessibility(page, "picture code", *BOTH)
            page.keyboard.press("Escape")
            expect(page.locator("dialog#picture")).to_be_hidden()
        for seat in range(4):
            page.click(f"#touch-{seat}")
            expect(page.locator(".seat-sheet:popover-open")).to_have_count(1)
            check_accessibility(page, f"sheet of seat {seat}", *BOTH)
            box = box_of(page.locator(".seat-sheet:popover-open"))
            assert min(box["x"], box["y"]) >= 0
            assert box["y"] + box["height"] <= SIZES[size]["viewport"]["height"]
            page.keyboard.press("Escape")
        page.goto(f"{server.origin}{url}/rules")
        check_accessibility(page, "house rules", *BOTH)
        ada.post(f"{url}/request", data={"request": '{"type": "remove", "seat": 1}'})
        gone = new_page_for(browser, server, ben, **SIZES[size])
        gone.goto(server.origin + url)
        check_accessibility(gone, "removed", *BOTH)


def test_default_mode_of_the_game_uncovered_depends_on_the_seat_count_until_a_mode_is_chosen(
    browser: Browser, server: Server
) -> None:
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


def test_memory_aid_of_the_game_reveal_turns_off_when_the_other_seat_is_opened_to_a_person(
    browser: Browser, server: Server
) -> None:
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
def test_home_page_describes_quick_play_below_its_button_and_links_to_personal_data(
    window: dict[str, Any], browser: Browser, server: Server
) -> None:
    page = browser.new_context(**window).new_page()
    page.goto(server.origin)
    words, button = page.locator("#quick-words"), page.locator(".dock .quick .button")
    assert button.get_attribute("aria-describedby") == "quick-words"
    below, above, lids = (box_of(thing) for thing in (words, button, page.locator(".lids")))
    assert 0 <= below["y"] - above["y"] - above["height"] <= 16, "it stands right below its button"
    if window is DESKTOP:
        assert below["y"] + below["height"] <= lids["y"]
    else:
        assert below["y"] + below["height"] <= page.evaluate("innerHeight")
    page.get_by_role("link", name="Your data").first.click()
    page.wait_for_url("**/you")
