"""A card that was just drawn is lifted for everybody, and ringed only for whoever may touch it."""

from __future__ import annotations

from itertools import product

import pytest
from playwright.sync_api import Browser

from facedown.core.match import Match
from facedown.core.state import SPECTATOR
from tests.browser.drawn import Drawn, played
from tests.selection import mostly

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

PHONE, DESK = (390, 844), (1440, 900)
#: Parameters of the landing runs.
LANDING = ((2, PHONE), (8, DESK))

#: Whether a ring is drawn round the card, and how wide it is beside the piles.
HELD = """() => {
  const wide = (e) => e.getBoundingClientRect().width;
  const held = document.querySelector(".m-held");
  return { ring: getComputedStyle(held, "::after").content !== "none", wide: wide(held),
    pile: Math.max(...[...document.querySelectorAll(".mid .pile .piece")].map(wide)) };
}"""


def drawn_card(match: Match) -> bool:
    """Somebody has just drawn a card."""
    return match.ply > 2 and match.game.words.words(match.moves[-1].action) == "draw"


@pytest.mark.parametrize(("seats", "size"), mostly(product((2, 3, 8), (PHONE, DESK)), (), LANDING), ids=str)
def test_a_drawn_card_is_ringed_for_whoever_holds_it(seats: int, size: tuple[int, int], browser: Browser) -> None:
    match = played("detect", seats, drawn_card)
    holder = match.acting[0]
    window = Drawn(browser, *size, reduced_motion="reduce")
    for viewer in (holder, (holder + 1) % seats, SPECTATOR):
        seen = window.table(match, viewer).evaluate(HELD)
        assert seen["ring"] == (viewer == holder), (viewer, seen)
        assert seen["wide"] > seen["pile"], "it is lifted off the piles"
