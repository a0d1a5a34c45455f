"""A table that comes is shown in several frames; touches, the focus and half a word wait for none and are kept."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect

from facedown.check.page_layout import PAGE_AT_REST
from facedown.core.match import Match
from facedown.play.records import ChatMessage
from tests.browser.offline_pages import Drawn, played, table_message
from tests.browser.page_time import set_motion_rate, stop_clock
from tests.nightly_selection import mostly

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

#: Counts the frames that the page's script asks for.
COUNTS_FRAMES = """() => {
  window.__asked = 0;
  const ask = window.requestAnimationFrame;
  window.requestAnimationFrame = (what) => (window.__asked += 1, ask(what));
}"""


@pytest.fixture
def drawn(browser: Browser) -> Drawn:
    return Drawn(browser, 390, 844, reduced_motion="no-preference")


def somebody_else_moves(match: Match) -> dict[str, object]:
    """The message after the next move, which is another's."""
    seat = match.acting[0]
    assert seat
    match.play(seat, match.legal(seat)[0])
    return table_message(match)


def others() -> Match:
    """Detect for eight; the second of them is to move."""
    return played("detect", 8, lambda m: m.ply > 20 and list(m.acting) == [1])


def without_frames(drawn: Drawn, match: Match) -> Page:
    """A table at rest whose script gets no frame any more."""
    page = drawn.table(match)
    page.wait_for_function(PAGE_AT_REST)
    stop_clock(page)
    page.evaluate(COUNTS_FRAMES)
    return page


def arrived(page: Page) -> None:
    """Wait until the page has the message: it is measured, and not yet shown."""
    page.wait_for_function("() => window.__asked > 0")


TOUCHES: dict[str, Callable[[Page], None]] = {
    "a finger": lambda page: page.mouse.down(),
    "a key": lambda page: page.keyboard.press("l"),
    "the focus": lambda page: page.evaluate("document.querySelector('.bar a').focus()"),
    "the page is hidden": lambda page: page.evaluate("document.dispatchEvent(new Event('visibilitychange'))"),
}


@pytest.mark.parametrize("touch", mostly(TOUCHES, ("a finger",)))
def test_nobody_waits_for_a_frame(drawn: Drawn, touch: str) -> None:
    match = others()
    page = without_frames(drawn, match)
    page.mouse.move(195, 700)
    before = page.text_content("#log") or ""
    drawn.send(somebody_else_moves(match))
    arrived(page)
    assert page.text_content("#log") == before
    TOUCHES[touch](page)
    expect(page.locator("#log")).not_to_have_text(before)


def test_what_comes_next_finds_what_came_before(drawn: Drawn) -> None:
    match = others()
    page = without_frames(drawn, match)
    heard = page.locator("#polite")
    drawn.send(somebody_else_moves(match) | {"say": ["The first."]})
    arrived(page)
    assert heard.text_content() == ""
    drawn.send(somebody_else_moves(match) | {"say": ["The second."]})
    # What the first has set in motion would go on in between: the second waits no more.
    expect(heard).to_have_text("The first.The second.")


#: Figures that are seen as they were: [what stands there, whether it is seen through, what is seen in its place].
HELD = """() => [...document.querySelectorAll('.held')].map((e) => [
  e.textContent, getComputedStyle(e).webkitTextFillColor, getComputedStyle(e, '::after').content])"""


def test_a_figure_that_waits_for_its_cards_is_seen_once(drawn: Drawn) -> None:
    match = played("scout", 2, lambda m: m.ply > 6 and list(m.acting) == [1] and len(m.legal(1)) > 1)
    page = drawn.table(match)
    page.wait_for_function(PAGE_AT_REST)
    before = page.locator(".badge b").all_text_contents()
    # The cards are on their way until it has been looked at.
    set_motion_rate(page, 0)
    drawn.send(somebody_else_moves(match))
    page.wait_for_function("() => document.querySelector('.badge b.held')")
    held = page.evaluate(HELD)
    assert held
    for stands, colour, seen in held:
        assert colour == "rgba(0, 0, 0, 0)", (stands, seen)
        assert seen.strip('"') in before
        assert seen.strip('"') != stands


def test_where_nothing_moves_all_is_shown_at_once(browser: Browser) -> None:
    drawn = Drawn(browser, 390, 844, reduced_motion="reduce")
    match = others()
    page = without_frames(drawn, match)
    before = page.text_content("#log") or ""
    drawn.send(somebody_else_moves(match))
    expect(page.locator("#log")).not_to_have_text(before)


#: Remembers the element of every card.
REMEMBER = "() => { window.__cards = [...document.querySelectorAll('#app .piece[id]')]; }"
#: The ids of cards whose element is another one now; a card that becomes touchable, or ceases to be, may have one.
OTHERS = """() => __cards.filter((e) => document.getElementById(e.id) !== e
  && document.getElementById(e.id)?.tagName === e.tagName).map((e) => e.id)"""
SAID = (ChatMessage("Mara", "Good luck!", 1.0, 1),)


@pytest.fixture
def desk(browser: Browser) -> Drawn:
    return Drawn(browser, 1440, 900, reduced_motion="reduce")


def mine() -> Match:
    """Detect for two; Ada is to move, and may touch her cards."""
    return played("detect", 2, lambda m: m.ply > 8 and list(m.acting) == [0] and m.game.legal(m.known(0), 0)[0] >= 0)


def after_moves(match: Match, times: int = 1) -> dict[str, object]:
    """The message after the next moves, with something said: frame, seats, zones, log and chat differ."""
    for _ in range(times):
        seat = match.acting[0]
        match.play(seat, match.legal(seat)[-1])
    return table_message(match, chat=SAID)


def test_half_a_word_stays_and_goes_on(desk: Drawn) -> None:
    """Also one that an input method has not finished."""
    match = mine()
    page = desk.table(match)
    desk.send(table_message(match))
    desk.shown()
    field = page.locator("#say-text")
    field.focus()
    page.keyboard.type("Hal")
    devtools = page.context.new_cdp_session(page)
    devtools.send("Input.imeSetComposition", {"text": "lö", "selectionStart": 2, "selectionEnd": 2})
    page.evaluate("() => { window.__field = document.activeElement; }")
    desk.send(after_moves(match))
    page.wait_for_selector("#chat-lines li:has-text('Good luck!')")
    assert page.evaluate("document.activeElement === __field && __field.isConnected")
    devtools.send("Input.imeSetComposition", {"text": "lo", "selectionStart": 2, "selectionEnd": 2})
    devtools.send("Input.insertText", {"text": "lo"})
    assert field.input_value() == "Hallo"


def test_cards_and_the_focus_stay(desk: Drawn) -> None:
    match = mine()
    page = desk.table(match)
    desk.send(table_message(match))
    desk.shown()
    page.evaluate(REMEMBER)
    assert page.evaluate("__cards.length") > 20
    page.locator(".bar [data-open=menu]").focus()
    for _ in range(6):
        desk.send(after_moves(match))
        desk.shown()
        assert page.evaluate(OTHERS) == []
        assert page.evaluate("document.activeElement.dataset.open") == "menu"
        page.evaluate(REMEMBER)
