"""An invitation: the host invites a person from the lobby, who sits down, or mutes the host, on the home page."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.players import PHONES, SIZES, new_page_for, open_page_for
from tests.browser.test_accessibility import BOTH, check_accessibility
from tests.nightly_selection import mostly
from tests.server.http_server import Server, lobby, open_table, shared_table, start_match

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]


@pytest.mark.parametrize("size", mostly(SIZES, (), ("small",)))
def test_host_invites_a_person_they_have_played_with_who_sits_down_mutes_and_unmutes(
    size: str, browser: Browser, server: Server
) -> None:
    with server.client() as ada, server.client() as ben:
        with lobby(server, shared_table(ada, ben), ada, ben) as lives:
            start_match(*lives)
        urls = [open_table(ada, "open", clock="60"), open_table(ada, "open", "open", game="scout")]
        hers = open_page_for(browser, server, ada, urls[0], size)
        his = new_page_for(browser, server, ben, **SIZES[size])
        link = hers.get_by_role("link", name="Invite someone you’ve played with")
        for url in urls:
            hers.goto(server.origin + url)
            if size in PHONES:
                hers.locator("#touch-1").tap()
                link.tap()
            else:
                link.focus()
                hers.keyboard.press("Enter")
            expect(hers).to_have_url(f"{server.origin}{url}/invite")
            check_accessibility(hers, f"invite, {size}", *BOTH)
            hers.get_by_role("button", name="Invite Ben").press("Enter")
            expect(hers.get_by_text("Invited", exact=True)).to_be_visible()
            check_accessibility(hers, f"invited, {size}", *BOTH)
        hers.get_by_role("link", name="Back to the table").click()
        expect(hers).to_have_url(server.origin + urls[1])
        # The newest invitation comes first. By touch or mouse: Ben sits down at the other table.
        his.goto(server.origin)
        rows = his.get_by_role("region", name="Invitations").get_by_role("listitem")
        expect(rows).to_have_count(2)
        expect(rows.first).to_contain_text("Ada invites you to SCOUT")
        rows.last.locator("summary").click()
        expect(rows.last).to_contain_text("You’ll get no more invitations from Ada. Ada won’t know.")
        check_accessibility(his, f"home with invitations, {size}", *BOTH)
        sit = rows.last.get_by_role("button", name="Sit down")
        expect(sit).to_have_accessible_description("Ada invites you to Detect")
        sit.click()
        expect(his).to_have_url(server.origin + urls[0])
        expect(his.locator("#place-1")).to_contain_text("Ben")
        # By keys: Ben mutes Ada.
        his.goto(server.origin)
        expect(rows).to_have_count(1)
        rows.first.get_by_role("button", name="Not now").focus()
        for key in ("Tab", "Enter", "Tab", "Enter"):
            his.keyboard.press(key)
        expect(rows).to_have_count(0)
        his.goto(f"{server.origin}/you")
        check_accessibility(his, f"your data, {size}", *BOTH)
        his.get_by_role("button", name="Unmute Ada").click()
        expect(his.get_by_role("status")).to_have_text("You’ll get invitations from this person again.")
        his.goto(server.origin)
        rows.first.get_by_role("button", name="Not now").click()
        expect(his.get_by_role("region", name="Invitations")).to_have_count(0)
