"""Layouts at common window sizes: hand and main button are visible, and nothing overlaps."""

from __future__ import annotations

import functools
from copy import copy
from itertools import combinations, product
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from facedown.check.page_layout import NO_ANIMATION_CONDITION
from facedown.core.match import Match
from facedown.core.state import SPECTATOR
from facedown.games.reveal import rules as reveal
from facedown.games.reveille import rules as reveille
from facedown.games.reveille.action_text import SUIT_PLURALS
from tests.browser.offline_pages import DESK, PHONE, PHONES, Drawn, played, resize, sitters, table_message
from tests.browser.page_time import SHOWN, box_of, stop_clock
from tests.browser.players import DESKTOP, PATIENCE, Person
from tests.nightly_selection import mostly
from tests.server.http_server import Server, sit

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

#: Of the elements that a selector matches: those that are not completely in the window, or covered.
OUT_OF_SIGHT = """(selector) => {
  const wrong = [];
  for (const thing of document.querySelectorAll(selector)) {
    if (!thing.checkVisibility({ visibilityProperty: true, opacityProperty: true })) {
      wrong.push(`${thing.id || thing.className} is not shown`);
      continue;
    }
    const r = thing.getBoundingClientRect();
    const name = thing.id || thing.textContent.trim();
    if (r.width < 1 || r.height < 1) wrong.push(`${name} has no size`);
    else if (r.left < -1 || r.top < -1 || r.right > innerWidth + 1 || r.bottom > innerHeight + 1)
      wrong.push(`${name} leaves the window: ${[r.left, r.top, r.right, r.bottom].map(Math.round)}`);
    else {
      const spots = [[0.5, 0.5], [0.1, 0.1], [0.1, 0.5]].map(([x, y]) => [r.left + x * r.width, r.top + y * r.height]);
      const tops = spots.map(([x, y]) => document.elementFromPoint(x, y)).filter(Boolean);
      if (!tops.some((top) => thing.contains(top) || top.contains(thing))) wrong.push(`${name} is covered`);
    }
  }
  return wrong;
}"""

#: Pairs of elements of two selectors that overlap.
TOUCHING = """([one, other]) => {
  const boxes = (q) => [...document.querySelectorAll(q)].filter((e) => e.checkVisibility({ visibilityProperty: true }))
    .map((e) => [e.id || e.className, e.getBoundingClientRect()]);
  const found = [];
  for (const [a, r] of boxes(one)) for (const [b, s] of boxes(other))
  {
    const across = Math.min(r.right, s.right) - Math.max(r.left, s.left);
    const down = Math.min(r.bottom, s.bottom) - Math.max(r.top, s.top);
    if (across > 2 && down > 2) found.push(`${a} on ${b}`);
  }
  return found;
}"""


#: Won dominoes that stick out of their tray.
BEYOND_THEIR_TRAY = """() => [...document.querySelectorAll(".won-tray")].flatMap((tray) => {
  const f = tray.getBoundingClientRect();
  return [...tray.querySelectorAll(".piece")].filter((e) => {
    const r = e.getBoundingClientRect();
    return r.left < f.left || r.right > f.right || r.top < f.top || r.bottom > f.bottom;
  }).map((e) => e.ariaLabel);
})"""

#: The two checks, each in a frame in which nothing moves. Moving cards cover what they pass.
UNSEEN = f"(given) => {NO_ANIMATION_CONDITION} && [({OUT_OF_SIGHT})(given)]"
OVERLAPS = f"(given) => {NO_ANIMATION_CONDITION} && [({TOUCHING})(given)]"


def unseen(page: Page, selector: str) -> list[str]:
    """Return the elements of a selector that are not completely visible."""
    found: list[str] = page.wait_for_function(UNSEEN, arg=selector).json_value()[0]
    return found


def overlaps(page: Page, one: str, other: str) -> list[str]:
    """Return the elements of two selectors that overlap."""
    found: list[str] = page.wait_for_function(OVERLAPS, arg=[one, other]).json_value()[0]
    return found


def is_asked_in(match: Match, phase: int, **fields: int) -> bool:
    """Return whether seat 0 is to act in this phase and some fields of the state have these values."""
    state = match.state
    return 0 in match.acting and state.phase == phase and all(state[name] == value for name, value in fields.items())


def may_confirm(match: Match) -> bool:
    """Return whether the first seat may confirm its column in Reveal's final round."""
    return is_asked_in(match, reveal.Phase.FINAL) and reveal.Act.CONFIRM in match.legal(0)


# --- replays: the hand is part of the dock ----------------------------------------------------------------------------

MATCHES: dict[str, tuple[int, dict[str, str]]] = {
    "reveal": (2, {"end": "hands(2)"}),
    "detect": (2, {}),
    "reveille": (2, {}),
    "uncovered": (4, {}),
    "scout": (4, {}),
}


@functools.cache
def finished(game: str) -> Match:
    """Return a finished match of a game, played once for all tests."""
    seats, options = MATCHES[game]
    return played(game, seats, lambda m: m.over, **options)


#: Games whose replay is also checked in a low window.
LOW = dict.fromkeys(("reveal", "detect"), ((1280, 650),))
#: The bottom of the lowest card of the table.
LOWEST = (
    "() => Math.max(...[...document.querySelectorAll('#board .piece')].map((e) => e.getBoundingClientRect().bottom))"
)


@pytest.mark.parametrize("game", mostly(MATCHES, (), ("scout",)))
def test_replay_shows_hand_and_table_without_overlap_and_its_buttons_keep_their_place(game: str, drawn: Drawn) -> None:
    match = finished(game)
    hand = "#zone-hand .piece:not(.k-gap), .in-hand .piece:not(.k-gap)"
    buttons: dict[tuple[int, int], set[str]] = {}
    # In Reveal: a hand, the final round, the cards face up, and the next hand.
    for ply in (0, 6, 14, 18, 24):
        page = drawn.replay(match, min(ply, match.ply))
        eyes = page.locator(".eyes:visible")
        for size in (*PHONES, *LOW.get(game, ()), DESK):
            drawn.resize(size)
            rail = ".rail" if size[0] > 1000 else ".replay"
            seen = f"#replay .said-now h2, #replay .transport > *, #replay-move, {rail} .eyes .token"
            assert not unseen(page, f"{hand}, {seen}, .again-from button"), (size, ply)
            others = ".board .piece, .said-now, .replay-strip .field, .transport, .eyes"
            assert not overlaps(page, hand, others), (size, ply)
            assert not overlaps(page, ".said-now h2", ".replay-strip .field, .transport, .eyes"), (size, ply)
            assert eyes.count() == 1, "one row of eyes"
            if rail == ".rail":
                scores, box, board = (box_of(part) for part in (page.locator("#scores"), eyes, page.locator("#board")))
                assert box["x"] >= scores["x"] - 1, "the eyes stand in the rail"
                assert box["y"] >= scores["y"] + scores["height"]
                assert page.evaluate(LOWEST) <= board["y"] + board["height"], (size, ply)
                parts = [box_of(page.locator(part)) for part in (".round-play", ".again-from .chip-button")]
                buttons.setdefault(size, set()).add(str(parts))
    assert all(len(places) == 1 for places in buttons.values()), buttons


# --- Reveille: won dominoes, half dominoes for trumps, burnt tricks beside the bids -----------------------------------


@pytest.mark.slow
def test_won_dominoes_stay_large_and_inside_their_tray(browser: Browser) -> None:
    match = played("reveille", 2, lambda m: is_asked_in(m, reveille.Phase.STAGE_TWO) and int(m.state.tricks.max()) == 5)
    drawn = Drawn(browser, 390, 844)
    page = drawn.table(match)
    many = page.locator(".won-tray .tricks").filter(has=page.locator(".pair:nth-child(5)"))
    heights = many.locator(".piece").evaluate_all("(all) => all.map((e) => e.getBoundingClientRect().height)")
    assert len(heights) == 10
    assert min(heights) > 16, "as large as four tricks are"
    for size in (*PHONES, (414, 736), (768, 1024)):
        drawn.resize(size)
        assert not unseen(page, ".won-tray .piece"), size
        assert page.evaluate(BEYOND_THEIR_TRAY) == [], size


def test_trump_choice_offers_seven_numbers_and_raises_the_dominoes_with_the_chosen_one(drawn: Drawn) -> None:
    page = drawn.table(
        played("reveille", 2, lambda m: is_asked_in(m, reveille.Phase.NAMING) and int(m.state.high) < 42)
    )
    faces, main = page.locator("#faces .face"), page.locator("#actions .primary")
    assert faces.count() == 7
    assert not page.locator("input[type=range]").count()
    for _ in ("with the number held most", "with another one"):
        for size in (*PHONES, DESK):
            drawn.resize(size)
            assert all(min(box_of(face)["width"], box_of(face)["height"]) >= 44 for face in faces.all()), size
            assert not unseen(page, "#faces .face, #zone-hand .piece, #actions .button"), size
            assert not overlaps(page, "#faces .face", "#zone-hand .piece, .prompt, .actions .button"), size
        chosen = page.locator("#faces [aria-checked=true]")
        number, held = str(chosen.get_attribute("data-number")), chosen.inner_text()
        bones = page.eval_on_selector_all("#zone-hand .piece", "(all) => all.map((e) => [e.dataset.face, e.className])")
        for face, looks in bones:
            assert ("raised" in looks) == (number in face)
            assert ("dimmed" in looks) == (number not in face) or held == "0"
        assert held == str(sum(number in face for face, _ in bones))
        assert main.get_attribute("data-button") == f"suit-{number}"
        assert main.inner_text() == f"Name {SUIT_PLURALS[int(number)]}"
        page.keyboard.press("4" if number != "4" else "3")
    faces.last.click()
    assert main.inner_text() == "Name blanks"
    main.click()
    assert drawn.moves() == [reveille.Act.TRUMP]


def test_nello_is_offered_as_an_eighth_choice_beside_the_trumps_after_a_bid_of_42(drawn: Drawn) -> None:
    page = drawn.table(
        played("reveille", 2, lambda m: is_asked_in(m, reveille.Phase.NAMING) and int(m.state.high) == 42)
    )
    assert page.locator("#faces .face").count() == 8
    page.keyboard.press("n")
    assert page.locator("#actions .primary").inner_text() == "Play nello"
    for size in (PHONES[0], DESK):
        drawn.resize(size)
        assert not unseen(page, "#faces .face, #zone-hand .piece, #actions .button"), size


@pytest.mark.slow
def test_auction_shows_discarded_tricks_with_the_memory_aid_and_only_their_number_without_it(drawn: Drawn) -> None:
    match = played("reveille", 2, lambda m: is_asked_in(m, reveille.Phase.AUCTION) and int(m.state.call_count) >= 2)
    page = drawn.table(match, memory=True)
    assert page.locator("#panel-gone .piece").count() == 14
    assert page.locator("#panel-offered .piece").count() >= 1
    for size in (*PHONES, DESK):
        drawn.resize(size)
        assert not unseen(page, ".tray .piece, .tray h2, #zone-hand .piece, #actions .button, .ladder li:last-child")
        assert not overlaps(page, ".tray", ".ladder li, .seat .person, #prompt, .stages, .others .piece"), size
        assert not overlaps(page, "#panel-gone", "#panel-offered"), size
    page = drawn.table(match, memory=False)
    assert not page.locator(".tray").count(), "only the memory aid remembers"
    for size in (*PHONES, DESK):
        drawn.resize(size)
        assert "7 tricks burnt" in page.locator("#zone-burnt-tricks").inner_text().replace("\n", " ")
        assert not unseen(page, "#zone-burnt-tricks .label, #zone-hand .piece, #actions .button"), size


# --- cards flipped in steps: the rail is not blank --------------------------------------------------------------------


def last_to_confirm(match: Match) -> bool:
    """Return whether Reveal's cards are flipped as soon as the first seat confirms."""
    return may_confirm(match) and int(match.state.confirmed) == 2


def after_confirming(match: Match) -> Match:
    """Return the match after the first seat confirms."""
    then = copy(match)
    then.play(0, reveal.Act.CONFIRM.value)
    return then


def sums_of(match: Match) -> list[list[dict[str, Any]]]:
    """Return all players' sums before the first step and after each step."""
    panel = next(p for p in match.table(0, sitters(2)).panels if p.kind == "steps")
    return [panel.data["sums"], *(step["sums"] for step in panel.data["steps"])]


def most_counted_cards(match: Match) -> int:
    """Return the number of cards in the larger sum."""
    return max(len(each["cards"]) for each in sums_of(match)[-1])


#: Records the place of each part of the dock in every frame of the steps once nothing glides, and the distance between
#: the prompt and the sums from the first frame on.
DOCKED = """() => {
  window.docked = new Set();
  window.apart = [];
  const parts = ['#prompt', '#tallies', '#actions', '.tally-card', '.counted-cards'];
  // Every frame that is drawn, even while the clock of the page's script stands still.
  const frame = window.requestAnimationFrame.bind(window);
  const look = () => {
    const stands = document.body.matches('.stepping:not(.gliding)');
    const box = (q) => document.querySelector(q).getBoundingClientRect();
    if (stands) docked.add(parts.map((q) => [q, Math.round(box(q).top), Math.round(box(q).bottom)].join(' ')).join());
    if (document.querySelector('#tallies')) apart.push(box('#tallies').top - box('#prompt').bottom);
    frame(look);
  };
  look();
}"""
#: Time between two steps, and largest time of all steps, in ms.
STEP, ALL_STEPS = 600, 20_000
SHOWN_WHOLE = ".tally-card .name, .tally-card .line, .tally-line > .now, .counted-card:not(.coming) b, #prompt-words"


#: Window size and viewer of the sums.
SUMMED = [*product((*PHONES, DESK), (0,)), *product(PHONES, (SPECTATOR,))]


@pytest.mark.parametrize(
    ("size", "viewer"), mostly(SUMMED, [(PHONE, 0)], [(DESK, 0), *product(PHONES[:1], (0, SPECTATOR))]), ids=str
)
def test_score_sums_of_the_game_reveal_keep_their_place_while_cards_are_flipped_in_steps(
    size: tuple[int, int], viewer: int, drawn: Drawn
) -> None:
    # Six cards or more once took a second row of a phone's dock, which moved its button below the window's edge.
    match = played("reveal", 2, lambda m: last_to_confirm(m) and most_counted_cards(after_confirming(m)) >= 6)
    then = after_confirming(match)
    page = drawn.table(match, viewer)
    page.evaluate(DOCKED)
    # The first cards are flipped after the start has been checked.
    stop_clock(page)
    drawn.send(table_message(then, viewer))
    page.clock.run_for(SHOWN)
    page.wait_for_selector("body.stepping:not(.gliding)")
    sums, cards = sums_of(then), page.locator(".counted-card")
    assert cards.count() == sum(len(each["cards"]) for each in sums[0])
    assert page.locator(".tally-card").count() == 2
    board, button, rail = (box_of(page.locator(part)) for part in ("#board", "#actions [data-all]", "#tallies"))
    for _ in range(3):
        assert not unseen(page, ".tally-card, .tally-card .points, .counted-card:not(.coming), #actions .button")
        assert not overlaps(page, ".tallies", ".board .piece, #actions .button, #prompt")
        assert page.evaluate("document.documentElement.scrollHeight") == size[1]
        assert not page.locator(SHOWN_WHOLE).evaluate_all(
            "all => all.filter((e) => e.scrollWidth > e.clientWidth + 1).length"
        )
        page.clock.run_for(STEP)
    page.clock.run_for(ALL_STEPS)
    page.wait_for_selector("body:not(.stepping)")
    assert viewer or page.locator("#actions :text('Show again')").count()
    assert [int(each["sum"]) for each in sums[-1]] == [int(points) for points in then.state.score]
    assert not page.locator("#tallies").count()
    if size == DESK:
        assert rail["width"] == 424
        assert rail["height"] > 700, "the right third is not blank"
        assert box_of(page.locator("#board")) == board, "the table keeps its width"
        on = box_of(page.locator("#actions .primary"))
        assert abs(on["x"] + on["width"] - button["x"] - button["width"]) < 2, "where Continue comes later"
    else:
        assert len(page.evaluate("[...docked]")) == 1, page.evaluate("[...docked]")
        assert page.evaluate("Math.max(...apart) - Math.min(...apart)") < 2, "the sums come with the words"


# --- desktop: things beside the hand, the place of a waiting card, highlights that hide nothing -----------------------


def test_unplaced_final_card_of_the_game_reveal_is_shown_on_its_players_half_of_the_table(browser: Browser) -> None:
    match = played("reveal", 2, lambda m: is_asked_in(m, reveal.Phase.FINAL))
    match.play(1, match.legal(1)[0])
    assert 0 in match.acting
    page = Drawn(browser, 1440, 900).table(match)
    card = box_of(page.locator("#zone-final-card-0"))
    assert not page.locator("#zone-final-card-1").count()
    board = box_of(page.locator("#board"))
    assert card["y"] > board["y"] + board["height"] / 2


def test_cards_keep_their_opacity_when_their_area_is_highlighted(browser: Browser) -> None:
    page = Drawn(browser, 1440, 900).table(played("detect", 4, lambda m: 0 in m.acting))
    lit = page.locator(".zone.lit")
    assert lit.count()
    opacities = """(zone) => [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules])
      .filter((rule) => rule instanceof CSSKeyframesRule && rule.name === getComputedStyle(zone).animationName)
      .flatMap((rule) => [...rule.cssRules].map((frame) => frame.style.opacity))"""
    assert lit.first.evaluate(opacities) == [""]


@pytest.mark.slow
def test_invitation_settings_and_chat_of_a_lobby_do_not_overlap_on_a_desktop(browser: Browser, server: Server) -> None:
    person = Person(browser, server, 7, **DESKTOP)
    person.new_table("detect", "open", "open")
    page = person.page
    # The chat appears once another player has sat down.
    with server.client() as guest:
        sit(guest, page.url)
    page.wait_for_selector("#phrases")
    for words in ("Hello", "Well played"):
        page.click(f"[data-phrase='{words}']")
    page.wait_for_selector("#chat-lines li:nth-child(2)")
    for size in ((1280, 720), (1366, 768), DESK, (1920, 1080)):
        resize(page, size)
        for one, other in combinations((".invite", ".lobby-rail .house", ".lobby-rail .talk"), 2):
            assert not overlaps(page, one, other)
        lines = page.locator(".invite .link-box, .house dd, #say-text, #phrases button").all()
        assert len(lines) > 10
        for line in lines:
            line.scroll_into_view_if_needed()
            # The trial click fails if something covers the line.
            line.click(trial=True, timeout=1000 * PATIENCE)
