"""Each game's own lesson is played to its end by touching what is lit, on a phone and by keys."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from facedown.core.game import catalogue
from facedown.play.lessons import has_lesson, lesson
from tests.browser.people import PHONE, Person, Server
from tests.browser.test_access import check
from tests.browser.test_lesson import FOCUS, LIT, calm

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]
TAUGHT = [name for name in catalogue() if has_lesson(name)]

#: Is a step's question there, or the end?
ASKED = f"() => document.querySelectorAll({LIT!r}).length > 0 || location.pathname.endsWith('/end')"
CHANGED = f"(before) => JSON.stringify([({FOCUS})(), location.pathname]) !== before"
NOW = f"() => JSON.stringify([({FOCUS})(), location.pathname])"


@pytest.mark.parametrize("means", ["touch", "keyboard"])
@pytest.mark.parametrize("game", TAUGHT)
def test_a_lesson_leads_from_its_first_step_to_its_end(browser: Browser, server: Server, game: str, means: str) -> None:
    found = lesson(game)
    assert found is not None
    ada = Person(browser, server, 1, means, **(PHONE if means == "touch" else {}))
    page = ada.page
    calm(page)
    page.goto(f"{server.origin}/learn/{game}")
    seen = set()
    for _ in range(sum(len(step.path) for step in found.steps) + 4):
        page.wait_for_function(ASKED)
        if page.url.endswith("/end"):
            break
        seen.add(page.url.rpartition("/")[2])
        focus, lit = ada.look(FOCUS)
        assert focus in lit, (focus, lit)
        before = ada.look(NOW)
        if means == "touch":
            ada.touch(f'[id="{focus}"]')
        else:
            page.keyboard.press("Enter")
        page.wait_for_function(CHANGED, arg=before)
    page.wait_for_selector("#play-on")
    assert len(seen) == len(found.steps)
    assert not ada.complaints
    check(page, f"{game}, the end")
