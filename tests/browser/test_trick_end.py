"""End of a trick: its two cards are seen face up in the trick, then they move onto the pile, and no other card does."""

from __future__ import annotations

from functools import cache

import pytest
from playwright.sync_api import Browser

from facedown.core.match import Match
from facedown.games.reveille import rules as reveille
from tests.browser.offline_pages import Drawn, played, table_message
from tests.browser.page_time import set_motion_rate, wait_for_frames
from tests.browser.players import DESKTOP, PHONE
from tests.browser.test_layouts import is_asked_in
from tests.nightly_selection import mostly

pytestmark = pytest.mark.browser

#: The picture of each face-up card on the table, by the card's place and face.
PICTURES = """() => [...document.querySelectorAll('#board .piece[data-kind=face], #hand .piece[data-kind=face]')]
  .map((e) => [e.dataset.place, e.dataset.face, e.querySelector('.art').outerHTML])"""
#: The pictures that move onto the pile.
MOVING = "() => [...document.querySelectorAll('.flight.gone .art:not(.turning)')].map((e) => e.outerHTML)"


@cache
def before_a_reply(trick: int, wins: bool) -> tuple[Match, int]:
    """Return a match in which seat 0 is to reply in a trick of stage one, and an action with which it wins or loses."""
    found: list[int] = []

    def is_such(match: Match) -> bool:
        if not is_asked_in(match, reveille.Phase.STAGE_ONE, trick=trick, leader=1):
            return False
        for action in match.legal(0):
            later = match.copy()
            later.play(0, action)
            if (int(later.state.leader) == 0) == wins:
                found[:] = [action]
        return bool(found)

    return played("reveille", 2, is_such), found[0]


@pytest.mark.parametrize("window", mostly((PHONE, DESKTOP), (DESKTOP,), one=True), ids=("phone", "desktop"))
@pytest.mark.parametrize("wins", [True, False])
@pytest.mark.parametrize("trick", [0, 2])
def test_only_the_two_cards_of_a_finished_trick_move_onto_the_pile(
    trick: int, wins: bool, window: dict[str, object], browser: Browser
) -> None:
    match, action = before_a_reply(trick, wins)
    later = match.copy()
    later.play(0, action)
    drawn = Drawn(browser, **window)
    page = drawn.table(match)
    before = page.evaluate(PICTURES)
    set_motion_rate(page, 0)
    drawn.send(table_message(later))
    wait_for_frames(page)
    after = page.evaluate(PICTURES)
    hand, now = ({face for place, face, _ in seen if place.startswith("hand-")} for seen in (before, after))
    faces = {picture: (place, face) for place, face, picture in before}
    moving = {faces[picture] for picture in page.evaluate(MOVING) if picture in faces}
    assert moving == {(place, face) for place, face, _ in before if place == "lead" or face in hand - now}
    assert len(moving) == 2
    drawn.context.close()
