"""What a hint's move touches is marked so that it is seen, whatever it is, also what comes with the touch before it."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from facedown.check.driver import GAMES
from facedown.core.match import Match
from facedown.study.hints import path_to
from tests.browser.drawn import Drawn, sitters, table_message
from tests.selection import mostly

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

SEATS = {"reveal": 2, "reveille": 2, "detect": 2, "uncovered": 3, "scout": 3}
#: So many plies are looked at: each game comes to its second round or to its second stage.
PLIES = 30

#: Marked things by the ring that is drawn round each: its own, or that of a part.
RINGS = """() => [...document.querySelectorAll('#board .hinted')]
  .filter((e) => e.checkVisibility({visibilityProperty: true}))
  .map((e) => [e.id || e.className, [e, ...e.querySelectorAll('.art, .gap-mark')]
    .some((part) => getComputedStyle(part).boxShadow.includes(' 6px'))])"""


def moves(game: str) -> Iterator[tuple[Match, int]]:
    """A match played at random, and each time a legal action of a kind that has been looked at least often."""
    match, chance = Match(game, SEATS[game], seed=bytes(32)), random.Random(11)
    seen: dict[str, int] = {}

    def kind(action: int) -> str:
        return str(match.state.phase) + match.game.words.words(action).split()[0]

    for _ in range(PLIES):
        seat = chance.choice(match.acting)
        legal = [action for action in match.legal(seat) if match.game.words.words(action) != "uncover"]
        if seat == 0:
            action = min(legal, key=lambda action: (seen.get(kind(action), 0), chance.random()))
            seen[kind(action)] = seen.get(kind(action), 0) + 1
            yield match, action
        match.play(seat, chance.choice(legal))
        if match.over:
            return


def hint(drawn: Drawn, touches: list[str]) -> None:
    """A hint of which only the marks matter."""
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
    page, looked = None, 0
    for match, action in moves(game):
        path = [choice.touch for choice in path_to(match.table(0, sitters(match.seats)), action)]
        if not path:
            continue
        message = table_message(match, hints=True)
        if page is None:
            page = drawn.table(match, hints=True)
        else:
            drawn.send(message)
        hint(drawn, path)
        assert rings(page), (path, message["step"]["prompt"])
        if len(path) > 1 and page.locator(f"#at-{path[0]}").count():
            page.locator(f"#at-{path[0]}").focus()
            page.keyboard.press("Enter")
            assert len(rings(page)) > 1, (path, message["step"]["prompt"])
            page.keyboard.press("Escape")
        looked += 1
        page.keyboard.press("Escape")
    assert looked > 5, "the game was not looked at"
