"""Layout transitions: parts glide to their new places when a phase rearranges the table, and else keep their places.

Whole matches are checked frame by frame, with default speed and motion:

* No card leaves the path from its old place to its new one.
* No card flies longer than 600 ms (a swap: 700 ms). Other speeds scale this.
* Nothing on the table changes its place or shape by itself, or under a finger between two touches.
* A move shifts the page by less than 0.02 and moves nothing in the dock.
* Every choice of a turn can be begun by touching something highlighted, without undoing anything first.
* When a phase rearranges the whole table, its parts glide to their new places. This counts as motion, not as a shift.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest
from playwright.sync_api import Browser, Page
from playwright.sync_api import TimeoutError as PageTimeout

from facedown.check.page_layout import NO_ANIMATION_CONDITION
from facedown.check.random_matches import GAMES, play_randomly
from facedown.core.match import Match
from facedown.games.reveal import rules as reveal
from facedown.games.uncovered.rules import Act
from tests.browser.offline_pages import WATCH, Drawn, played, table_message
from tests.browser.page_time import box_of, set_motion_rate, wait_for_frames
from tests.browser.players import Person
from tests.browser.test_whole_matches import SHORT, bots, next_round, over
from tests.nightly_selection import mostly
from tests.server.http_server import Server

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

PHONE, DESK = (390, 844), (1440, 900)
PLAYERS = {"reveal": 2, "detect": 2, "reveille": 2, "scout": 4}
#: Parameters of the landing runs, besides the daily ones.
LANDING = (("detect", DESK), ("scout", PHONE))

#: The rectangle of each part of the table.
PLACES = """() => Object.fromEntries(
  [...document.querySelectorAll('#board .lane, #board .zone[id], #board .piece[id], #prompt, #actions, #board .seat')]
    .map((e) => [e.id, e.getBoundingClientRect()]).filter(([, r]) => r.width && r.height)
    .map(([id, r]) => [id, [r.left, r.top, r.width, r.height].map(Math.round)]))"""

#: Records in every frame by how much the page is wider or higher than the window.
BEYOND = """() => {
  window.__beyond = [0, 0];
  const { documentElement: root } = document;
  const note = () => {
    const now = [root.scrollWidth - root.clientWidth, root.scrollHeight - Math.max(innerHeight, root.clientHeight)];
    window.__beyond = window.__beyond.map((most, i) => Math.max(most, now[i]));
    requestAnimationFrame(note);
  };
  note();
}"""

#: Appends a number to `__noted` in every frame, unless it is undefined.
NOTE = """() => {{
  window.__noted = [];
  const note = () => {{
    const now = {now};
    if (now !== undefined) window.__noted.push(Math.round(now));
    requestAnimationFrame(note);
  }};
  note();
}}"""
#: The top of the prompt, and the right edge of the last button.
NOTES = NOTE.format(now="document.querySelector('#prompt').getBoundingClientRect().top")
BUTTONS = NOTE.format(now="[...document.querySelectorAll('#actions .button')].at(-1)?.getBoundingClientRect().right")


def wait_until_still(page: Page) -> None:
    """Wait until nothing moves, including what was just sent. Steps are shown at once."""
    # A table is shown in two frames, which a busy browser draws late. Until then nothing moves, either.
    wait_for_frames(page)
    page.evaluate("document.querySelector('[data-all]')?.click()")
    wait_for_frames(page)
    page.wait_for_function(f"() => {NO_ANIMATION_CONDITION}")


def hands_of_reveal() -> tuple[list[dict[str, Any]], Match]:
    """Return the messages at the start of each phase of two hands of Reveal, and the match after them."""
    match, chance = Match("reveal", 2, seed=bytes(32)), random.Random(3)
    messages: list[dict[str, Any]] = []
    phases: list[int] = []
    while phases.count(reveal.Phase.FINAL) < 2:
        phase = int(match.state.phase)
        if not phases or phase != phases[-1]:
            phases.append(phase)
            messages.append(table_message(match))
        else:
            play_randomly(match, chance, 1)
    return messages, match


def play_phases(drawn: Drawn, match: Match, most: int = 8) -> None:
    """Play a match at random and send the page a table whenever another phase begins."""
    chance, phase, seen = random.Random(3), int(match.state.phase), 0
    wait_until_still(drawn.page)
    while seen < most and not match.over:
        play_randomly(match, chance, 1)
        if int(match.state.phase) != phase:
            phase, seen = int(match.state.phase), seen + 1
            drawn.send(table_message(match))
            wait_until_still(drawn.page)
    assert seen >= 2


@pytest.mark.parametrize(
    ("game", "size"), mostly(product(PLAYERS, (PHONE, DESK)), [("reveal", PHONE)], LANDING), ids=str
)
def test_animated_page_parts_start_at_their_old_places_and_end_where_a_fresh_page_draws_them(
    game: str, size: tuple[int, int], browser: Browser
) -> None:
    """This includes a card on a gliding part, and a card that is flipped in its place meanwhile."""
    match = Match(game, PLAYERS[game], seed=bytes(32))
    finger = size == PHONE
    window = {"reduced_motion": "no-preference", "is_mobile": finger, "has_touch": finger}
    drawn = Drawn(browser, *size, **window)
    drawn.page.add_init_script(WATCH)
    page = drawn.table(match)
    page.evaluate(BEGINNINGS)
    page.evaluate(BEYOND)
    play_phases(drawn, match)
    assert page.evaluate("window.__glides") > 0
    assert [fault for fault in page.evaluate("window.__watch.faults") if "glide" in fault] == []
    fresh = Drawn(browser, *size, **window).table(match)
    wait_until_still(fresh)
    assert page.evaluate(PLACES) == fresh.evaluate(PLACES)
    if finger:
        wider, higher = page.evaluate("window.__beyond")
        assert wider <= 1, "the page scrolls sideways"
        assert higher <= 1, "the page is higher than the window"


@pytest.mark.slow
def test_buttons_of_the_game_uncovered_appear_in_place_and_do_not_slide_in(browser: Browser) -> None:
    match, chance = Match("uncovered", 2, seed=bytes(32)), random.Random(3)
    drawn = Drawn(browser, 1440, 900, reduced_motion="no-preference")
    page = drawn.table(match)
    wait_until_still(page)
    page.evaluate(BUTTONS)
    came = 0
    while came < 3 and not match.over:
        seat = match.acting[0]
        match.play(seat, chance.choice([action for action in match.legal(seat) if action != Act.UNCOVER]))
        came += 0 in match.acting
        drawn.send(table_message(match))
        wait_until_still(page)
    assert came == 3
    assert page.evaluate("window.__noted.length") > 0
    assert page.evaluate("[...new Set(window.__noted)]") == page.evaluate("window.__noted.slice(-1)"), (
        "nothing slides in"
    )


@pytest.mark.slow
def test_prompt_area_moves_down_gradually_when_it_no_longer_holds_a_hand(browser: Browser) -> None:
    messages, _ = hands_of_reveal()
    drawn = Drawn(browser, 390, 844, reduced_motion="no-preference")
    page = drawn.open(messages[-2], "reveal")
    wait_until_still(page)
    page.evaluate(NOTES)
    # Slow enough that even a busy browser draws it on its way.
    set_motion_rate(page, 0.1)
    drawn.send(messages[-1])
    # On a busy machine the motion takes a while to start.
    page.wait_for_function("() => window.__noted.at(-1) !== window.__noted[0]")
    wait_until_still(page)
    tops = page.evaluate("window.__noted")
    first, last = tops[0], tops[-1]
    assert last > first + 50, "without a hand the dock is lower"
    between = [top for top in tops if first < top < last]
    assert len(between) >= 2, "it is seen on its way"
    assert tops == sorted(tops)


#: Counts the animations of scripts, and names those that do not hold their first frame until they start.
BEGINNINGS = """() => {
  Object.assign(window, { __moves: 0, __glides: 0, __bare: [] });
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, timing) {
    const path = animate.call(this, frames, timing);
    window.__moves++;
    if (path.id === "glide") window.__glides++;
    // Pause it before its start, so that a later check finds it there, however busy the browser is.
    if (window.__held && this.matches(window.__held)) { path.pause(); path.currentTime = -1; }
    if (!["backwards", "both"].includes(path.effect.getTiming().fill)) window.__bare.push(this.id || this.className);
    return path;
  };
}"""


@pytest.mark.slow
def test_animated_page_parts_stay_at_their_old_places_until_the_animation_starts(browser: Browser) -> None:
    """A busy browser may draw a frame before that. Once, everything was at its end in that frame."""
    messages, _ = hands_of_reveal()
    drawn = Drawn(browser, 390, 844, reduced_motion="no-preference")
    page = drawn.open(messages[0], "reveal")
    page.evaluate(BEGINNINGS)
    for message in messages[1:-1]:
        drawn.send(message)
        wait_until_still(page)
    top = page.evaluate("document.querySelector('#prompt').getBoundingClientRect().top")
    page.evaluate("window.__held = '#prompt'")
    drawn.send(messages[-1])
    page.wait_for_function("() => document.querySelector('#prompt').getAnimations().length")
    assert page.evaluate("document.querySelector('#prompt').getBoundingClientRect().top") == pytest.approx(top, abs=1)
    assert page.evaluate("window.__moves") > 20
    assert page.evaluate("[...new Set(window.__bare)]") == []


#: Collects what the browser counts as layout shifts.
GATHER = """() => {
  window.shifts = [];
  new PerformanceObserver((list) => window.shifts.push(...list.getEntries().map((e) => e.value)))
    .observe({ type: "layout-shift" });
}"""


@pytest.mark.parametrize(
    ("game", "size", "piles"),
    [
        # In an earlier version, the piles moved by 14 px when the row of buttons gave its room to the cards.
        ("detect", (360, 740), ("zone-draw-pile", "zone-discard-pile")),
        ("detect", PHONE, ("zone-draw-pile", "zone-discard-pile")),
        # In an earlier version, this zone moved by 230 px at the first deal.
        ("scout", DESK, ("zone-set-aside",)),
    ],
)
def test_card_piles_do_not_move_when_all_players_have_made_their_first_choice(
    game: str, size: tuple[int, int], piles: tuple[str, ...], browser: Browser
) -> None:
    match = Match(game, 2, seed=bytes(32))
    drawn = Drawn(browser, *size, reduced_motion="reduce")
    page = drawn.table(match)
    before = [box_of(page.locator(f"#{pile}")) for pile in piles]
    for seat in match.acting:
        match.play(seat, match.legal(seat)[0])
    drawn.send(table_message(match))
    wait_until_still(page)
    for pile, was in zip(piles, before, strict=True):
        now = box_of(page.locator(f"#{pile}"))
        assert max(abs(was["x"] - now["x"]), abs(was["y"] - now["y"])) <= (2 if game == "scout" else 0.5), (was, now)


@pytest.mark.parametrize("size", [PHONE, DESK], ids=str)
def test_end_of_a_match_of_the_game_uncovered_causes_no_layout_shift(size: tuple[int, int], drawn: Drawn) -> None:
    match = played("uncovered", 2, lambda m: 0 in m.acting and Act.UNCOVER in m.legal(0) and m.ply > 6)
    page = drawn.table(match)
    page.evaluate(GATHER)
    match.play(0, Act.UNCOVER.value)
    drawn.send(table_message(match))
    page.wait_for_selector(".finished")
    wait_until_still(page)
    assert sum(page.evaluate("shifts")) < 0.05


# --- whole matches, checked frame by frame ----------------------------------------------------------------------------

#: Input device for a round of each game. Whole matches use both.
MEANS = {"reveal": "touch", "detect": "mouse", "reveille": "touch", "uncovered": "mouse", "scout": "touch"}
#: Games with another animation speed. What holds at the default speed holds at any.
PACES = {"scout": "quick", "reveille": "calm"}
#: Uncovered! may end at once, so this number of touches go to cards first, if a card may be touched.
CARDS_FIRST = 12
#: Whether nothing moves on the table, or the match is over.
RESTS = """() => !document.querySelector('#board') || window.__watch.rest
  || Boolean(document.querySelector('form[action$="/again"]'))"""


class Watcher(Person):
    """A player who waits until nothing moves before each touch. Every frame is checked."""

    def __init__(self, browser: Browser, server: Server, seed: int, means: str = "mouse", **context: Any) -> None:
        super().__init__(browser, server, seed, means, **context)
        self.page.add_init_script(WATCH)
        self.turns = 0

    def act(self, seen: dict[str, Any] | None = None) -> bool:
        """Touch one thing once nothing moves. Before that, check that every choice of the turn can be begun."""
        while (wrong := self.look("() => document.querySelector('#board') ? window.__watch.free() : []")) is None:
            self.wait_for_rest()
        assert not wrong, wrong
        self.watched()
        self.buttons = 0.0 if self.turns < CARDS_FIRST else 0.2
        acted = super().act()
        self.turns += acted
        return acted

    def wait_for_rest(self) -> None:
        """Wait until nothing moves on the table, or the match is over."""
        try:
            self.page.wait_for_function(RESTS)
        except PageTimeout as error:
            raise AssertionError(self.restless()) from error

    def restless(self) -> str:
        """Return why the table does not come to rest."""
        looks: list[str] = []
        for _ in range(2):
            looks.append(self.look("() => window.__watch.restless()"))
            wait_for_frames(self.page, 60)
        return f"the table does not come to rest: {'; then '.join(looks)}; {self.complaints}"

    def watched(self) -> dict[str, Any]:
        """Return how much was checked. Fails if a fault was found."""
        found: dict[str, Any] = self.look(
            "() => { const { frames, rests, flights, longest, shift, faults } = __watch;"
            " return { frames, rests, flights, longest, shift, faults }; }"
        )
        assert not found["faults"], found["faults"]
        return found


#: A round of each game, and whole matches at the default speed. Four of these take many minutes: they are run by hand
#: on an idle machine.
LOOKED_AT = [
    *(pytest.param(game, MEANS[game], next_round, marks=pytest.mark.nightly) for game in GAMES),
    *(
        pytest.param(game, means, over, marks=[pytest.mark.alone, pytest.mark.slow, pytest.mark.timeout(1000)])
        for game, means in product(GAMES, ("touch", "mouse"))
    ),
]


@pytest.mark.timeout(600)
@pytest.mark.parametrize(("game", "means", "done"), LOOKED_AT)
def test_no_page_part_jumps_during_a_match_and_every_choice_starts_with_one_touch(
    game: str, means: str, done: Callable[[dict[str, Any]], bool], browser: Browser, paced_server: Server, seed: int
) -> None:
    person = Watcher(browser, paced_server, seed, means)
    pace = PACES.get(game, "usual")
    person.context.add_cookies([{"name": "facedown-pace", "value": pace, "url": paced_server.origin}])
    person.new_table(game, *bots(game), **SHORT.get(game, {}))
    person.play_until(done, seconds=300 if done is next_round else 900)
    # Check the cards of the next deal, too.
    person.wait_for_rest()
    watched = person.watched()
    print(game, means, person.turns, watched)
    assert watched["frames"] > watched["rests"] >= person.turns, (
        "the table was looked at, and lay still before each touch"
    )
    assert watched["flights"] > person.turns / 10, "cards were seen on their way"
