"""Block and report: from the chat of a match to the page about a player, without and with scripts."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from facedown.store import blocks
from tests.browser.players import PHONES, SIZES, open_page_for
from tests.browser.test_accessibility import BOTH, check_accessibility
from tests.nightly_selection import mostly
from tests.not_none import given
from tests.server.http_server import Server, lobby, shared_table, start_match

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]


@pytest.mark.parametrize("size", mostly(SIZES, (), ("small",)))
def test_player_reports_and_blocks_another_player_from_the_chat_and_unblocks_them(
    size: str, browser: Browser, server: Server
) -> None:
    with server.client() as ada, server.client() as ben:
        url = shared_table(ada, ben)
        with lobby(server, url, ada, ben) as lives:
            start_match(*lives)
        page = open_page_for(browser, server, ada, url, size)
        if size in PHONES:
            page.click(".bar [data-open=log]")
            page.click(".pages [data-page=said]")
        page.get_by_role("link", name="Block or report Ben").click()
        expect(page).to_have_url(f"{server.origin}{url}/people/1")
        check_accessibility(page, f"block or report, {size}", *BOTH)
        # By keys: a report of the name.
        page.get_by_role("radio", name="The name").focus()
        page.keyboard.press("Space")
        page.keyboard.press("Tab")
        page.keyboard.type("this is my name")
        page.keyboard.press("Enter")
        expect(page.get_by_role("status")).to_have_text("Thank you. The operator of this server will read your report.")
        found, *_older = blocks.reports(server.rooms.repository.engine)
        assert (found.name, found.kind, found.text) == ("Ben", "name", "this is my name")
        page.get_by_role("button", name="Block Ben").click()
        expect(page.get_by_role("status")).to_contain_text("You’ve blocked Ben.")
        check_accessibility(page, f"blocked, {size}", *BOTH)
        page.get_by_role("link", name="Back to the table").click()
        expect(page).to_have_url(server.origin + url)
        expect(page.locator("#board")).to_be_visible()
        page.goto(f"{server.origin}/you")
        check_accessibility(page, f"your data, {size}", *BOTH)
        page.get_by_role("button", name="Unblock Ben").click()
        expect(page.get_by_role("status")).to_have_text("You can be seated together again.")
        expect(page.get_by_role("button", name="Unblock Ben")).to_have_count(0)
        adas = given(server.rooms.repository.person_by_browser_token(ada.cookies["facedown-guest"]))
        assert blocks.persons_kept_apart(server.rooms.repository.engine, adas.id) == frozenset()
