"""Things on the table keep their places when the game goes on: shifts as the browser counts them, and the piles."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page

from facedown.check.layout import AT_REST
from facedown.core.match import Match
from facedown.games.uncovered.rules import Act
from tests.browser.drawn import Drawn, played, table_message

pytestmark = pytest.mark.browser

#: Gathers what the browser counts as shifts of the layout.
GATHER = """() => {
  window.shifts = [];
  new PerformanceObserver((list) => window.shifts.push(...list.getEntries().map((e) => e.value)))
    .observe({ type: "layout-shift" });
}"""
#: The upper left corner of a thing.
CORNER = """(id) => {
  const r = document.getElementById(id).getBoundingClientRect();
  return [Math.round(r.left), Math.round(r.top)];
}"""


def goes_on(drawn: Drawn, page: Page, match: Match) -> None:
    """The match as it stands now comes to the page, and rests there."""
    drawn.send(table_message(match))
    drawn.shown()
    page.wait_for_function(AT_REST)


def choose_first(match: Match) -> None:
    """Every seat that is to act takes its first move."""
    for seat in match.acting:
        match.play(seat, match.legal(seat)[0])


@pytest.mark.parametrize("size", [(360, 740), (390, 844)], ids=str)
def test_the_piles_of_detect_keep_their_places_after_the_opening(size: tuple[int, int], browser: Browser) -> None:
    # They moved by 14 px when the row of buttons gave its room to the cards.
    match = Match("detect", 2, seed=bytes(32))
    drawn = Drawn(browser, *size, reduced_motion="reduce")
    page = drawn.table(match)
    before = [page.evaluate(CORNER, pile) for pile in ("zone-draw-pile", "zone-discard-pile")]
    choose_first(match)
    goes_on(drawn, page, match)
    assert [page.evaluate(CORNER, pile) for pile in ("zone-draw-pile", "zone-discard-pile")] == before


def test_the_pile_aside_keeps_its_place_after_the_flip(browser: Browser) -> None:
    # It moved by 230 px at the first deal.
    match = Match("scout", 2, seed=bytes(32))
    drawn = Drawn(browser, 1440, 900, reduced_motion="reduce")
    page = drawn.table(match)
    before = page.evaluate(CORNER, "zone-set-aside")
    choose_first(match)
    goes_on(drawn, page, match)
    after = page.evaluate(CORNER, "zone-set-aside")
    assert max(abs(one - other) for one, other in zip(before, after, strict=True)) <= 2, (before, after)


@pytest.mark.parametrize("size", [(390, 844), (1440, 900)], ids=str)
def test_uncovered_ends_without_a_shift(size: tuple[int, int], browser: Browser) -> None:
    match = played("uncovered", 2, lambda m: 0 in m.acting and Act.UNCOVER in m.legal(0) and m.ply > 6)
    drawn = Drawn(browser, *size)
    page = drawn.table(match)
    page.evaluate(GATHER)
    match.play(0, Act.UNCOVER.value)
    goes_on(drawn, page, match)
    page.wait_for_selector(".finished")
    page.wait_for_function(AT_REST)
    assert sum(page.evaluate("shifts")) < 0.05
