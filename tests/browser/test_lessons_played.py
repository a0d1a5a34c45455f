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


@pytest.mark.slow
def test_the_end_leads_on_while_the_last_moves_are_still_seen(browser: Browser, server: Server) -> None:
    found = lesson("scout")
    assert found is not None
    ada = Person(browser, server, 1)
    page = ada.page
    page.goto(f"{server.origin}/learn/scout/{len(found.steps)}")
    while not page.url.endswith("/end"):
        page.wait_for_function(ASKED)
        before = ada.look(NOW)
        page.keyboard.press("Enter")
        page.wait_for_function(CHANGED, arg=before)
    page.wait_for_selector("#play-on")
    # The round is not told to its end: the button has not got the focus.
    assert not page.evaluate("document.activeElement.id === 'play-on'")
    box = page.locator("#play-on").bounding_box()
    assert box is not None
    wait_for_frames(page, 6)
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    wait_for_frames(page, 6)
    page.mouse.up()
    page.wait_for_url("**/t/*", timeout=1000 * PATIENCE)
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
