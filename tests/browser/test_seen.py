"""Seen = said: what a table's data holds for a viewer can be seen on the page, at eight sizes and on small screens.

Positions of every phase are looked at as they are drawn; a long run plays whole matches and looks after every move.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence

import pytest
from playwright.sync_api import Browser, Page

from facedown.check.driver import GAMES, play_randomly
from facedown.check.layout import AT_REST, LOOK, looked_at
from facedown.core.game import info
from facedown.core.match import Match
from facedown.core.state import SPECTATOR
from facedown.core.table import Table
from facedown.server import look
from tests.browser.drawn import CODE, Drawn, sitters
from tests.browser.page_time import wait_for_frames
from tests.browser.people import Person
from tests.browser.phases import Moment, moments, pages
from tests.browser.test_whole_matches import SHORT
from tests.names import AWKWARD
from tests.selection import mostly
from tests.server.serving import Server

pytestmark = [pytest.mark.browser, pytest.mark.timeout(1200)]

#: Width and height: a small phone upright, two usual ones, a tablet upright and on its side, what is left of a
#: small laptop's screen inside a browser, a usual laptop, a wide screen.
SIZES = ((320, 640), (360, 740), (390, 844), (768, 1024), (1024, 768), (1280, 650), (1440, 900), (1920, 1080))
#: What most people have; the other sizes are looked at in the long run.
USUAL = ((390, 844), (1440, 900))
OTHERS = tuple(size for size in SIZES if size not in USUAL)
#: Phones on their side.
SIDEWAYS = ((844, 390), (667, 375))

#: Each game with the fewest and the most who play it.
TABLES = tuple((game, seats) for game in GAMES for seats in sorted(set(info(game).seats)))
#: Tables of the daily runs, and further ones of the landing runs: the fullest, and the one with most to say.
DAILY = (("uncovered", 6), ("reveille", 2))
LANDING = (("detect", 8), ("scout", 5))


def wrong_at(sizes: Sequence[tuple[int, int]], moment: Moment, page: Page) -> list[str]:
    """Everything of a moment that is not seen at some sizes."""
    said = moment.table.to_json()
    return [f"{wrong}   [{moment.name}]" for size in sizes for wrong in looked_at(page, said, size)]


def resize(page: Page, size: tuple[int, int]) -> None:
    """Give the window another size, and wait until everything is laid out anew and lies still."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    # The window has its new size before anything in it is laid out anew.
    wait_for_frames(page)
    page.wait_for_function(AT_REST)


#: The parts of the bar's second line: what each says, and whether it is seen whole, or not at all.
PARTS = """() => {
  const line = document.querySelector(".bar .parts");
  const frame = line.getBoundingClientRect();
  const bar = document.querySelector(".bar").getBoundingClientRect();
  const title = document.querySelector(".bar h1").getBoundingClientRect();
  const seen = [...line.children].map((part) => {
    const r = part.getBoundingClientRect();
    const cut = part.scrollWidth > part.clientWidth;
    return r.top >= frame.bottom - 1 ? "left out" : cut || r.right > frame.right + 1 ? "cut" : "whole";
  });
  const lines = Math.round(frame.height / parseFloat(getComputedStyle(line).lineHeight));
  return { seen, lines, within: title.top >= bar.top && frame.bottom <= bar.bottom + 1 };
}"""

#: What of the hand, the words and the buttons is not whole in the window.
BEYOND = """() => [...document.querySelectorAll(
    ".hand-area .piece:not(.k-gap), .you-area .piece, #actions .button, #prompt-words")]
  .filter((e) => e.checkVisibility({ visibilityProperty: true }))
  .map((e) => [e.id || e.textContent.trim(), e.getBoundingClientRect()])
  .filter(([, r]) => r.left < -1 || r.top < 0 || r.right > innerWidth + 1 || r.bottom > innerHeight + 1)
  .map(([name, r]) => `${name}: ${[r.left, r.top, r.right, r.bottom].map(Math.round)}`)
  .concat(document.documentElement.scrollHeight > innerHeight + 1 ? ["the page scrolls"] : [])"""


@pytest.mark.parametrize(("game", "players"), mostly(TABLES, DAILY, LANDING))
def test_every_phase_is_seen(game: str, players: int, browser: Browser) -> None:
    """The bar of a phone has one line, and a phone on its side shows hand and button."""
    wrong = []
    for moment, page in pages(browser, game, players):
        wrong += wrong_at(USUAL, moment, page)
        for size in SIDEWAYS:
            resize(page, size)
            wrong += [f"{size} {what}   [{moment.name}]" for what in page.evaluate(BEYOND)]
        for width in (320, 390):
            page.set_viewport_size({"width": width, "height": 844})
            bar = page.evaluate(PARTS)
            assert bar["lines"] == 1, moment.name
            assert bar["within"], moment.name
            assert bar["seen"][0] == "whole", moment.name
            assert "cut" not in bar["seen"], moment.name
        page.locator('[data-open="log"]').first.click()
        assert page.locator("#rail .narrow.line").inner_text() == moment.table.subtitle
    assert not wrong, "\n".join(wrong)


#: Tables at which people with awkward names play, each with which of them has the first seat.
NAMED = [(*table, turn) for turn, table in enumerate((*TABLES, ("detect", 4)))]
NAMED_AT_LANDING = [named for named in NAMED if named[:2] in (("uncovered", 6), ("detect", 4), ("reveal", 2))]


@pytest.mark.parametrize(("game", "players", "turn"), mostly(NAMED, (), NAMED_AT_LANDING))
def test_awkward_names_are_seen_and_cover_nothing(game: str, players: int, turn: int, browser: Browser) -> None:
    # Names of 15 letters ran under the cards on a phone, and one of 24 made the page wider than the window.
    wrong = [what for moment, page in pages(browser, game, players, turn) for what in wrong_at(USUAL, moment, page)]
    assert not wrong, "\n".join(wrong)


@pytest.mark.nightly
@pytest.mark.parametrize(("game", "players"), [*TABLES, ("detect", 3), ("detect", 4)])
def test_every_phase_is_seen_at_other_sizes(game: str, players: int, browser: Browser) -> None:
    wrong = []
    for moment, page in pages(browser, game, players):
        if "waits" not in moment.name:  # much like whoever is asked
            wrong += wrong_at(OTHERS, moment, page)
    assert not wrong, "\n".join(wrong)


#: What may be so where letters are twice as large: the page is scrolled, and a line holds few of them.
LARGE = (" long: ", " below the fold: ", " narrow: ")
#: Tables with letters of twice the size, those of a landing first.
ENLARGED = list(dict.fromkeys([("uncovered", 6), ("detect", 4), ("detect", 8), ("reveal", 2), ("scout", 5), *TABLES]))


@pytest.mark.parametrize(("game", "players"), mostly(ENLARGED, ENLARGED[:1], ENLARGED[1:5]))
def test_nothing_is_cut_with_letters_of_twice_the_size(game: str, players: int, browser: Browser) -> None:
    wrong = []
    for moment, page in pages(browser, game, players, large=True):
        assert page.evaluate("parseFloat(getComputedStyle(document.getElementById('prompt-help')).fontSize)") > 24
        found = wrong_at(USUAL[:1], moment, page)
        wrong += [line for line in found if not any(kind in line for kind in LARGE)]
    assert not wrong, "\n".join(wrong)


def hand_of(match: Match) -> int:
    """How many cards seat 0 holds."""
    zones = match.table(0, sitters(match.seats)).zones
    return sum(piece.kind == "face" for zone in zones if zone.id == "hand" for piece in zone.pieces)


def test_a_hand_of_two_rows_and_its_button_need_no_scrolling(browser: Browser) -> None:
    match, chance = Match("scout", 5, {}, seed=bytes([31]) * 32), random.Random(31)
    # Thirteen cards lie in two rows.
    while 0 not in match.acting or hand_of(match) < 13:
        play_randomly(match, chance, 1)
    page = Drawn(browser, *USUAL[0]).table(match, 0, hints=True)
    for size in ((320, 640), (360, 740), (390, 740), (390, 844), (412, 915), (1024, 768)):
        resize(page, size)
        assert page.evaluate(BEYOND) == [], size


#: The sizes of the letters in all fields that letters are typed in.
TYPED = """() => [...document.querySelectorAll("input:not([type=checkbox], [type=radio], [type=hidden]), select")]
  .map((e) => parseFloat(getComputedStyle(e).fontSize))"""


def test_fields_have_letters_of_16_px_under_a_finger(browser: Browser) -> None:
    """Safari enlarges a page whose field has smaller ones."""
    drawn = Drawn(browser, *USUAL[0], has_touch=True, is_mobile=True)
    assert min(drawn.table(Match("detect", 2, seed=bytes(32)), talk=look.Talk()).evaluate(TYPED)) >= 16


@pytest.mark.parametrize("size", [(320, 640), *USUAL], ids=str)
def test_awkward_names_have_their_places_in_the_lobby(size: tuple[int, int], browser: Browser) -> None:
    places = tuple(look.Place(seat, name, you=seat == 2, host=seat == 0) for seat, name in enumerate(AWKWARD))
    lobby = look.Lobby("detect", "Detect", CODE, f"http://facedown.example/t/{CODE}", places, 2, True)
    page = Drawn(browser, *size).open(look.lobby_message(lobby, version=1), "detect")
    assert looked_at(page, None, size) == []


#: At these a move that is begun is looked at: where there is least room, and on a desktop.
BEGUN = ((320, 640), (1440, 900))
#: The zones of a page that offer something to touch.
OFFERED = """() => [...document.querySelectorAll("#app .zone:has(.piece.can), #app .zone.lit")]
  .filter((e) => e.checkVisibility({ visibilityProperty: true })).map((e) => e.id)"""
#: Touches the first or the last thing of a zone that may be touched; False when there is none.
TOUCH = """([zone, last]) => {
  const open = [...document.querySelectorAll(`[id="${zone}"] .piece.can`)]
    .filter((e) => e.checkVisibility({ visibilityProperty: true }));
  const piece = last ? open.at(-1) : open[0];
  piece?.click();
  return Boolean(piece);
}"""
#: No move of these games needs more touches before its button.
TOUCHES = 3


@pytest.mark.parametrize(("game", "players"), mostly(TABLES, DAILY[:1], LANDING[1:]))
def test_what_is_begun_is_seen(game: str, players: int, browser: Browser) -> None:
    """Whatever zone is touched first, and the last thing that is offered then, one after the other."""
    drawn = Drawn(browser, *BEGUN[0])
    wrong = []
    for moment in moments(game, players):
        if "is asked" not in moment.name:
            continue
        for zone in drawn.table(moment.match, moment.viewer).evaluate(OFFERED):
            page = drawn.table(moment.match, moment.viewer)
            touched = [zone, False]
            for _ in range(TOUCHES):
                if not page.evaluate(TOUCH, touched):
                    break
                wrong += wrong_at(BEGUN, moment, page)
                touched = [(page.evaluate(OFFERED) or [""])[-1], True]
    assert not wrong, "\n".join(wrong)


#: Adds a style; an element of style is refused by the page's own policy.
SPOIL = """(text) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}"""

#: Styles that spoil a page, each with the word by which the look must name the harm.
SPOILED = {
    "a card lies beyond the edge": ("#at-p1-a1 { position: fixed; left: -200px; top: 0 }", "out of sight"),
    "a pile is not there": (".mid .piece { display: none }", "hidden"),
    "a card has shrunk to nothing": (".you-area .piece { width: 0; overflow: hidden }", "no size"),
    "a sheet lies over the table": (
        "#bar { position: fixed; inset: 0; z-index: 99; height: 100vh; background: #fff }",
        "covered",
    ),
    "a name is cut": (".others .who { flex: none; width: 24px }", "cut"),
    "words in a narrow column": (".prompt .words { flex: 0 0 60px }", "narrow"),
    "the page is too wide": ("#board { min-width: 120vw }", "sideways"),
    "grids touch": (".others .seat { margin-right: -40px }", "touching"),
    "buttons lie over each other": (".bar .tool { margin-right: -30px }", "overlap"),
    "a frame lies over what somebody does": (".you-area { margin-top: -90px !important }", "the frame of"),
    "the button is below the fold": ("#app { padding-bottom: 0 } .prompt { margin-top: 700px }", "below the fold"),
}


@pytest.mark.parametrize("harm", mostly(SPOILED, (), ("a sheet lies over the table", "a name is cut")))
def test_the_look_sees_what_is_spoiled(harm: str, browser: Browser) -> None:
    style, word = SPOILED[harm]
    match = Match("detect", 4, seed=bytes(32))
    page = Drawn(browser, *USUAL[0]).table(match)
    page.evaluate(SPOIL, style)
    said = match.table(0, sitters(4)).to_json()
    found = [wrong for size in USUAL for wrong in looked_at(page, said, size)]
    assert any(word in wrong for wrong in found), sorted(found)


LOOKS_AGAIN = 4


class Viewer:
    """What one viewer's table holds on the server, beside what they see in the browser."""

    def __init__(self, server: Server, person: Person, seat: int) -> None:
        self.server, self.person, self.seat = server, person, seat
        self.room = server.room(person.page.url)
        self.found: dict[str, str] = {}
        """Everything wrong so far, with where it was first seen."""

    def said(self) -> tuple[int, Table]:
        """The version and the table that this viewer has now."""

        async def read() -> tuple[int, Table]:
            session = self.room.session
            return session.version(self.seat), session.table(self.seat)

        return self.server.within(read())

    def look(self, sizes: Sequence[tuple[int, int]], where: str) -> None:
        """Look at the page at these sizes, one after the other; what is wrong is kept in `found`."""
        for width, height in sizes:
            self.person.page.set_viewport_size({"width": width, "height": height})
            for mistake in self._wrong(f"{width}×{height} "):
                self.found.setdefault(f"{width}×{height} {mistake}", where)

    def _wrong(self, size: str) -> list[str]:
        """What is wrong for good: the page may be about to follow the server, or to come to rest."""
        last: list[str] = []
        for again in range(LOOKS_AGAIN):
            self.person.page.wait_for_function(AT_REST)
            table = self.said()[1]
            seen = list(self.person.look(LOOK, None if table.over else table.to_json()))
            if all(size + mistake in self.found for mistake in seen):
                return []
            if seen == last:
                return seen
            last = seen
            wait_for_frames(self.person.page, 9 * (again + 1))
        return last


@pytest.mark.alone
@pytest.mark.slow
@pytest.mark.parametrize(("number", "game", "players"), [(number, *table) for number, table in enumerate(TABLES)])
def test_what_the_data_says_is_seen_all_through(
    number: int, game: str, players: int, browser: Browser, server: Server, seed: int
) -> None:
    """Two look after every move: at all sizes when a phase begins, else at one after another."""
    person, guest = Person(browser, server, seed), Person(browser, server, seed + 1)
    for somebody in (person, guest):
        somebody.page.emulate_media(reduced_motion="no-preference")
    name = AWKWARD[number % len(AWKWARD)]
    url = person.new_table(game, *["greedy"] * (players - 1), name=name, **SHORT.get(game, {}))
    guest.page.goto(url)
    guest.page.locator('form[action$="/watch"] button').click()
    guest.page.wait_for_selector("#board")
    viewers = {"seat": Viewer(server, person, 0), "spectator": Viewer(server, guest, SPECTATOR)}
    turn = itertools.cycle(SIZES)
    seen, phases = -1, set[str]()
    while not (said := viewers["seat"].said())[1].over:
        version, table = said
        if version != seen:
            sizes = [next(turn)] if table.phase in phases else SIZES
            for role, viewer in viewers.items():
                viewer.look(sizes, f"{role}, {table.phase}, version {version}")
            seen, phases = version, phases | {table.phase}
        if not person.act():
            wait_for_frames(person.page)
        assert not person.complaints, person.complaints
    wrong = [f"{role}: {what}   [{where}]" for role, of in viewers.items() for what, where in of.found.items()]
    assert not wrong, "\n".join(wrong)
