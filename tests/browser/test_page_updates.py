"""Page updates: a new table is shown over several frames, input shows it at once, and focus and typed text stay."""

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

#: Counts the frames that the page's script requests.
COUNTS_FRAMES = """() => {
  window.__asked = 0;
  const ask = window.requestAnimationFrame;
  window.requestAnimationFrame = (what) => (window.__asked += 1, ask(what));
}"""


@pytest.fixture
def drawn(browser: Browser) -> Drawn:
    return Drawn(browser, 390, 844, reduced_motion="no-preference")


def play_others_move(match: Match) -> dict[str, object]:
    """Play the next move, which is another player's, and return the message after it."""
    seat = match.acting[0]
    assert seat
    match.play(seat, match.legal(seat)[0])
    return table_message(match)


def match_of_eight() -> Match:
    """Return a match of Detect for eight in which the second player is to move."""
    return played("detect", 8, lambda m: m.ply > 20 and list(m.acting) == [1])


def table_without_frames(drawn: Drawn, match: Match) -> Page:
    """Open a table and wait until nothing moves. From then on, its script gets no frames."""
    page = drawn.table(match)
    page.wait_for_function(PAGE_AT_REST)
    stop_clock(page)
    page.evaluate(COUNTS_FRAMES)
    return page


def wait_until_received(page: Page) -> None:
    """Wait until the page has received and measured the message, but does not show it yet."""
    page.wait_for_function("() => window.__asked > 0")


TOUCHES: dict[str, Callable[[Page], None]] = {
    "a finger": lambda page: page.mouse.down(),
    "a key": lambda page: page.keyboard.press("l"),
    "the focus": lambda page: page.evaluate("document.querySelector('.bar a').focus()"),
    "the page is hidden": lambda page: page.evaluate("document.dispatchEvent(new Event('visibilitychange'))"),
}


@pytest.mark.parametrize("touch", mostly(TOUCHES, ("a finger",)))
def test_received_move_is_shown_without_animation_frame_on_user_input_or_when_the_page_is_hidden(
    drawn: Drawn, touch: str
) -> None:
    match = match_of_eight()
    page = table_without_frames(drawn, match)
    page.mouse.move(195, 700)
    before = page.text_content("#log") or ""
    drawn.send(play_others_move(match))
    wait_until_received(page)
    assert page.text_content("#log") == before
    TOUCHES[touch](page)
    expect(page.locator("#log")).not_to_have_text(before)


def test_second_table_message_is_shown_at_once_while_the_first_one_is_still_pending(drawn: Drawn) -> None:
    match = match_of_eight()
    page = table_without_frames(drawn, match)
    heard = page.locator("#polite")
    drawn.send(play_others_move(match) | {"say": ["The first."]})
    wait_until_received(page)
    assert heard.text_content() == ""
    drawn.send(play_others_move(match) | {"say": ["The second."]})
    # The second message does not wait for the motion that the first one started.
    expect(heard).to_have_text("The first.The second.")


#: Numbers that still show their old value: [new text, colour of that text, value shown in its place].
HELD = """() => [...document.querySelectorAll('.held')].map((e) => [
  e.textContent, getComputedStyle(e).webkitTextFillColor, getComputedStyle(e, '::after').content])"""


def test_changed_number_keeps_showing_its_old_value_until_the_moving_cards_arrive(drawn: Drawn) -> None:
    match = played("scout", 2, lambda m: m.ply > 6 and list(m.acting) == [1] and len(m.legal(1)) > 1)
    page = drawn.table(match)
    page.wait_for_function(PAGE_AT_REST)
    before = page.locator(".badge b").all_text_contents()
    # The cards are on their way until the check is done.
    set_motion_rate(page, 0)
    drawn.send(play_others_move(match))
    page.wait_for_function("() => document.querySelector('.badge b.held')")
    held = page.evaluate(HELD)
    assert held
    for stands, colour, seen in held:
        assert colour == "rgba(0, 0, 0, 0)", (stands, seen)
        assert seen.strip('"') in before
        assert seen.strip('"') != stands


def test_received_move_is_shown_without_an_animation_frame_if_reduced_motion_is_preferred(browser: Browser) -> None:
    drawn = Drawn(browser, 390, 844, reduced_motion="reduce")
    match = match_of_eight()
    page = table_without_frames(drawn, match)
    before = page.text_content("#log") or ""
    drawn.send(play_others_move(match))
    expect(page.locator("#log")).not_to_have_text(before)


#: Stores the element of every card.
REMEMBER = "() => { window.__cards = [...document.querySelectorAll('#app .piece[id]')]; }"
#: Ids of cards whose element was replaced. A card that becomes touchable, or stops being so, may get a new element.
OTHERS = """() => __cards.filter((e) => document.getElementById(e.id) !== e
  && document.getElementById(e.id)?.tagName === e.tagName).map((e) => e.id)"""
SAID = (ChatMessage("Mara", "Good luck!", 1.0, 1),)


@pytest.fixture
def desk(browser: Browser) -> Drawn:
    return Drawn(browser, 1440, 900, reduced_motion="reduce")


def match_on_own_turn() -> Match:
    """Return a match of Detect for two in which seat 0 is to move and may touch cards."""
    return played("detect", 2, lambda m: m.ply > 8 and list(m.acting) == [0] and m.game.legal(m.known(0), 0)[0] >= 0)


def after_moves(match: Match, times: int = 1) -> dict[str, object]:
    """Play the next moves and return a message with a chat line: frame, seats, zones, log and chat differ."""
    for _ in range(times):
        seat = match.acting[0]
        match.play(seat, match.legal(seat)[-1])
    return table_message(match, chat=SAID)


def test_text_being_typed_in_the_chat_is_kept_when_a_move_is_received(desk: Drawn) -> None:
    """This includes text that an input method has not finished."""
    match = match_on_own_turn()
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


def test_card_elements_and_keyboard_focus_are_kept_when_moves_are_received(desk: Drawn) -> None:
    match = match_on_own_turn()
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
