"""The page *Open tables* in a browser: sitting down by touch, the search for a seat by keyboard, and rows that go."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from facedown.server.process.server_settings import BotCatalogue
from tests.browser.page_time import box_of, stop_clock, wait_for_frames
from tests.browser.players import DESKTOP, PHONE, SIZES, new_page_for, open_page_for
from tests.browser.test_accessibility import BOTH, check_accessibility
from tests.nightly_selection import mostly
from tests.server.http_server import Server, code_of, open_table, serving, sit
from tests.server.test_open_tables import play_until_taken_over

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]


@pytest.fixture
def quiet(tmp_path: Path) -> Iterator[Server]:
    """A server without tables of other tests."""
    with serving(tmp_path, usual_loop=True, bots=BotCatalogue()) as running:
        yield running


def tick(page: Page) -> None:
    """Let the page ask for the list and for an offer once more."""
    page.clock.run_for(5100)


def test_visitor_without_a_name_finds_a_listed_table_on_a_phone_and_sits_down(browser: Browser, quiet: Server) -> None:
    with quiet.client() as ada:
        url = open_table(ada, "open", "open", game="scout", listed="on", clock="60")
        hers = open_page_for(browser, quiet, ada, url, "desktop")
        expect(hers.locator("#place-1 .line")).to_have_text("anyone, listed")
        page = browser.new_context(**PHONE).new_page()
        page.goto(quiet.origin)
        page.locator(".home-foot a[href='/open']").tap()
        row = page.locator(f"#open-{code_of(url)}")
        expect(row.locator(".words b")).to_contain_text("SCOUT with Ada")
        check_accessibility(page, "open tables", *BOTH)
        page.get_by_role("button", name="Sit down at SCOUT with Ada").tap()
        sheet = page.locator("#name-first")
        expect(sheet).to_be_visible()
        check_accessibility(page, "name first", *BOTH)
        sheet.locator("[name=name]").fill("Ben")
        sheet.get_by_role("button", name="Sit down").tap()
        page.wait_for_url(f"**{url}")
        expect(page.locator("#prompt-words")).to_be_visible()
        expect(hers.locator("#place-1 .name")).to_have_text("Ben")


@pytest.mark.slow
def test_search_by_keyboard_offers_a_seat_in_a_dialog_on_every_page_and_the_player_sits_down(
    browser: Browser, quiet: Server
) -> None:
    page = browser.new_context(**DESKTOP).new_page()
    # The clock can be advanced but is not stopped, because axe needs timers.
    page.clock.install()
    page.goto(f"{quiet.origin}/open")
    expect(page.locator(".open-none")).to_be_visible()
    page.keyboard.press("f")
    expect(page.locator("[data-find]")).to_be_focused()
    for _ in range(2):
        page.keyboard.press("Shift+Tab")
    # All games are ticked at first.
    page.keyboard.press("Space")
    expect(page.locator("[name=game-scout]")).not_to_be_checked()
    # The list is updated in place: the choice stays.
    tick(page)
    expect(page.locator("[name=game-scout]")).not_to_be_checked()
    expect(page.locator("[name=game-detect]")).to_be_checked()
    page.keyboard.press("Space")
    expect(page.locator("[name=game-scout]")).to_be_checked()
    page.keyboard.press("f")
    page.keyboard.press("Enter")
    page.keyboard.type("Cleo")
    page.keyboard.press("Enter")
    expect(page.locator("#seek")).to_have_attribute("data-state", "looking")
    check_accessibility(page, "looking", *BOTH)
    page.goto(f"{quiet.origin}/guide/scout")
    with quiet.client() as ada:
        url = open_table(ada, "open", game="scout", listed="on", clock="60")
        hers = open_page_for(browser, quiet, ada, url, "desktop")
        offer = page.locator("#offer")
        expect(offer).to_have_count(0)
        page.goto(f"{quiet.origin}/open")
        quiet.within(quiet.rooms.open_tables.offer_seats())
        tick(page)
        expect(offer).to_be_visible()
        expect(page).to_have_title("● A seat is free – Facedown")
        expect(offer).to_contain_text("Ada")
        check_accessibility(page, "offer", *BOTH)
        # The heading has the focus, so that a key pressed by chance answers nothing.
        assert page.evaluate("document.activeElement.id") == "offer-title"
        page.keyboard.press("Escape")
        expect(offer).to_have_count(0)
        with page.expect_response("**/open/offer**"):
            tick(page)
        wait_for_frames(page)
        assert offer.count() == 0
        # Another page shows the offer again, also the page of a table. Its styles are those of the site.
        page.goto(f"{quiet.origin}/guide/scout")
        expect(offer).to_be_visible()
        for _ in range(2):
            page.keyboard.press("Tab")
        expect(offer.get_by_role("button", name="Sit down")).to_be_focused()
        page.keyboard.press("Enter")
        page.wait_for_url(f"**{url}")
        expect(hers.locator("#place-1 .name")).to_have_text("Cleo")


@pytest.mark.slow
def test_offer_closes_with_an_announcement_when_its_time_is_over(browser: Browser, quiet: Server) -> None:
    # On a busy machine the page comes seconds after the offer was made.
    with quiet.client() as ada, quiet.client() as ben, quiet.client() as cem, quiet.clock.stopped():
        table = open_table(cem, "open", game="detect", name="Cem")
        open_table(ada, "open", game="scout", listed="on", clock="60")
        ben.post("/open/search", data={"game-scout": "on", "pace": "any", "kind": "seat", "name": "Ben"})
        page = new_page_for(browser, quiet, ben, **PHONE)
        stop_clock(page)
        page.goto(quiet.origin + table)
        offer = page.locator("#offer")
        expect(offer).to_be_visible()
        left = offer.locator("#offer-left")
        expect(left).to_have_text("Your seat is kept for 1:00.")
        box, buttons = box_of(offer), box_of(offer.locator(".actions"))
        assert box["y"] + box["height"] == pytest.approx(844, abs=1), "it is a sheet at the bottom"
        assert buttons["y"] + buttons["height"] <= 844
        page.clock.run_for(18_000)
        expect(left).to_have_text("Your seat is kept for 0:42.")
        page.clock.run_for(42_000)
        expect(offer).to_have_count(0)
        expect(page.locator("#polite")).to_contain_text("the seat goes to the next player")


@pytest.mark.slow
def test_row_of_a_table_that_goes_keeps_its_place_until_the_focus_leaves_it_and_w_watches(
    browser: Browser, quiet: Server
) -> None:
    with quiet.client() as ada, quiet.client() as ben, quiet.client() as cem:
        urls = [
            open_table(client, "open", name=name, game=game, listed="on")
            for client, name, game in ((ada, "Ada", "reveal"), (ben, "Ben", "detect"), (cem, "Cem", "scout"))
        ]
        page = browser.new_context(**DESKTOP).new_page()
        stop_clock(page)
        page.goto(f"{quiet.origin}/open")
        rows = page.locator("#open-rows li")
        expect(rows).to_have_count(3)
        for _ in range(2):
            page.keyboard.press("ArrowDown")
        button = rows.nth(1).locator("button")
        expect(button).to_be_focused()
        code = (rows.nth(1).get_attribute("id") or "").removeprefix("open-")
        was = [box_of(row) for row in rows.all()]
        host = {code_of(url): client for url, client in zip(urls, (ada, ben, cem), strict=True)}[code]
        host.post(f"/t/{code}/request", data={"request": '{"type": "list", "listed": false}'})
        tick(page)
        expect(rows.nth(1)).to_have_class("table-row open-row gone")
        assert [box_of(row) for row in rows.all()] == was
        expect(button).to_be_focused()
        page.keyboard.press("Enter")
        page.clock.run_for(20_000)
        expect(rows).to_have_count(3)
        assert page.url.endswith("/open")
        page.keyboard.press("ArrowDown")
        page.clock.run_for(100)
        expect(rows).to_have_count(2)
        expect(rows.nth(1).locator("button")).to_be_focused()
        page.keyboard.press("w")
        page.wait_for_url("**/t/**")
        expect(page.locator("#prompt-help")).to_have_text("You see what everyone sees.")


@pytest.mark.slow
def test_search_and_the_wish_to_be_told_work_without_javascript(browser: Browser, quiet: Server) -> None:
    with quiet.client() as ada:
        url = open_table(ada, "open", "open", game="scout", listed="on")
        ada.post(f"{url}/request", data={"request": '{"type": "list", "listed": true}'})
    with quiet.client() as ben:
        table = open_table(ben, "open", name="Ben")
        page = new_page_for(browser, quiet, ben, **PHONE, java_script_enabled=False)
        page.goto(f"{quiet.origin}/open")
        for box in page.locator(".lid-picks input").all():
            box.uncheck()
        page.click("[data-find]")
        expect(page.get_by_role("alert")).to_have_text("Choose at least one game.")
        page.click(".notice button")
        expect(page.locator(".notice button")).to_have_attribute("aria-pressed", "true")
        page.click(".notice button")
        expect(page.locator(".notice button")).to_have_attribute("aria-pressed", "false")
        page.click("text=Sit down")
        page.wait_for_url("**/t/**")
        assert table not in page.url


@pytest.mark.parametrize("size", mostly(SIZES, (), ("small",)))
def test_host_lists_the_table_in_the_lobby_and_removes_it_in_the_menu_during_the_match(
    browser: Browser, quiet: Server, size: str
) -> None:
    with quiet.client() as ada, quiet.client() as ben:
        url = open_table(ada, "open", "casual", game="scout")
        page = open_page_for(browser, quiet, ada, url, size)
        if size != "desktop":
            page.click(".bar [data-open=log]")
        switch = page.locator(".house .menu button")
        expect(switch).to_have_attribute("aria-pressed", "false")
        switch.click()
        expect(switch).to_have_attribute("aria-pressed", "true")
        check_accessibility(page, f"listed, {size}", *BOTH)
        if size != "desktop":
            page.click("#rail > .shut")
        expect(page.locator("#polite")).to_contain_text("This table is now listed")
        sit(ben, url)
        page.click("text=I’m ready")
        ben.post(f"{url}/request", data={"request": '{"type": "ready", "ready": true}'})
        expect(page.locator("#hand-area")).to_be_visible()
        page.click(".bar [data-open=menu]")
        page.click("text=Remove from the list")
        page.click(".bar [data-open=menu]")
        expect(page.locator("#menu-listing")).to_contain_text("List this table")
        check_accessibility(page, f"menu, {size}", *BOTH)
        his = open_page_for(browser, quiet, ben, url, size)
        expect(his.locator("#menu-listing")).to_have_count(1)
        expect(his.locator("#menu-listing button")).to_have_count(0)


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("size", mostly(SIZES, (), ("small",)))
def test_open_tables_fit_the_window_in_both_languages(
    browser: Browser, quiet: Server, size: str, language: str
) -> None:
    with quiet.client() as ada, quiet.client() as ben:
        open_table(ada, "open", "casual", game="uncovered", name="Bartholomew-James", listed="on", clock="300+10")
        open_table(ben, "casual", "casual", "casual", game="scout", name="Ben", listed="on")
        page = browser.new_context(**SIZES[size]).new_page()
        page.goto(f"{quiet.origin}/open?lang={language}")
        expect(page.locator("#open-rows li")).to_have_count(2)
        check_accessibility(page, f"open tables, {size}, {language}", *BOTH)
        for button in page.locator("#open-rows li .button").all():
            box = box_of(button)
            assert box["height"] >= 44
            assert box["x"] + box["width"] <= SIZES[size]["viewport"]["width"] - 16


@pytest.mark.slow
def test_spectator_takes_over_a_bot_gives_the_seat_up_and_takes_it_again(browser: Browser, quiet: Server) -> None:
    with quiet.client() as ada:
        url = open_table(ada, "casual", "casual", game="scout", listed="on", spectators="on")
        page = browser.new_context(**PHONE).new_page()
        page.goto(f"{quiet.origin}/open")
        page.get_by_role("button", name="Take over a seat").tap()
        page.locator("#name-first [name=name]").fill("Ben")
        page.locator("#name-first .primary").tap()
        page.wait_for_url(f"**{url}")
        help_line, button = page.locator("#prompt-help"), page.locator("#take-over")
        expect(help_line).to_contain_text("You will take over from")
        check_accessibility(page, "takes over", *BOTH)
        expect(button).to_have_text("Give up the seat")
        button.tap()
        expect(help_line).to_contain_text("You can take over from a bot in the next round.")
        button.tap()
        expect(button).to_have_text("Give up the seat")
        expect(page.locator("#hand-area .piece")).to_have_count(0)
        play_until_taken_over(quiet, url, random.Random(1))
        expect(page.locator("#seat-1 .token.you")).to_have_count(1)
        expect(page.locator("#hand-area .piece").first).to_be_visible()
        expect(page.locator("#polite")).to_contain_text("Ben now plays instead of")
        check_accessibility(page, "taken over", *BOTH)
