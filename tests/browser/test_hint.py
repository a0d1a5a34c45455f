"""Hints as a person gets them: words that can be read, progress that is seen, a hand that stays where it is.

The coach is made slow by the worlds it has to try, not by a stand-in.
"""

from __future__ import annotations

import random

import pytest
from playwright.sync_api import Browser, Page, expect

from facedown.check.random_matches import GAMES
from facedown.core.match import Match
from facedown.study.hints import path_to
from tests.browser.offline_pages import Drawn, sitters, table_message
from tests.browser.page_time import box_of
from tests.browser.players import PATIENCE, SIZES, Person
from tests.browser.test_access import BOTH, check
from tests.browser.test_dock import SEATS, any_kind
from tests.nightly_selection import mostly
from tests.server.http_server import Server, module_server, serving_endless_hints

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

#: Longer than any timer of a question runs, in ms.
LONG = 25_000

#: How many characters a full line of each text of a hint holds.
LETTERS = """() => {
  const ruler = document.createElement('canvas').getContext('2d');
  return [...document.querySelectorAll('#hint .words, #hint .note')].filter((e) => e.checkVisibility()).map((e) => {
    const style = getComputedStyle(e);
    ruler.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    return e.getBoundingClientRect().width / (ruler.measureText('a person says what a move is').width / 28);
  });
}"""
#: How far each bar lies below the words of its move.
GAPS = """() => [...document.querySelectorAll('#hint li:has(.how-good)')].map((li) => {
  const [bar, words] = ['.how-good', '.words'].map((q) => li.querySelector(q).getBoundingClientRect());
  return bar.top - words.bottom;
})"""
STILL = """() => ['.hand-area .piece', '#actions'].map((q) => {
  const r = document.querySelector(q).getBoundingClientRect(); return [Math.round(r.left), Math.round(r.top)]; })"""
#: Marked things by the ring that is drawn round each: its own, or that of a part.
RINGS = """() => [...document.querySelectorAll('#board .hinted')]
  .filter((e) => e.checkVisibility({visibilityProperty: true}))
  .map((e) => [e.id || e.className, [e, ...e.querySelectorAll('.art, .gap-mark')]
    .some((part) => getComputedStyle(part).boxShadow.includes(' 6px'))])"""


#: A server whose coach looks at a few worlds, and one whose coach thinks for as long as it is let.
quick = module_server(hint_tries=200)
slow = module_server(serving_endless_hints)


def seated(browser: Browser, server: Server, size: str, game: str = "reveal", *, turned: bool = False) -> Page:
    """A player at a table with hints, on turn; with `turned` a test can turn the page's clock."""
    person = Person(browser, server, 1, **SIZES[size])
    page = person.page
    if turned:
        page.clock.install()
    person.new_table(game, "low", more={"hints": "on"})
    page.wait_for_selector(".lamp.lit")
    page.wait_for_selector(":is(.hand-area, .you-area) .piece")
    page.wait_for_function("() => !document.body.classList.contains('is-offline')")
    # Nothing travels any more.
    page.wait_for_function("() => !document.getAnimations().length && !document.querySelector('.flying')")
    return page


def ask(page: Page) -> None:
    """Press H; what is asked before the line is up is sent when it is."""
    page.keyboard.press("h")
    expect(page.locator("#polite")).to_contain_text("The coach is thinking.")


def wait_for_more(page: Page) -> None:
    """Wait until a hint offers its next step."""
    page.wait_for_selector("#hint .more", timeout=2000 * PATIENCE)


def go_through(page: Page) -> None:
    """Wait for a hint, and go through its steps to the move."""
    for _ in range(2):
        wait_for_more(page)
        page.keyboard.press("h")
    page.wait_for_selector("#hint .best")


@pytest.mark.parametrize("size", mostly(SIZES, ("phone",), ("desktop",)))
def test_a_hint_comes_in_three_steps_and_moves_nothing(size: str, browser: Browser, quick: Server) -> None:
    page = seated(browser, quick, size)
    hint, marked = page.locator("#hint"), page.locator(".hinted")
    still = page.evaluate(STILL)
    themes = BOTH if size == "desktop" else BOTH[:1]
    ask(page)
    wait_for_more(page)
    look = page.locator("#hint .lead").inner_text()
    assert look in ("Look at your hand.", "Look at the buttons.")
    assert page.locator(".zone.hinted").count() == ("hand" in look), "where to look is marked"
    assert page.locator(".piece.hinted").count() == 0, "and no card yet"
    assert page.evaluate(STILL) == still
    check(page, "where to look", *themes)
    page.locator("[data-hint-more]").click()
    assert page.locator("#hint .best").count() == 0
    assert len(page.locator("#hint .lead").inner_text()) > 20
    assert marked.count() == 0
    check(page, "what speaks for it", *themes)
    page.locator("[data-hint-more]").click()
    expect(page.locator("#hint .best")).to_be_visible()
    assert rings(page)
    assert page.locator("#hint .best .words").inner_text() in page.locator("#polite").inner_text()
    assert page.evaluate(STILL) == still, "the hand and the button keep their places"
    check(page, "a hint", *themes)
    can_be_read(page, size)
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


def can_be_read(page: Page, size: str) -> None:
    """Check the words of a hint, and that it lies over nothing that is used."""
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
def test_the_way_on_in_a_hint_is_in_sight(size: str, browser: Browser, quick: Server) -> None:
    """A grid leaves a hint no more room than the prompt has."""
    page = seated(browser, quick, size, "detect")
    ask(page)
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
def test_it_is_seen_that_the_coach_thinks(size: str, browser: Browser, slow: Server, quick: Server) -> None:
    page = seated(browser, slow, size, turned=True)
    still = page.evaluate(STILL)
    ask(page)
    page.wait_for_selector("#hint .thinking")
    expect(page.locator("#hint-worlds")).to_contain_text("Tried in", timeout=2000 * PATIENCE)
    first = page.locator("#hint-done").evaluate("(bar) => bar.value")
    page.wait_for_function("(first) => document.querySelector('#hint-done').value > first", arg=first)
    thinking = box_of(page.locator("#hint"))["height"]
    assert page.evaluate(STILL) == still
    assert page.locator("#hint .pale li:visible").count() == 3
    # You may play before it answers: the question is let go.
    page.locator("#actions .button").first.click()
    expect(page.locator("#hint")).to_be_hidden()
    # No timer of the question brings the card back, nor does anything that the server still sends.
    page.clock.run_for(LONG)
    page.evaluate("fetch('/health').then(() => true)")
    expect(page.locator("#hint")).to_be_hidden()
    assert page.locator("#hint .best:visible").count() == 0

    # The coach thinks in three rows; now and then a deal leaves it fewer moves to speak of.
    for _deal in range(12):
        answered = seated(browser, quick, size)
        ask(answered)
        go_through(answered)
        if answered.locator("#hint ol li:visible").count() == 3:
            break
        answered.context.close()
    assert abs(box_of(answered.locator("#hint"))["height"] - thinking) <= 40, "as high as the answer"


@pytest.mark.slow
def test_a_quick_answer_is_not_waited_for_in_sight(browser: Browser, quick: Server) -> None:
    page = seated(browser, quick, "desktop")
    ask(page)
    go_through(page)
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
    go_through(page)
    thought = page.evaluate("window.thought")
    assert thought == 0 or thought >= 290, f"shown after {thought} ms"


#: So many plies are looked at: each game comes to its second round or to its second stage.
PLIES = 30


def send_hint(drawn: Drawn, touches: list[str]) -> None:
    """Send a hint of which only the marks matter."""
    drawn.send({"type": "hint", "version": 0, "steps": [], "html": "", "say": [], "moves": [{"touches": touches}]})
    drawn.page.wait_for_selector("#hint:visible", state="attached")


def rings(page: Page) -> list[str]:
    """The things that are marked, all of them by a ring that is seen."""
    found = page.evaluate(RINGS)
    assert all(seen for _, seen in found), found
    return [thing for thing, _ in found]


@pytest.mark.parametrize("game", mostly(GAMES, (), ("detect", "scout")))
def test_all_that_the_best_move_touches_is_seen_to_be_marked(game: str, browser: Browser) -> None:
    drawn = Drawn(browser, 1440, 900, reduced_motion="reduce")
    match, chance = Match(game, SEATS[game], seed=bytes(32)), random.Random(11)
    page, looked = None, 0
    for _ in range(PLIES):
        seat = chance.choice(match.acting)
        action = any_kind(match, seat, chance)
        path = [choice.touch for choice in path_to(match.table(0, sitters(match.seats)), action)] if seat == 0 else []
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
