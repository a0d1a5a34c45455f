"""From turn to turn the dock stays where it is, and each part of the table is the same thing on the page."""

from __future__ import annotations

import random
from itertools import pairwise, product
from typing import Any

import pytest
from playwright.sync_api import Browser

from facedown.check.driver import GAMES
from facedown.core.match import Match
from tests.browser.drawn import Drawn, table_message
from tests.browser.looking import SCENE
from tests.selection import mostly

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

PHONE, DESK = (390, 844), (1440, 900)
#: Parameters of the landing runs.
LANDING = (("reveal", PHONE), ("detect", DESK), ("scout", PHONE))

SEATS = {"reveal": 2, "reveille": 2, "detect": 2, "uncovered": 3, "scout": 3}
#: So many tables are sent: each game comes to the end of a round.
TABLES = 70

#: The scene, where the dock begins in it, and which parts became other things since the last time.
DOCK = (
    "() => {"
    + SCENE
    + """
  const parts = ["others", "mid", "prompt", "you-area", "hand-area", "actions", "rail"];
  const now = Object.fromEntries(parts.map((id) => [id, document.getElementById(id)]).filter(([, e]) => e));
  const other = parts.filter((id) => now[id] && window.__parts?.[id] && now[id] !== window.__parts[id]);
  window.__parts = now;
  return { scene: window.__scene(), top: Math.round(document.querySelector(".dock-back").getBoundingClientRect().top),
    other, asked: document.querySelector("#prompt").innerText };
}"""
)


def any_kind(match: Match, seat: int, chance: random.Random) -> int:
    """A legal action of any kind: there are a dozen ways to take a card, and one to draw."""
    kinds: dict[str, list[int]] = {}
    for action in match.legal(seat):
        kinds.setdefault(match.game.words.words(action).split()[0], []).append(action)
    going_on = [kind for kind in sorted(kinds) if kind != "uncover"]
    return chance.choice(kinds[chance.choice(going_on)])


@pytest.mark.parametrize(("game", "size"), mostly(product(GAMES, (PHONE, DESK)), (), LANDING), ids=str)
def test_the_dock_stays_and_parts_are_what_they_were(game: str, size: tuple[int, int], browser: Browser) -> None:
    match, chance = Match(game, SEATS[game], seed=bytes(32)), random.Random(5)
    drawn = Drawn(browser, *size, reduced_motion="reduce")
    page = drawn.table(match)
    seen: list[dict[str, Any]] = [page.evaluate(DOCK)]
    for _ in range(TABLES):
        seat = chance.choice(match.acting)
        match.play(seat, any_kind(match, seat, chance))
        if match.over:
            break
        drawn.send(table_message(match))
        page.evaluate("new Promise(requestAnimationFrame)")
        seen.append(page.evaluate(DOCK))
    for was, now in pairwise(seen):
        if was["scene"] == now["scene"]:
            assert abs(was["top"] - now["top"]) <= 2, (
                f"the dock gives way from “{was['asked']}” to “{now['asked']}” ({now['scene']})"
            )
        assert not now["other"], f"{now['other']} became something else at “{now['asked']}”"
    assert len({each["asked"] for each in seen}) > 2
