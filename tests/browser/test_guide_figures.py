"""Playable figures of the guides: moves, undo and restart. The table of contents marks the current section."""

from __future__ import annotations

import random
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from facedown.core.game_registry import catalogue
from tests.browser.page_time import wait_for_frames
from tests.browser.players import DESKTOP, PHONE
from tests.browser.test_accessibility import BOTH, check_accessibility
from tests.nightly_selection import mostly
from tests.server.http_server import Server

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]
GAMES = tuple(catalogue())
#: Number of attempts in a row without anything to touch after which a match counts as over.
IDLE = 40
#: More touches than any move needs, even if most of them only take others back.
TOUCHES = 2000

#: Clicks the button that ends a move, or else a random touchable thing. Does nothing once the move was made.
TOUCH = """([lot, asked]) => {
  if (window.__asked > asked) return 1;
  const all = (q) => [...document.querySelectorAll(q)].filter((e) => e.checkVisibility());
  const ready = all('#actions .button.primary:not(.grey, :disabled)');
  const some = ready.length ? ready : [...all('.plays .zone.lit .option'),
    ...all('.plays .piece.can:not(.touched, .picked, .spanned, .ghost, .holds)'),
    ...all('#actions .button:not(.grey, [data-back], :disabled)')];
  some[Math.floor(lot * some.length)]?.click();
  return some.length;
}"""


#: Counts a page's requests, and those whose answer is shown.
COUNTS = """() => {
  Object.assign(window, { __asked: 0, __stands: 0 });
  const plain = window.fetch;
  window.fetch = async (...about) => {
    window.__asked += 1;
    const answer = await plain(...about);
    const told = answer.json.bind(answer);
    // The next timer runs after the page has handled the answer.
    answer.json = () => told().finally(() => setTimeout(() => (window.__stands += 1)));
    return answer;
  };
}"""


def open_first_figure(browser: Browser, server: Server, game: str, window: dict[str, Any] = DESKTOP) -> Page:
    """Open a guide and start its first figure."""
    page = browser.new_context(**window).new_page()
    page.add_init_script(f"({COUNTS})()")
    page.goto(f"{server.origin}/guide/{game}")
    page.locator("[data-play-on]").first.click()
    page.wait_for_selector("#board")
    return page


def play_one_move(page: Page, lot: random.Random, *, maybe_over: bool = False) -> None:
    """Touch random things until a move is made and shown, or nothing can be touched."""
    idle = 0
    before: int = page.evaluate("window.__asked")
    for _ in range(TOUCHES):
        idle = 0 if page.evaluate(TOUCH, [lot.random(), before]) else idle + 1
        wait_for_frames(page)
        if page.evaluate("window.__asked") > before:
            page.wait_for_function("() => window.__stands === window.__asked")
            return
        if maybe_over and idle > IDLE:
            return
    raise AssertionError("no move was made")


@pytest.mark.parametrize("game", mostly(GAMES, ("detect",), ("reveal", "scout")))
def test_match_continued_from_a_guide_figure_can_be_undone_restarted_and_closed(
    browser: Browser, server: Server, game: str, seed: int
) -> None:
    lot = random.Random(seed)
    page = open_first_figure(browser, server, game)
    check_accessibility(page, game, *BOTH)
    asked = page.locator("#prompt-words").inner_text()
    undo, again = page.locator("[data-figure-undo]"), page.locator("[data-figure-reset]")
    expect(undo).to_be_disabled()
    play_one_move(page, lot)
    expect(undo).to_be_enabled()
    undo.click()
    expect(undo).to_be_disabled()
    expect(page.locator("#prompt-words")).to_have_text(asked)
    play_one_move(page, lot)
    # Uncovered! may end with its first move.
    play_one_move(page, lot, maybe_over=game == "uncovered")
    again.click()
    expect(undo).to_be_disabled()
    expect(page.locator("#prompt-words")).to_have_text(asked)
    page.locator("[data-figure-shut]").click()
    expect(page.locator("#board")).to_have_count(0)
    expect(page.locator("[data-play-on]").first).to_be_focused()
    # Only one figure can be played at a time.
    for _ in range(min(2, page.locator("[data-play-on]").count())):
        page.locator("[data-play-on]").first.click()
        expect(page.locator("#board")).to_have_count(1)
        expect(page.locator(".plays")).to_have_count(1)


@pytest.mark.slow
def test_match_continued_from_a_guide_figure_is_shown_from_the_seat_that_is_to_act(
    browser: Browser, server: Server, seed: int
) -> None:
    lot = random.Random(seed)
    page = open_first_figure(browser, server, "detect", PHONE)
    check_accessibility(page, "detect", *BOTH)
    first = page.locator(".eyes-now").inner_text()
    for _ in range(12):
        play_one_move(page, lot)
        if page.locator(".eyes-now").inner_text() != first:
            break
    else:
        raise AssertionError("it is always the same seat's turn")
    # The acting seat is "you" on the page: its cards are the large ones, and announcements address it.
    expect(page.locator("#polite")).to_contain_text("You now see what")


@pytest.mark.slow
def test_guide_figure_is_in_the_language_of_its_page(browser: Browser, server: Server) -> None:
    page = browser.new_context(**DESKTOP).new_page()
    page.goto(f"{server.origin}/guide/detect?lang=de")
    page.locator("[data-play-on]").first.click()
    expect(page.locator(".eyes-now")).to_contain_text("aus der Sicht von")


def test_guide_figure_shows_a_no_connection_message_if_playing_from_it_is_started_offline(
    browser: Browser, server: Server
) -> None:
    page = browser.new_context(**PHONE).new_page()
    page.goto(f"{server.origin}/guide/detect")
    page.route("**/figure/**", lambda route: route.abort())
    begin = page.locator("[data-play-on]").first
    begin.click()
    expect(page.locator(".figure-ways .why-not")).to_have_text("No connection. Try again in a moment.")
    expect(begin).to_be_focused()
    page.unroute("**/figure/**")
    begin.click()
    page.wait_for_selector(".plays #board")
    page.locator("[data-figure-shut]").click()
    expect(begin).to_be_visible()
    assert page.locator(".why-not").count() == 0


def test_table_of_contents_of_a_guide_marks_the_section_in_view(browser: Browser, server: Server) -> None:
    page = browser.new_context(**DESKTOP).new_page()
    page.goto(f"{server.origin}/guide/scout")
    current = page.locator("#contents [aria-current]")
    expect(current).to_have_count(1)
    first = current.inner_text()
    page.evaluate("document.querySelector('#score').scrollIntoView()")
    expect(page.locator("#contents a[href='#score']")).to_have_attribute("aria-current", "true")
    expect(current).to_have_count(1)
    assert current.inner_text() != first


@pytest.mark.slow
def test_guide_link_of_a_table_opens_the_section_about_the_current_phase(browser: Browser, server: Server) -> None:
    context = browser.new_context(**DESKTOP)
    page = context.new_page()
    context.request.post(f"{server.origin}/quick", form={"game": "detect"}, headers={"Origin": server.origin})
    page.goto(f"{server.origin}/")
    page.locator(".tables .table-row").first.click()
    page.wait_for_url("**/t/*")
    page.locator("#bar a[href^='/guide/']").click()
    page.wait_for_url("**/guide/detect#opening")
    expect(page.locator("#contents a[href='#opening']")).to_have_attribute("aria-current", "true")
