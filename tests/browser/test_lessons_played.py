"""Each game's own lesson is played to its end by touching what is lit, on a phone and by keys."""

from __future__ import annotations

from itertools import product

import pytest
from playwright.sync_api import Browser, expect

from facedown.core.game import catalogue
from facedown.play.lessons import has_lesson, lesson
from tests.browser.page_time import wait_for_frames
from tests.browser.people import PATIENCE, PHONE, Person, Server
from tests.browser.test_access import check
from tests.browser.test_lesson import FOCUS, LIT, MOVES, calm
from tests.selection import mostly

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]
TAUGHT = [name for name in catalogue() if has_lesson(name)]
#: Parameters of the daily runs, and of the landing runs besides.
DAILY = (("uncovered", "touch"),)
LANDING = (("reveal", "keyboard"), ("scout", "touch"))

#: Is a step's question there, or the end?
ASKED = f"() => document.querySelectorAll({LIT!r}).length > 0 || location.pathname.endsWith('/end')"
CHANGED = f"(before) => JSON.stringify([({FOCUS})(), location.pathname]) !== before"
NOW = f"() => JSON.stringify([({FOCUS})(), location.pathname])"


@pytest.mark.parametrize(("game", "means"), mostly(product(TAUGHT, ("touch", "keyboard")), DAILY, LANDING))
def test_a_lesson_leads_from_its_first_step_to_its_end(browser: Browser, server: Server, game: str, means: str) -> None:
    found = lesson(game)
    assert found is not None
    ada = Person(browser, server, 1, means, **(PHONE if means == "touch" else {}))
    page = ada.page
    calm(page)
    page.clock.install()
    page.goto(f"{server.origin}/learn/{game}")
    seen = set()
    states: list[str] = []
    for _ in range(sum(len(step.path) for step in found.steps) + 4):
        page.wait_for_function(ASKED)
        if page.url.endswith("/end"):
            break
        seen.add(page.url.rpartition("/")[2])
        focus, lit = ada.look(FOCUS)
        assert focus in lit, (focus, lit)
        before = ada.look(NOW)
        # Whoever touches what has the focus comes on: nothing that was touched is offered again, to be taken back.
        assert before not in states, (before, states)
        states.append(before)
        if means == "touch":
            ada.touch(f'[id="{focus}"]')
        else:
            page.keyboard.press("Enter")
        page.clock.run_for(MOVES)
        page.wait_for_function(CHANGED, arg=before)
    page.wait_for_selector("#play-on")
    assert len(seen) == len(found.steps)
    assert not ada.complaints
    check(page, f"{game}, the end")


@pytest.mark.parametrize("game", mostly(TAUGHT, ("scout",), ("detect", "reveal")))
def test_the_last_sentence_comes_with_the_last_cards(browser: Browser, server: Server, game: str) -> None:
    found = lesson(game)
    assert found is not None
    ada = Person(browser, server, 1)
    page = ada.page
    page.clock.install()
    page.goto(f"{server.origin}/learn/{game}/{len(found.steps)}")
    for _ in found.steps[-1].path:
        page.wait_for_function(ASKED)
        before = ada.look(NOW)
        page.keyboard.press("Enter")
        page.wait_for_function(CHANGED, arg=before)
    seen = []
    while not seen or not seen[-1][0]:
        page.clock.run_for(50)
        wait_for_frames(page)
        seen.append((page.locator("#play-on").count(), page.locator("#prompt-words").inner_text()))
        assert len(seen) < 200
    # The way on, the sentence and the cards are there at once: nobody waits for one of them.
    assert seen[-1][1] == found.end.partition(". ")[0].rstrip(".") + "."
    assert page.locator("#app").evaluate("(e) => e.innerHTML.includes('lesson-end')")
    page.locator("#play-on").click()
    page.wait_for_url("**/t/*", timeout=1000 * PATIENCE)
    assert not ada.complaints


#: Touches in another order than the lesson asks for them, and what is said after them.
OTHER_ORDERS = (
    ("detect", 1, ("p0-c2", "p0-a1"), "Now flip them."),
    ("reveal", 2, ("hand-2", "p0-C1", "hand-3", "p0-R1"), "The wild takes the middle. Place them."),
    ("scout", 2, ("hand-2", "hand-1"), "Show 4 4: Wren’s 6 is yours, and worth a point."),
    ("scout", 4, ("hand-4", "hand-2"), "Show 6 7 8: three cards, three points."),
)


@pytest.mark.parametrize(
    ("game", "step", "touches", "prompt"), mostly(OTHER_ORDERS, (OTHER_ORDERS[0],), OTHER_ORDERS[1:])
)
def test_touches_are_taken_in_any_order(
    browser: Browser, server: Server, game: str, step: int, touches: tuple[str, ...], prompt: str
) -> None:
    ada = Person(browser, server, 1, "touch", **PHONE)
    page = ada.page
    calm(page)
    page.clock.install()
    page.goto(f"{server.origin}/learn/{game}/{step}")
    page.wait_for_function(ASKED)
    lit = "() => document.querySelectorAll('#app .piece.lit:not(.asked)').length"
    for touch in touches:
        assert page.evaluate(lit) == 0, "one thing is lit, however many would do"
        ada.touch(f"#at-{touch}")
    expect(page.locator("#prompt-words")).to_have_text(prompt)
    expect(page.locator("#prompt-help")).to_be_hidden()
    page.locator(LIT).click()
    page.clock.run_for(MOVES)
    page.wait_for_function(f"() => !location.pathname.endsWith('/{step}')")
    assert not ada.complaints


@pytest.mark.slow
def test_what_the_script_writes_is_in_the_readers_language(browser: Browser, server: Server) -> None:
    ada = Person(browser, server, 1, locale="de-DE")
    page = ada.page
    calm(page)
    page.goto(f"{server.origin}/learn/reveal/2")
    for _ in range(2):
        page.wait_for_function(ASKED)
        before = ada.look(NOW)
        page.keyboard.press("Enter")
        page.wait_for_function(CHANGED, arg=before)
    assert page.locator("#button-back").inner_text() == "Zurücknehmen"
    page.keyboard.press("Escape")
    expect(page.locator("#polite")).to_contain_text("Zurückgenommen.")
