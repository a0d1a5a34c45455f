"""Play again, by consent, in real browsers: the other's page stays where it is until they agree."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from facedown.server import look
from tests.browser.drawn import Drawn, played
from tests.browser.page_time import box_of, wait_for_frames
from tests.browser.windows import SIZES, looking
from tests.selection import mostly
from tests.server.serving import ONE_HAND, Live, Server, action_in, module_server
from tests.server.test_again import ended

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]


server = module_server(review_tries=2)


@pytest.mark.parametrize("size", mostly(SIZES, (), ("phone",)))
def test_the_others_page_stays_until_they_agree(size: str, browser: Browser, server: Server) -> None:
    with server.client() as ada, server.client() as ben:
        url = ended(server, ada, ben)
        hers, his = (looking(browser, server, client, url, size, turned=True) for client in (ada, ben))
        his.evaluate("window.stayed = true")
        hers.evaluate("window.stayed = true")
        hers.click("text=Play Ben again")
        expect(his.locator("#again h2")).to_have_text("Ada wants to play again.")
        expect(hers.locator("#again h2")).to_have_text("You want to play again.")
        expect(hers.locator("#again .who-says p")).to_have_text("Ben hasn’t answered yet.")
        # Whatever the pages do by themselves before they next ask whether their line is up, and whatever is still sent.
        for page in (hers, his):
            page.clock.run_for(15_000)
            page.evaluate("fetch('/health').then(() => true)")
            wait_for_frames(page)
        assert [page.url for page in (hers, his)] == [server.origin + url] * 2
        assert his.evaluate("window.stayed"), "not even loaded anew"
        assert hers.evaluate("window.stayed"), "not even loaded anew"
        card = box_of(his.locator("#again"))
        assert card["x"] >= 0
        assert card["x"] + card["width"] <= SIZES[size]["viewport"]["width"]
        for button in his.locator("#again .button").all():
            box = box_of(button)
            assert box["height"] >= 44
        assert his.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth + 1")
        his.click("#again button:has-text('Play again')")
        for page in (hers, his):
            page.wait_for_url(lambda there: not there.endswith(url))
            page.wait_for_selector("#board .prompt")
        assert hers.url == his.url


def test_not_now_leaves_the_choice_to_who_asked(browser: Browser, server: Server) -> None:
    with server.client() as ada, server.client() as ben:
        url = ended(server, ada, ben)
        hers, his = (looking(browser, server, client, url, "phone") for client in (ada, ben))
        hers.click("text=Play Ben again")
        his.click("#again button:has-text('Not now')")
        expect(hers.locator("#again .who-says p")).to_have_text("Ben says: not now.")
        expect(hers.locator("#again .foot")).to_have_text("A seat is open: you decide who takes it.")
        assert his.url == server.origin + url
        hers.click("#again >> text=To the new table")
        expect(hers.locator("[aria-label='Change the open seat']")).to_be_visible()
        assert his.url == server.origin + url


@pytest.mark.slow
def test_alone_against_bots_it_begins_at_once(browser: Browser, server: Server) -> None:
    with server.client() as ada:
        form = {"game": "reveal", "name": "Ada", "seat-0": "you", "seat-1": "low", "clock": "0", **ONE_HAND}
        url = ada.post("/tables", data=form).headers["location"]
        with Live(server, ada, url) as live:
            message = live.until_yours(live.hello())
            while not message["over"]:
                live.send(type="move", action=action_in(message["step"]), version=message["version"])
                message = live.until_yours(live.beyond(message["version"]))
        page = looking(browser, server, ada, url, "desktop")
        page.click("text=Play Juniper again")
        page.wait_for_url(lambda there: not there.endswith(url))
        page.wait_for_selector(".lamp.lit")


@pytest.mark.parametrize("width", mostly([320, 390, 1440], (), [320], one=True))
def test_the_stronger_bot_is_offered_in_sight(width: int, browser: Browser) -> None:
    match = played("reveal", 2, lambda m: m.over, end="hands(1)")
    again = look.Again(may=True, stronger=("strong", "Play strong Juniper"))
    page = Drawn(browser, width, 844).table(match, again=again, replay_url="/m/K7QM")
    for button in page.locator(".finished > .actions .button").all():
        box = box_of(button)
        assert 0 <= box["x"] <= box["x"] + box["width"] <= width, button.inner_text()
    assert page.locator("[name=level][value=strong]").inner_text() == "Play strong Juniper"
