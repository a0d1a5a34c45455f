"""Hints on the page: readable text, visible progress, and a hand that keeps its place.

The coach is slow because of the number of worlds that it tries. It is not replaced by a stub.
"""

from __future__ import annotations

import random

import pytest
from playwright.sync_api import Browser, Page, expect

from facedown.check.random_matches import GAMES
from facedown.core.match import Match
from facedown.study.hint_texts import shortest_touches_to
from tests.browser.offline_pages import Drawn, sitters, table_message
from tests.browser.page_time import box_of
from tests.browser.players import PATIENCE, SIZES, Person
from tests.browser.test_accessibility import BOTH, check_accessibility
from tests.browser.test_dock import SEATS, random_action_by_kind
from tests.nightly_selection import mostly
from tests.server.http_server import Server, module_server, serving_endless_hints

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

#: Longer than any timer of a hint request, in ms.
LONG = 25_000

#: Number of characters in a full line of each text of a hint.
LETTERS = """() => {
  const ruler = document.createElement('canvas').getContext('2d');
  return [...document.querySelectorAll('#hint .words, #hint .note')].filter((e) => e.checkVisibility()).map((e) => {
    const style = getComputedStyle(e);
    ruler.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    return e.getBoundingClientRect().width / (ruler.measureText('a person says what a move is').width / 28);
  });
}"""
#: Distance from the text of each move down to its bar.
GAPS = """() => [...document.querySelectorAll('#hint li:has(.how-good)')].map((li) => {
  const [bar, words] = ['.how-good', '.words'].map((q) => li.querySelector(q).getBoundingClientRect());
  return bar.top - words.bottom;
})"""
STILL = """() => ['.hand-area .piece', '#actions'].map((q) => {
  const r = document.querySelector(q).getBoundingClientRect(); return [Math.round(r.left), Math.round(r.top)]; })"""
#: Marked things, and whether a ring is drawn around each or around a part of it.
RINGS = """() => [...document.querySelectorAll('#board .hinted')]
  .filter((e) => e.checkVisibility({visibilityProperty: true}))
  .map((e) => [e.id || e.className, [e, ...e.querySelectorAll('.art, .gap-mark')]
    .some((part) => getComputedStyle(part).boxShadow.includes(' 6px'))])"""


#: A server whose coach tries a few worlds, and one whose coach thinks as long as it may.
quick = module_server(hint_tries=200)
slow = module_server(serving_endless_hints)


def open_table_with_hints(
    browser: Browser, server: Server, size: str, game: str = "reveal", *, manual_clock: bool = False
) -> Page:
    """Open a table with hints, on the player's turn. With `manual_clock` the test can advance the page's clock."""
    person = Person(browser, server, 1, **SIZES[size])
    page = person.page
    if manual_clock:
        page.clock.install()
    person.new_table(game, "low", more={"hints": "on"})
    page.wait_for_selector(".lamp.lit")
    page.wait_for_selector(":is(.hand-area, .you-area) .piece")
    page.wait_for_function("() => !document.body.classList.contains('is-offline')")
    # Nothing moves any more.
    page.wait_for_function("() => !document.getAnimations().length && !document.querySelector('.flying')")
    return page


def ask_for_hint(page: Page) -> None:
    """Press H. A request that is made before the connection is open is sent later."""
    page.keyboard.press("h")
    expect(page.locator("#polite")).to_contain_text("The coach is thinking.")


def wait_for_more(page: Page) -> None:
    """Wait until a hint offers its next step."""
    page.wait_for_selector("#hint .more", timeout=2000 * PATIENCE)


def show_best_move(page: Page) -> None:
    """Wait for a hint and go through its steps to the move."""
    for _ in range(2):
        wait_for_more(page)
        page.keyboard.press("h")
    page.wait_for_selector("#hint .best")


@pytest.mark.parametrize("size", mostly(SIZES, ("phone",), ("desktop",)))
def test_hint_is_revealed_in_three_steps_without_moving_the_hand_or_the_buttons(
    size: str, browser: Browser, quick: Server
) -> None:
    page = open_table_with_hints(browser, quick, size)
    hint, marked = page.locator("#hint"), page.locator(".hinted")
    still = page.evaluate(STILL)
    themes = BOTH if size == "desktop" else BOTH[:1]
    ask_for_hint(page)
    wait_for_more(page)
    look = page.locator("#hint .lead").inner_text()
    assert look in ("Look here: Your hand.", "Look at the buttons.")
    assert page.locator(".zone.hinted").count() == ("hand" in look), "where to look is marked"
    assert page.locator(".piece.hinted").count() == 0, "and no card yet"
    assert page.evaluate(STILL) == still
    check_accessibility(page, "where to look", *themes)
    page.locator("[data-hint-more]").click()
    assert page.locator("#hint .best").count() == 0
    assert len(page.locator("#hint .lead").inner_text()) > 20
    assert marked.count() == 0
    check_accessibility(page, "what speaks for it", *themes)
    page.locator("[data-hint-more]").click()
    expect(page.locator("#hint .best")).to_be_visible()
    assert rings(page)
    assert page.locator("#hint .best .words").inner_text() in page.locator("#polite").inner_text()
    assert page.evaluate(STILL) == still, "the hand and the button keep their places"
    check_accessibility(page, "a hint", *themes)
    check_hint_text(page, size)
    page.keyboard.press("h")
    expect(hint).to_be_hidden()
    page.keyboard.press("h")
    expect(hint).to_be_visible()
    page.keyboard.press("Escape")
    expect(hint).to_be_hidden()
    assert marked.count() == 0
    assert page.evaluate(STILL) == still
    if size == "desktop":
        page.click(".bar [data-hint]")
    else:
        page.keyboard.press("h")
    expect(hint).to_be_visible()
    lines = page.locator("#log-lines li")
    before = lines.count()
    page.locator("#actions .button:not([aria-disabled=true])").first.click()
    expect(lines).not_to_have_count(before)
    assert marked.count() == 0, "the table has changed"


def check_hint_text(page: Page, size: str) -> None:
    """Check the text of a hint, and that it covers nothing that is in use."""
    assert min(page.evaluate(LETTERS)) >= (24 if size != "phone" else 18)
    words = page.locator("#hint .words").all_inner_texts()
    assert all(len(said.split()) > 1 and not set(";(:") & set(said) for said in words)
    hint, hand, board = (box_of(page.locator(q).first) for q in ("#hint", ".hand-area .piece", "#board"))
    parent = page.locator("#hint").evaluate("(hint) => hint.parentElement.id")
    if size == "desktop":
        assert parent == "rail"
        assert abs(hint["y"] - box_of(page.locator("#rail"))["y"]) < 2, "the first card of the rail"
        assert hint["x"] >= board["x"] + board["width"], "it never covers the cloth"
        assert box_of(page.locator("#scores"))["y"] >= hint["y"] + hint["height"], "it pushes"
    else:
        assert parent == "board"
        assert hint["y"] + hint["height"] <= hand["y"] + 1
        assert page.locator("#prompt").evaluate("(prompt) => prompt.offsetHeight") == 0
    if size != "phone":
        assert all(gap >= 0 for gap in page.evaluate(GAPS)), "bars stand below the words"
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth + 1")


@pytest.mark.parametrize("size", mostly(["phone", "small"], (), ["small"]))
def test_button_for_the_next_step_of_a_hint_lies_inside_the_hint_box_on_small_screens(
    size: str, browser: Browser, quick: Server
) -> None:
    """In games with a grid, a hint has no more room than the prompt."""
    page = open_table_with_hints(browser, quick, size, "detect")
    ask_for_hint(page)
    for _ in range(2):
        wait_for_more(page)
        card, button = (box_of(page.locator(q)) for q in ("#hint", "[data-hint-more]"))
        assert button["y"] >= card["y"]
        assert button["y"] + button["height"] <= card["y"] + card["height"] + 4, (card, button)
        shut = box_of(page.locator("[data-hint-close]"))
        assert shut["y"] + shut["height"] <= button["y"] + 8 or shut["x"] >= button["x"] + button["width"]
        page.locator("[data-hint-more]").tap()
    expect(page.locator("#hint .best")).to_be_visible()


@pytest.mark.parametrize("size", mostly(SIZES, (), ("phone",)))
def test_hint_shows_the_progress_of_its_search_and_making_a_move_dismisses_it(
    size: str, browser: Browser, slow: Server, quick: Server
) -> None:
    page = open_table_with_hints(browser, slow, size, manual_clock=True)
    still = page.evaluate(STILL)
    ask_for_hint(page)
    page.wait_for_selector("#hint .thinking")
    expect(page.locator("#hint-worlds")).to_contain_text("Tried ", timeout=2000 * PATIENCE)
    first = page.locator("#hint-done").evaluate("(bar) => bar.value")
    page.wait_for_function("(first) => document.querySelector('#hint-done').value > first", arg=first)
    thinking = box_of(page.locator("#hint"))["height"]
    assert page.evaluate(STILL) == still
    assert page.locator("#hint .pale li:visible").count() == 3
    # The player may move before the answer, which dismisses the request.
    page.locator("#actions .button").first.click()
    expect(page.locator("#hint")).to_be_hidden()
    # Neither a timer of the request nor a late message of the server brings the hint back.
    page.clock.run_for(LONG)
    page.evaluate("fetch('/health').then(() => true)")
    expect(page.locator("#hint")).to_be_hidden()
    assert page.locator("#hint .best:visible").count() == 0

    # While it thinks, the coach shows three rows. In some deals it suggests fewer moves, or adds a reason of two lines.
    for _deal in range(24):
        answered = open_table_with_hints(browser, quick, size)
        ask_for_hint(answered)
        show_best_move(answered)
        reason = "rough estimate" in answered.locator("#hint .note").inner_text()
        if answered.locator("#hint ol li:visible").count() == 3 and not reason:
            break
        answered.context.close()
    assert abs(box_of(answered.locator("#hint"))["height"] - thinking) <= 40, "as high as the answer"


@pytest.mark.slow
def test_hint_shows_no_progress_display_in_its_first_290_milliseconds(browser: Browser, quick: Server) -> None:
    page = open_table_with_hints(browser, quick, "desktop")
    ask_for_hint(page)
    show_best_move(page)
    page.keyboard.press("Escape")
    page.evaluate("""() => {
      window.thought = 0; window.asked = performance.now();
      const watch = () => {
        const seen = document.querySelector('#hint-thinking').checkVisibility();
        if (seen && !window.thought) window.thought = performance.now() - window.asked;
        requestAnimationFrame(watch);
      };
      watch();
    }""")
    page.keyboard.press("h")
    show_best_move(page)
    thought = page.evaluate("window.thought")
    assert thought == 0 or thought >= 290, f"shown after {thought} ms"


#: Number of plies. Each game reaches its second round or its second stage.
PLIES = 30


def send_hint(drawn: Drawn, touches: list[str]) -> None:
    """Send a hint that has only marks."""
    drawn.send({"type": "hint", "version": 0, "steps": [], "html": "", "say": [], "moves": [{"touches": touches}]})
    drawn.page.wait_for_selector("#hint:visible", state="attached")


def rings(page: Page) -> list[str]:
    """Return the marked things. Each must have a visible ring."""
    found = page.evaluate(RINGS)
    assert all(seen for _, seen in found), found
    return [thing for thing, _ in found]


@pytest.mark.parametrize("game", mostly(GAMES, (), ("detect", "scout")))
def test_every_card_or_button_to_touch_for_the_suggested_move_is_outlined(game: str, browser: Browser) -> None:
    drawn = Drawn(browser, 1440, 900, reduced_motion="reduce")
    match, chance = Match(game, SEATS[game], seed=bytes(32)), random.Random(11)
    page, looked = None, 0
    for _ in range(PLIES):
        seat = chance.choice(match.acting)
        action = random_action_by_kind(match, seat, chance)
        path = (
            [choice.touch for choice in shortest_touches_to(match.table(0, sitters(match.seats)), action)]
            if seat == 0
            else []
        )
        if path:
            message = table_message(match, hints=True)
            if page is None:
                page = drawn.table(match, hints=True)
            else:
                drawn.send(message)
            send_hint(drawn, path)
            assert rings(page), (path, message["step"]["prompt"])
            if len(path) > 1 and page.locator(f"#at-{path[0]}").count():
                page.locator(f"#at-{path[0]}").focus()
                page.keyboard.press("Enter")
                assert len(rings(page)) > 1, (path, message["step"]["prompt"])
                page.keyboard.press("Escape")
            looked += 1
            page.keyboard.press("Escape")
        match.play(seat, action)
        if match.over:
            break
    assert looked > 5, "the game was not looked at"
