"""The dock and the hand: parts keep their places between turns, a drawn card is lifted, touches cover no text."""

from __future__ import annotations

import random
from itertools import pairwise, product
from typing import Any

import pytest
from playwright.sync_api import Browser

from facedown.check.random_matches import GAMES
from facedown.core.match import Match
from facedown.core.state import SPECTATOR
from facedown.games.reveille import rules as reveille
from facedown.games.scout import state as scout
from tests.browser.offline_pages import DESK, PHONE, PHONES, SCENE, Drawn, played, table_message
from tests.browser.page_time import box_of
from tests.browser.test_layouts import is_asked_in, overlaps, unseen
from tests.nightly_selection import mostly

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

#: Parameters of the landing runs.
DOCKS = (("detect", DESK), ("uncovered", PHONE))

SEATS = {"reveal": 2, "reveille": 2, "detect": 2, "uncovered": 3, "scout": 3}
#: Number of tables that are sent. Each game reaches the end of a round.
TABLES = 70

#: The scene, the top of the dock, the parts whose elements were replaced since the last call, duplicate ids, and the
#: number of sections without a place.
DOCK = (
    "() => {"
    + SCENE
    + """
  const parts = ["others", "mid", "prompt", "you-area", "hand-area", "actions", "rail"];
  const now = Object.fromEntries(parts.map((id) => [id, document.getElementById(id)]).filter(([, e]) => e));
  const other = parts.filter((id) => now[id] && window.__parts?.[id] && now[id] !== window.__parts[id]);
  window.__parts = now;
  const ids = [...document.querySelectorAll("#app [id]")].map((e) => e.id);
  return { scene: window.__scene(), top: Math.round(document.querySelector(".dock-back").getBoundingClientRect().top),
    other, asked: document.querySelector("#prompt").innerText, twice: ids.filter((id, i) => ids.indexOf(id) !== i),
    slots: document.querySelectorAll("#app [data-slot]").length };
}"""
)


def random_action_by_kind(match: Match, seat: int, chance: random.Random) -> int:
    """Return a random legal action other than uncovering. Each kind is equally likely, however many actions it has."""
    kinds: dict[str, list[int]] = {}
    for action in match.legal(seat):
        kinds.setdefault(match.game.words.words(action).split()[0], []).append(action)
    going_on = [kind for kind in sorted(kinds) if kind != "uncover"]
    return chance.choice(kinds[chance.choice(going_on)])


@pytest.mark.parametrize(("game", "size"), mostly(product(GAMES, (PHONE, DESK)), (), DOCKS), ids=str)
def test_prompt_and_buttons_keep_dom_elements_and_place_unless_the_cards_are_laid_out_anew(
    game: str, size: tuple[int, int], browser: Browser
) -> None:
    match, chance = Match(game, SEATS[game], seed=bytes(32)), random.Random(5)
    drawn = Drawn(browser, *size, reduced_motion="reduce")
    page = drawn.table(match)
    seen: list[dict[str, Any]] = [page.evaluate(DOCK)]
    for _ in range(TABLES):
        seat = chance.choice(match.acting)
        match.play(seat, random_action_by_kind(match, seat, chance))
        if match.over:
            break
        drawn.send(table_message(match))
        drawn.shown()
        seen.append(page.evaluate(DOCK))
    for was, now in pairwise(seen):
        if was["scene"] == now["scene"]:
            assert abs(was["top"] - now["top"]) <= 2, (
                f"the dock gives way from “{was['asked']}” to “{now['asked']}” ({now['scene']})"
            )
        assert not now["other"], f"{now['other']} became something else at “{now['asked']}”"
        assert not now["twice"], "an id is on the page once"
        assert not now["slots"], "a section has not found its place"
    assert len({each["asked"] for each in seen}) > 2


#: Whether a ring is drawn around the held card, its width, and the width of the widest pile.
HELD = """() => {
  const wide = (e) => e.getBoundingClientRect().width;
  const held = document.querySelector(".m-held");
  return { ring: getComputedStyle(held, "::after").content !== "none", wide: wide(held),
    pile: Math.max(...[...document.querySelectorAll(".mid .pile .piece")].map(wide)) };
}"""


def has_just_drawn(match: Match) -> bool:
    """Return whether the last move drew a card."""
    return match.ply > 2 and match.game.words.words(match.moves[-1].action) == "draw"


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3, 8])
def test_drawn_card_is_outlined_only_for_the_player_who_drew_it_and_is_larger_than_the_piles(
    seats: int, browser: Browser
) -> None:
    match = played("detect", seats, has_just_drawn)
    holder = match.acting[0]
    drawn = Drawn(browser, *PHONE, reduced_motion="reduce")
    for viewer in (holder, (holder + 1) % seats, SPECTATOR):
        page = drawn.table(match, viewer)
        for size in (PHONE, DESK):
            drawn.resize(size)
            seen = page.evaluate(HELD)
            assert seen["ring"] == (viewer == holder), (viewer, seen)
            assert seen["wide"] > seen["pile"], "it is lifted off the piles"


@pytest.mark.slow
def test_prompt_keeps_its_place_as_won_tricks_pile_up(drawn: Drawn) -> None:
    chance = random.Random(1)
    match = played("reveille", 2, lambda m: is_asked_in(m, reveille.Phase.STAGE_TWO), auto_end="off")
    tops: dict[tuple[int, int], list[float]] = {size: [] for size in PHONES[1:]}
    while int(match.state.phase) == reveille.Phase.STAGE_TWO:
        if 0 in match.acting:
            page = drawn.table(match)
            for size, found in tops.items():
                drawn.resize(size)
                assert not unseen(page, "#zone-hand .piece, #actions .button"), (size, match.state["tricks"])
                found.append(box_of(page.locator("#prompt"))["y"])
        seat = match.acting[0]
        match.play(seat, chance.choice([a for a in match.legal(seat) if a < reveille.Act.CLAIM] or match.legal(seat)))
    for found in tops.values():
        assert len(found) > 4
        assert max(found) - min(found) <= 2, tops


@pytest.mark.slow
def test_no_card_covers_the_players_badges_or_the_label_of_the_active_set_in_the_game_scout(drawn: Drawn) -> None:
    match = played("scout", 3, lambda m: is_asked_in(m, scout.Phase.TURN) and int(m.state.active) == 2)
    page = drawn.table(match)
    for size in PHONES:
        drawn.resize(size)
        assert not overlaps(page, ".others .badges", ".others .fan, .others .person"), size
        panels = page.locator(".others .seat").all()
        heights = [box["height"] for panel in panels if (box := panel.bounding_box())]
        assert max(heights) - min(heights) <= 1, "no player's badges run down the side"
    page.locator("#at-active-1").click()
    page.wait_for_selector("#at-active-1.spanned")
    for size in PHONES:
        drawn.resize(size)
        assert not overlaps(page, "#zone-active .label.above", "#zone-active .piece"), size


def test_cards_selected_to_flip_in_the_game_detect_get_ticks_and_the_whole_grid_is_highlighted(drawn: Drawn) -> None:
    page = drawn.table(Match("detect", 4, {}, seed=bytes(32)))
    for touched, ticks in (("a1", 1), ("c2", 2), ("d3", 2)):
        page.locator(f"#at-p0-{touched}").click()
        assert page.locator(".picked .pick-tick").count() == ticks
        assert page.locator("#zone-p0.lit, .you-area .zone.grid.lit").count() == 1, "the grid is lit as one"
        assert not page.locator(".you-area .piece.lit").count()
    assert not page.locator("#at-p0-a1.picked").count(), "the third takes the place of the first"
    assert page.locator("#actions .primary").inner_text() == "Flip two cards"


@pytest.mark.parametrize("size", mostly([*PHONES, DESK], (), [PHONE], one=True), ids=str)
def test_false_claim_in_reveille_must_be_confirmed_before_it_is_sent(size: tuple[int, int], drawn: Drawn) -> None:
    claim = reveille.Act.CLAIM
    match = played("reveille", 2, lambda m: claim in m.legal(0) and int(m.state.points[0]) < int(m.state.high))
    page = drawn.table(match)
    buttons = page.locator("#actions .button")
    if drawn.page.locator("#zone-hand .touched").count() == 0:
        page.locator("#zone-hand .piece.can").first.click()
    top = page.locator("#prompt").bounding_box()
    page.locator("[data-button=claim]").dblclick()
    drawn.shown()
    assert "A false claim loses the hand." in page.locator("#prompt-help").inner_text()
    assert buttons.all_inner_texts() == ["Keep looking", "Claim anyway"], "a double click makes no claim"
    assert page.evaluate("document.activeElement.textContent") == "Keep looking"
    assert page.locator("#prompt").bounding_box() == top, "nothing moves"
    assert not unseen(page, "#zone-hand .piece, #actions .button")
    buttons.first.click()
    drawn.shown()
    assert page.locator("#zone-hand .touched").count() == 1, "the touched bone stays touched"
    assert not [message for message in drawn.sent if message["type"] == "move"]
    page.locator("[data-button=claim]").click()
    page.locator("[data-button=claim-anyway]").click()
    assert drawn.moves() == [claim]
