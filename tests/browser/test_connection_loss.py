"""A lost, silent or slow connection, as players and spectators see it."""

from __future__ import annotations

import itertools
import re

import pytest
from playwright.sync_api import Browser, Page, expect

from facedown.core.game_registry import info
from facedown.core.match import Match
from facedown.core.state import SPECTATOR
from facedown.games.detect import rules as detect
from tests.browser.offline_pages import Drawn, played, table_message
from tests.browser.page_time import stop_clock, wait_for_events, wait_for_frames
from tests.browser.players import SIZES
from tests.browser.test_layouts import overlaps, unseen
from tests.nightly_selection import mostly

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

#: Longest time until a player is shown that the connection is lost, in ms.
TOLD_WITHIN = 10_000
LOST = re.compile(r"\bis-offline\b")
SENDING = re.compile(r"\bis-sending\b")
#: Elements that look as if they could be touched, or were touched.
LIT = """() => [...document.querySelectorAll('#app :is(.lit, .can, .touched, .spanned):not(.lamp)')].filter(
  (e) => e.matches('.lit, .can') || getComputedStyle(e).transform !== 'none').map((e) => e.id + ' ' + e.className)"""


def your_turn() -> Match:
    """Return a match of Detect in which seat 0 takes or draws a card."""
    return played("detect", 2, lambda m: int(m.state.phase) == detect.Phase.TURN and m.acting == [0])


def open_with_dead_connection(browser: Browser, match: Match, viewer: int = 0, size: str = "phone") -> Drawn:
    """Open a table with a manual clock. Its connection is dead from then on."""
    drawn = Drawn(browser, **SIZES[size])
    stop_clock(drawn.page)
    drawn.page.add_init_script("Math.random = () => 0.5")
    page = drawn.table(match, viewer)
    wait_for_events(page, lambda: drawn.sent)
    drawn.shown()
    drawn.dead()
    return drawn


def wait_until_nothing_is_highlighted(page: Page) -> None:
    """Wait until nothing looks as if it could be touched, or was touched. Lifted cards sink back."""
    wait_for_events(page, lambda: page.evaluate(LIT) == [])


def kinds(drawn: Drawn) -> list[str]:
    """Return the types of the messages that the page has sent."""
    return [message["type"] for message in drawn.sent]


def test_unanswered_move_shows_sending_after_two_seconds_until_its_late_answer_arrives(browser: Browser) -> None:
    match = your_turn()
    drawn = open_with_dead_connection(browser, match)
    page = drawn.page
    page.locator('[id="at-draw"]').click()
    action = drawn.moves()[0]
    prompt = page.locator("#prompt-words")
    page.clock.run_for(1900)
    expect(prompt).not_to_have_text("Sending…")
    page.clock.run_for(200)
    expect(prompt).to_have_text("Sending…")
    expect(page.locator("#polite")).to_contain_text("Sending…")
    expect(page.locator("body")).to_have_class(SENDING)
    wait_until_nothing_is_highlighted(page)
    wait_for_events(page, lambda: drawn.pings)
    match.play(0, action)
    drawn.send(table_message(match))
    page.clock.run_for(100)
    expect(prompt).to_have_text(table_message(match)["step"]["prompt"].replace("**", ""))
    expect(page.locator("body")).not_to_have_class(SENDING)
    page.clock.run_for(3000)
    expect(page.locator("body")).not_to_have_class(LOST)
    assert drawn.moves() == [action]


@pytest.mark.parametrize("size", mostly(SIZES, ("phone",), ("desktop",)))
def test_move_on_a_dead_connection_is_sent_again_once_on_the_next_connection(size: str, browser: Browser) -> None:
    match = your_turn()
    drawn = open_with_dead_connection(browser, match, size=size)
    page = drawn.page
    page.locator('[id="at-draw"]').click()
    action = drawn.moves()[0]
    run_until_lost(page, 6500)
    words = page.locator("#offline .words")
    expect(words).to_have_text(re.compile(r"^Connection lost\. You keep your seat\. Trying again in \d seconds?\."))
    expect(words).to_contain_text("Your move will be sent once you’re online.")
    expect(page.locator("#assertive")).to_have_text("Connection lost. You keep your seat.")
    wait_until_nothing_is_highlighted(page)
    expect(page.locator("#prompt-words")).to_be_hidden()
    page.keyboard.press("Enter")
    drawn.dead(False)
    page.clock.run_for(3600)
    wait_for_events(page, lambda: kinds(drawn).count("hello") == 2)
    drawn.shown()
    assert kinds(drawn) == ["hello", "move", "hello", "move"]
    moves = [message for message in drawn.sent if message["type"] == "move"]
    # The server recognises the move by its version.
    assert moves == [moves[0]] * 2
    assert moves[0]["action"] == action
    # The old table, which comes first, is not the answer.
    drawn.send(table_message(match))
    page.clock.run_for(100)
    expect(page.locator("#polite")).to_contain_text("The connection is back.")
    assert page.locator("#app .lit:not(.lamp)").count() == 0
    match.play(0, action)
    drawn.send(table_message(match))
    page.clock.run_for(100)
    assert page.locator("#app .lit:not(.lamp)").count()
    page.clock.run_for(4000)
    assert kinds(drawn).count("move") == 2


@pytest.mark.parametrize(
    ("viewer", "others", "within"),
    [(0, False, TOLD_WITHIN), (0, True, 25_000), (SPECTATOR, False, 25_000)],
    ids=["your turn", "another's turn", "watching"],
)
def test_silent_connection_is_reported_lost_sooner_on_your_turn_than_while_waiting_or_watching(
    viewer: int, others: bool, within: int, browser: Browser
) -> None:
    match = your_turn()
    if others:
        match = played("detect", 2, lambda m: int(m.state.phase) == detect.Phase.TURN and m.acting == [1])
    drawn = open_with_dead_connection(browser, match, viewer)
    page = drawn.page
    page.clock.run_for(within // 2 - 500)
    expect(page.locator("body")).not_to_have_class(LOST)
    run_until_lost(page, within // 2 + 500)
    kept = re.compile("You keep your seat")
    for told in (page.locator("#offline .words"), page.locator("#assertive")):
        expect(told).to_contain_text("Connection lost.")
        (expect(told).not_to_have_text if viewer == SPECTATOR else expect(told).to_have_text)(kept)
    wait_until_nothing_is_highlighted(page)


def test_connection_that_answers_pings_is_kept(browser: Browser) -> None:
    drawn = open_with_dead_connection(browser, your_turn())
    drawn.dead(False)
    for beat in range(1, 9):
        drawn.page.clock.run_for(5000)
        wait_for_events(drawn.page, lambda beat=beat: drawn.pings >= beat)
        wait_for_frames(drawn.page)
    assert kinds(drawn) == ["hello"]
    expect(drawn.page.locator("body")).not_to_have_class(LOST)


def test_waits_between_reconnection_attempts_grow_while_the_server_stays_silent(browser: Browser) -> None:
    """Each connection opens and stays silent. An overloaded server is not asked more and more often."""
    drawn = open_with_dead_connection(browser, your_turn())
    page = drawn.page
    opened = []
    for second in range(240):
        page.clock.run_for(1000)
        wait_for_frames(page, 1)
        opened += [second] * (kinds(drawn).count("hello") - 1 - len(opened))
    gaps = [after - before for before, after in itertools.pairwise(opened)]
    assert len(gaps) >= 4, opened
    # Allow for one frame.
    assert all(after > before - 2 for before, after in itertools.pairwise(gaps)), gaps
    assert gaps[-1] > 2 * gaps[0], gaps


def run_until_lost(page: Page, within: int) -> None:
    """Advance a page's clock until it shows that its connection is lost, by at most `within` ms."""
    for _ in range(0, within, 500):
        page.clock.run_for(500)
        wait_for_frames(page)
        if LOST.search(page.get_attribute("body", "class") or ""):
            return
    raise AssertionError("nobody was told that the line is lost")


@pytest.mark.parametrize(("viewer", "size"), [(0, "phone"), (SPECTATOR, "desktop")])
def test_page_says_connection_lost_at_once_when_the_browser_reports_being_offline(
    viewer: int, size: str, browser: Browser
) -> None:
    drawn = Drawn(browser, **SIZES[size])
    page = drawn.table(your_turn(), viewer)
    wait_for_events(page, lambda: drawn.sent)
    before = page.evaluate("performance.now()")
    drawn.context.set_offline(True)
    words = page.locator("#offline .words")
    expect(words).to_have_text(re.compile("^Connection lost."))
    assert ("You keep your seat" in words.inner_text()) == (viewer == 0)
    assert page.evaluate("performance.now()") - before < TOLD_WITHIN
    wait_until_nothing_is_highlighted(page)
    drawn.context.set_offline(False)
    expect(page.locator("body")).not_to_have_class(LOST)
    expect(page.locator("#at-draw[aria-disabled=false]")).to_have_count(1 if viewer == 0 else 0)


@pytest.mark.parametrize("game", ["uncovered", "detect", "reveal"])
def test_message_about_the_lost_connection_covers_no_card_of_the_hand(game: str, browser: Browser) -> None:
    """On a desktop, the hand of some games is beside the prompt."""
    drawn = open_with_dead_connection(
        browser, played(game, info(game).seats[0], lambda m: 0 in m.acting), size="desktop"
    )
    run_until_lost(drawn.page, TOLD_WITHIN)
    assert not unseen(drawn.page, "#offline .words")
    assert not overlaps(drawn.page, "#offline", "#app .hand-area .piece")
