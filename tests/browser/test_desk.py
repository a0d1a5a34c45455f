"""On a desk: what stands beside the hand, where a card waits, and light that hides nothing."""

from __future__ import annotations

import httpx
import pytest
from playwright.sync_api import Browser

from facedown.games.reveal import rules as reveal
from tests.browser.drawn import Drawn, played
from tests.browser.page_time import box_of
from tests.browser.people import PATIENCE, Person, Server
from tests.browser.test_layouts import overlaps, stands, unseen
from tests.selection import mostly
from tests.server.serving import KEEPS

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

DESKS = [(1280, 720), (1366, 768), (1440, 900), (1920, 1080)]


@pytest.mark.parametrize(
    "size", mostly([(1024, 768), (1366, 768), (1440, 900)], [(1440, 900)], [(1024, 768)], one=True), ids=str
)
def test_both_buttons_of_uncovered_stand_beside_the_hand(size: tuple[int, int], browser: Browser) -> None:
    page = Drawn(browser, *size).table(played("uncovered", 4, lambda m: 0 in m.acting and m.ply > 0))
    page.click("#actions .button")
    assert page.locator("#actions .button").count() == 2
    assert not unseen(page, "#actions .button, #zone-hand .piece, .others .piece")
    assert not overlaps(page, "#actions .button", "#zone-hand .piece, .others .piece, .rail > *")


def test_your_final_card_waits_on_your_side(browser: Browser) -> None:
    match = played("reveal", 2, lambda m: stands(m, reveal.Phase.FINAL))
    match.play(1, next(action for action in match.legal(1)))
    assert 0 in match.acting
    page = Drawn(browser, 1440, 900).table(match)
    card = box_of(page.locator("#zone-final-card-0"))
    assert not page.locator("#zone-final-card-1").count()
    board = box_of(page.locator("#board"))
    assert card["y"] > board["y"] + board["height"] / 2


def test_light_around_a_zone_hides_none_of_its_cards(browser: Browser) -> None:
    page = Drawn(browser, 1440, 900).table(played("detect", 4, lambda m: 0 in m.acting))
    lit = page.locator(".zone.lit")
    assert lit.count()
    opacities = """(zone) => [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules])
      .filter((rule) => rule instanceof CSSKeyframesRule && rule.name === getComputedStyle(zone).animationName)
      .flatMap((rule) => [...rule.cssRules].map((frame) => frame.style.opacity))"""
    assert lit.first.evaluate(opacities) == [""]


@pytest.mark.parametrize("size", mostly(DESKS, (), DESKS[:1], one=True), ids=str)
def test_at_a_lobby_the_code_the_rules_and_what_may_be_said_stand_apart(
    size: tuple[int, int], browser: Browser, server: Server
) -> None:
    person = Person(browser, server, 7, viewport={"width": size[0], "height": size[1]})
    person.new_table("detect", "open", "open")
    page = person.page
    # Talk is there where somebody hears it.
    with httpx.Client(headers={"origin": server.origin}, cookies=KEEPS, timeout=PATIENCE) as guest:
        assert guest.post(f"{page.url}/sit", data={"name": "Ben"}).status_code == 303
    page.wait_for_selector("#phrases")
    cards = [".invite", ".lobby-rail .house", ".lobby-rail .talk"]
    for one, other in ((0, 1), (0, 2), (1, 2)):
        assert not overlaps(page, cards[one], cards[other])
    for words in ("Hello", "Well played"):
        page.click(f"[data-phrase='{words}']")
    page.wait_for_selector("#chat-lines li:nth-child(2)")
    lines = page.locator(".invite .link-box, .house dd, #say-text, #phrases button")
    assert lines.count() > 10
    for at in range(lines.count()):
        line = lines.nth(at)
        line.scroll_into_view_if_needed()
        # Whoever points at it meets it, and nothing that lies over it.
        line.click(trial=True, timeout=1000 * PATIENCE)
