"""New sections on a page, and what stays meanwhile: the focus, half a word, the elements of cards."""

from __future__ import annotations

import random

import pytest
from playwright.sync_api import Browser

from facedown.check.driver import GAMES
from facedown.core.game import info
from facedown.core.match import Match
from facedown.play.records import Said
from tests.browser.drawn import Drawn, played, table_message

pytestmark = pytest.mark.browser

#: Remembers the element of every card.
REMEMBER = "() => { window.__cards = [...document.querySelectorAll('#app .piece[id]')]; }"
#: The ids of cards whose element is another one now; a card that becomes touchable, or ceases to be, may have one.
OTHERS = """() => __cards.filter((e) => document.getElementById(e.id) !== e
  && document.getElementById(e.id)?.tagName === e.tagName).map((e) => e.id)"""
SAID = (Said("Mara", "Good luck!", 1.0, 1),)


@pytest.fixture
def drawn(browser: Browser) -> Drawn:
    return Drawn(browser, 1440, 900, reduced_motion="reduce")


def mine() -> Match:
    """Detect for two; Ada is to move, and may touch her cards."""
    return played("detect", 2, lambda m: m.ply > 8 and list(m.acting) == [0] and m.game.legal(m.known(0), 0)[0] >= 0)


def moved(match: Match, times: int = 1) -> dict[str, object]:
    """The message after the next moves, with something said: frame, seats, zones, log and chat differ."""
    for _ in range(times):
        seat = match.acting[0]
        match.play(seat, match.legal(seat)[-1])
    return table_message(match, chat=SAID)


def test_half_a_word_stays_and_goes_on(drawn: Drawn) -> None:
    """Also one that an input method has not finished."""
    match = mine()
    page = drawn.table(match)
    drawn.send(table_message(match))
    drawn.shown()
    field = page.locator("#say-text")
    field.focus()
    page.keyboard.type("Hal")
    devtools = page.context.new_cdp_session(page)
    devtools.send("Input.imeSetComposition", {"text": "lö", "selectionStart": 2, "selectionEnd": 2})
    page.evaluate("() => { window.__field = document.activeElement; }")
    drawn.send(moved(match))
    page.wait_for_selector("#chat-lines li:has-text('Good luck!')")
    assert page.evaluate("document.activeElement === __field && __field.isConnected")
    devtools.send("Input.imeSetComposition", {"text": "lo", "selectionStart": 2, "selectionEnd": 2})
    devtools.send("Input.insertText", {"text": "lo"})
    assert field.input_value() == "Hallo"


def test_cards_and_the_focus_stay(drawn: Drawn) -> None:
    match = mine()
    page = drawn.table(match)
    drawn.send(table_message(match))
    drawn.shown()
    page.evaluate(REMEMBER)
    assert page.evaluate("__cards.length") > 20
    page.locator(".bar [data-open=menu]").focus()
    for _ in range(6):
        drawn.send(moved(match))
        drawn.shown()
        assert page.evaluate(OTHERS) == []
        assert page.evaluate("document.activeElement.dataset.open") == "menu"
        ids = page.eval_on_selector_all("#app [id]", "all => all.map(e => e.id)")
        assert len(ids) == len(set(ids)), "an id is on the page once"
        page.evaluate(REMEMBER)


@pytest.mark.parametrize("game", GAMES)
def test_every_section_finds_its_place(game: str, drawn: Drawn) -> None:
    """Also one that is new, in a section that was there."""
    match, luck = Match(game, info(game).seats[0], seed=bytes(32)), random.Random(1)
    page = drawn.table(match)
    for _ in range(16):
        drawn.send(table_message(match))
        drawn.shown()
        assert page.locator("#app [data-slot]").count() == 0
        if match.over:
            break
        seat = luck.choice(match.acting)
        match.play(seat, luck.choice(match.legal(seat)))
