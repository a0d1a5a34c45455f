"""Phones: a bar of one line, a phone on its side, fields that an iPhone does not enlarge."""

from __future__ import annotations

import random

import pytest
from playwright.sync_api import Browser

from facedown.check.layout import AT_REST, looked_at
from facedown.core.match import Match
from facedown.server import look
from tests.browser.drawn import CODE, Drawn, sitters
from tests.browser.page_time import wait_for_frames
from tests.browser.phases import moments
from tests.browser.test_seen import TABLES
from tests.names import AWKWARD
from tests.selection import mostly

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

DAILY = [("reveille", 2)]
LANDING = [("detect", 8), ("scout", 5), ("uncovered", 6)]

#: The parts of the bar's second line: what each says, and whether it is seen whole, or not at all.
PARTS = """() => {
  const line = document.querySelector(".bar .parts");
  const frame = line.getBoundingClientRect();
  const bar = document.querySelector(".bar").getBoundingClientRect();
  const title = document.querySelector(".bar h1").getBoundingClientRect();
  const seen = [...line.children].map((part) => {
    const r = part.getBoundingClientRect();
    const cut = part.scrollWidth > part.clientWidth;
    return r.top >= frame.bottom - 1 ? "left out" : cut || r.right > frame.right + 1 ? "cut" : "whole";
  });
  const lines = Math.round(frame.height / parseFloat(getComputedStyle(line).lineHeight));
  return { seen, lines, within: title.top >= bar.top && frame.bottom <= bar.bottom + 1 };
}"""


@pytest.mark.parametrize(("game", "players"), mostly(TABLES, DAILY, LANDING))
def test_the_bar_of_a_phone_has_one_line(game: str, players: int, browser: Browser) -> None:
    drawn = Drawn(browser, 320, 640)
    for moment in moments(game, players):
        page = drawn.table(moment.match, moment.viewer, hints=True)
        for width in (320, 390):
            page.set_viewport_size({"width": width, "height": 844})
            found = page.evaluate(PARTS)
            assert found["lines"] == 1, moment.name
            assert found["within"], moment.name
            assert found["seen"][0] == "whole", moment.name
            assert "cut" not in found["seen"], moment.name
        page.locator('[data-open="log"]').first.click()
        assert page.locator("#rail .narrow.line").inner_text() == moment.table.subtitle


#: What of the hand, the words and the buttons is not whole in the window.
BEYOND = """() => [...document.querySelectorAll(
    ".hand-area .piece:not(.k-gap), .you-area .piece, #actions .button, #prompt-words")]
  .filter((e) => e.checkVisibility({ visibilityProperty: true }))
  .map((e) => [e.id || e.textContent.trim(), e.getBoundingClientRect()])
  .filter(([, r]) => r.left < -1 || r.top < 0 || r.right > innerWidth + 1 || r.bottom > innerHeight + 1)
  .map(([name, r]) => `${name}: ${[r.left, r.top, r.right, r.bottom].map(Math.round)}`)
  .concat(document.documentElement.scrollHeight > innerHeight + 1 ? ["the page scrolls"] : [])"""


@pytest.mark.parametrize(("game", "players"), mostly(TABLES, DAILY, LANDING))
def test_a_phone_on_its_side_shows_hand_and_button(game: str, players: int, browser: Browser) -> None:
    drawn = Drawn(browser, 844, 390)
    for moment in moments(game, players):
        page = drawn.table(moment.match, moment.viewer, hints=True)
        for size in ((844, 390), (667, 375)):
            page.set_viewport_size({"width": size[0], "height": size[1]})
            # The window has its new size before anything in it is laid out anew.
            wait_for_frames(page)
            page.wait_for_function(AT_REST)
            assert page.evaluate(BEYOND) == [], (size, moment.name)


#: Fewest cards of a hand that lies in two rows.
TWO_ROWS = 13


def hand_of(match: Match) -> int:
    """How many cards seat 0 holds."""
    zones = match.table(0, sitters(match.seats)).zones
    return sum(piece.kind == "face" for zone in zones if zone.id == "hand" for piece in zone.pieces)


def test_a_hand_of_two_rows_and_its_button_need_no_scrolling(browser: Browser) -> None:
    match, chance = Match("scout", 5, {}, seed=bytes([31]) * 32), random.Random(31)
    while 0 not in match.acting or hand_of(match) < TWO_ROWS:
        seat = chance.choice(match.acting)
        match.play(seat, chance.choice(match.legal(seat)))
    drawn = Drawn(browser, 390, 844)
    page = drawn.table(match, 0, hints=True)
    for size in ((320, 640), (360, 740), (390, 740), (390, 844), (412, 915), (1024, 768)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        wait_for_frames(page)
        page.wait_for_function(AT_REST)
        assert page.evaluate(BEYOND) == [], size


#: What may be so where letters are twice as large: the page is scrolled, and a line holds few of them.
LARGE = (" long: ", " below the fold: ", " narrow: ")


#: Tables with letters of twice the size, those of a landing first.
ENLARGED = list(dict.fromkeys([("uncovered", 6), ("detect", 4), ("detect", 8), ("reveal", 2), ("scout", 5), *TABLES]))


@pytest.mark.parametrize(("game", "players"), mostly(ENLARGED, ENLARGED[:1], ENLARGED[1:5]))
def test_nothing_is_cut_with_letters_of_twice_the_size(game: str, players: int, browser: Browser) -> None:
    drawn = Drawn(browser, 390, 844)
    session = drawn.context.new_cdp_session(drawn.page)
    session.send("Page.enable")
    session.send("Page.setFontSizes", {"fontSizes": {"standard": 32, "fixed": 26}})
    wrong = []
    for moment in moments(game, players):
        page = drawn.table(moment.match, moment.viewer, hints=True)
        assert page.evaluate("parseFloat(getComputedStyle(document.getElementById('prompt-help')).fontSize)") > 24
        found = looked_at(page, moment.table.to_json(), (390, 844))
        wrong += [f"{line}   [{moment.name}]" for line in found if not any(kind in line for kind in LARGE)]
    assert not wrong, "\n".join(wrong)


#: The sizes of the letters in all fields that letters are typed in.
TYPED = """() => [...document.querySelectorAll("input:not([type=checkbox], [type=radio], [type=hidden]), select")]
  .map((e) => parseFloat(getComputedStyle(e).fontSize))"""


def test_fields_have_letters_of_16_px_under_a_finger(browser: Browser) -> None:
    drawn = Drawn(browser, 390, 844, has_touch=True, is_mobile=True)
    moment = moments("detect", 2)[0]
    page = drawn.table(moment.match, 0, talk=look.Talk())
    sizes = page.evaluate(TYPED)
    assert sizes
    assert min(sizes) >= 16


@pytest.mark.parametrize("size", [(320, 640), (390, 844), (1440, 900)], ids=str)
def test_awkward_names_have_their_places_in_the_lobby(size: tuple[int, int], browser: Browser) -> None:
    places = tuple(look.Place(seat, name, you=seat == 2, host=seat == 0) for seat, name in enumerate(AWKWARD))
    lobby = look.Lobby("detect", "Detect", CODE, f"http://facedown.example/t/{CODE}", places, 2, True)
    drawn = Drawn(browser, *size)
    page = drawn.open(look.lobby_message(lobby, version=1), "detect")
    assert looked_at(page, None, size) == []
