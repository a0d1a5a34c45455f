"""Use on another device, from a desktop to a phone, and the record page by keys."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.players import DESKTOP, PHONE, new_page_for
from tests.browser.test_accessibility import BOTH, check_accessibility
from tests.server.http_server import Server, finished, missing, open_table, token_of

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]


def press_tab_until(page: Page, name: str) -> None:
    """Press Tab until the link or button with this name has the focus."""
    wanted = page.get_by_role("link", name=name).or_(page.get_by_role("button", name=name)).first
    for _press in range(40):
        page.keyboard.press("Tab")
        if wanted.evaluate("(element) => element === document.activeElement"):
            return
    raise AssertionError(f"{name} is not reached by Tab")


def test_desktop_makes_a_link_that_makes_a_phone_the_same_person(browser: Browser, server: Server) -> None:
    with server.client() as ada, server.client() as ben:
        open_table(ada, "open", name="Adalberta")
        open_table(ben, "open", name="Ben")
        desktop = new_page_for(browser, server, ada, **DESKTOP)
        desktop.goto(f"{server.origin}/you")
        press_tab_until(desktop, "Use on another device")
        desktop.keyboard.press("Enter")
        press_tab_until(desktop, "Make a link")
        desktop.keyboard.press("Enter")
        expect(desktop.locator(".device-code .qr")).to_be_visible()
        check_accessibility(desktop, "link for another device", *BOTH)
        press_tab_until(desktop, "Copy the link")
        desktop.keyboard.press("Enter")
        expect(desktop.get_by_role("button", name="Copied")).to_be_visible()
        link = desktop.locator("#link").inner_text()
        # A phone that is used by another person is warned and goes back.
        bens = new_page_for(browser, server, ben, **PHONE)
        bens.goto(link)
        check_accessibility(bens, "link on the phone of another person", *BOTH)
        bens.get_by_role("link", name="Go back").tap()
        expect(bens).to_have_url(f"{server.origin}/")
        with server.client() as new:
            phone = new_page_for(browser, server, new, **PHONE)
        phone.goto(link)
        check_accessibility(phone, "link on a phone", *BOTH)
        phone.get_by_role("button", name="Continue as Adalberta").tap()
        expect(phone).to_have_url(f"{server.origin}/")
        phone.goto(f"{server.origin}/you")
        expect(phone.get_by_text("You’re known as Adalberta here.")).to_be_visible()
        assert token_of(ada) not in [cookie["value"] for cookie in phone.context.cookies()]


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_record_is_reached_from_home_and_read_by_keys(
    size: dict[str, object], browser: Browser, server: Server
) -> None:
    with server.client() as ada:
        url = finished(server, ada, "beginner")
        page = new_page_for(browser, server, ada, **size)
        page.goto(server.origin)
        press_tab_until(page, "Your record")
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", name="Your record")).to_be_visible()
        check_accessibility(page, "record", *BOTH)
        won = 0 in server.session(url).table(0).winners
        expect(page.locator(".record-games")).to_contain_text(f"1 match, {won:d} won")
        if size is DESKTOP:
            levels = page.get_by_role("list", name="Reveal at tables with bots only")
            expect(levels.get_by_role("listitem")).to_contain_text(f"{won:d} of 1 won")
            german = ada.get("/record", params={"lang": "de"}).text
            assert missing(german, "Deine Bilanz", "Anfänger", f"{won:d} von 1 gewonnen") == []
        press_tab_until(page, server.session(url).table(0).result.replace("**", ""))
        page.keyboard.press("Enter")
        expect(page).to_have_url(server.origin + url)
        page.goto(f"{server.origin}/record")
        press_tab_until(page, "Forget me")
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", name="Forget me")).to_be_in_viewport()
