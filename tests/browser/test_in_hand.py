"""A phone in the hand: things stay where they are while a hand is played, and what is touched hides no words."""

from __future__ import annotations

import random

import pytest
from playwright.sync_api import Browser

from facedown.core.match import Match
from facedown.games.reveille import rules as reveille
from facedown.games.scout import state as scout
from tests.browser.drawn import Drawn, played
from tests.browser.page_time import box_of, wait_for_frames
from tests.browser.test_layouts import overlaps, stands, unseen
from tests.selection import mostly

pytestmark = pytest.mark.browser

PHONES = [(390, 844), (360, 740), (320, 640)]


@pytest.mark.parametrize("size", mostly(PHONES[:2], (), PHONES[:1], one=True), ids=str)
def test_tricks_that_are_won_move_nothing(size: tuple[int, int], browser: Browser) -> None:
    drawn = Drawn(browser, *size)
    chance = random.Random(1)
    match = played("reveille", 2, lambda m: stands(m, reveille.Phase.STAGE_TWO), auto_end="off")
    tops = []
    while int(match.state.phase) == reveille.Phase.STAGE_TWO:
        if 0 in match.acting:
            page = drawn.table(match)
            tricks = match.state["tricks"].tolist()
            assert not unseen(page, "#zone-hand .piece, #actions .button"), tricks
            box = box_of(page.locator("#prompt"))
            tops.append((box["y"], tricks))
        seat = match.acting[0]
        match.play(seat, chance.choice([a for a in match.legal(seat) if a < reveille.Act.CLAIM] or match.legal(seat)))
    assert len(tops) > 4
    assert max(tops)[0] - min(tops)[0] <= 2, tops


@pytest.mark.parametrize("size", mostly(PHONES, (), PHONES[2:], one=True), ids=str)
def test_a_touched_card_leaves_the_words_about_its_set_in_sight(size: tuple[int, int], browser: Browser) -> None:
    match = played("scout", 3, lambda m: stands(m, scout.Phase.TURN) and int(m.state.active) == 2)
    page = Drawn(browser, *size).table(match)
    assert not overlaps(page, ".others .badges", ".others .fan, .others .person")
    panels = page.locator(".others .seat").all()
    heights = [box["height"] for panel in panels if (box := panel.bounding_box())]
    assert max(heights) - min(heights) <= 1, "no player's badges run down the side"
    page.locator("#at-active-1").click()
    page.wait_for_selector("#at-active-1.spanned")
    wait_for_frames(page)
    assert not overlaps(page, "#zone-active .label.above", "#zone-active .piece")


def test_in_detect_the_picked_cards_are_ticked_in_a_lit_grid(browser: Browser) -> None:
    page = Drawn(browser, *PHONES[0]).table(Match("detect", 4, {}, seed=bytes(32)))
    for touched, ticks in (("a1", 1), ("c2", 2), ("d3", 2)):
        page.locator(f"#at-p0-{touched}").click()
        assert page.locator(".picked .pick-tick").count() == ticks
        assert page.locator("#zone-p0.lit, .you-area .zone.grid.lit").count() == 1, "the grid is lit as one"
        assert not page.locator(".you-area .piece.lit").count()
    assert not page.locator("#at-p0-a1.picked").count(), "the third takes the place of the first"
    assert page.locator("#actions .primary").inner_text() == "Flip two cards"


@pytest.mark.parametrize("size", mostly([*PHONES, (1440, 900)], (), PHONES[:1], one=True), ids=str)
def test_a_false_claim_is_asked_about_once_more(size: tuple[int, int], browser: Browser) -> None:
    claim = reveille.Act.CLAIM
    drawn = Drawn(browser, *size)
    match = played("reveille", 2, lambda m: claim in m.legal(0) and int(m.state.points[0]) < int(m.state.high))
    page = drawn.table(match)
    buttons = page.locator("#actions .button")
    if drawn.page.locator("#zone-hand .touched").count() == 0:
        page.locator("#zone-hand .piece.can").first.click()
    top = page.locator("#prompt").bounding_box()
    page.locator("[data-button=claim]").dblclick()
    drawn.shown()
    assert "a false claim loses the hand" in page.locator("#prompt-help").inner_text()
    assert buttons.all_inner_texts() == ["Keep looking", "Claim anyway"], "a double click makes no claim"
    assert page.evaluate("document.activeElement.textContent") == "Keep looking"
    assert page.locator("#prompt").bounding_box() == top, "nothing moves"
    assert not unseen(page, "#zone-hand .piece, #actions .button")
    buttons.first.click()
    drawn.shown()
    assert page.locator("#zone-hand .touched").count() == 1, "the touched bone stays touched"
    assert not [message for message in drawn.sent if message["type"] == "move"]
    page.locator("[data-button=claim]").click()
    page.locator("[data-button=claim-anyway]").click()
    assert drawn.moves() == [claim]
