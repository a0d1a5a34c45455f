"""Seen = said: what a table's data holds for a viewer can be seen on the page, at eight sizes and on small screens.

Positions of every phase are looked at as they are drawn; a long run plays whole matches and looks after every move.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence

import pytest
from playwright.sync_api import Browser, Page

from facedown.bots.simple_bots import GreedyBot
from facedown.check.page_layout import page_problems
from facedown.check.random_matches import GAMES
from facedown.core.game_registry import info
from facedown.core.match import Match
from facedown.core.state import SPECTATOR
from facedown.server import rendering
from tests.awkward_names import AWKWARD
from tests.browser.game_phases import Moment, moments, pages
from tests.browser.offline_pages import BEYOND, CODE, Drawn, resize, sitters, table_message, table_of
from tests.nightly_selection import mostly

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
    return [f"{wrong}   [{moment.name}]" for size in sizes for wrong in page_problems(page, said, size)]


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


#: The sizes of the letters in all fields that letters are typed in.
TYPED = """() => [...document.querySelectorAll("input:not([type=checkbox], [type=radio], [type=hidden]), select")]
  .map((e) => parseFloat(getComputedStyle(e).fontSize))"""


def test_fields_have_letters_of_16_px_under_a_finger(browser: Browser) -> None:
    """Safari enlarges a page whose field has smaller ones."""
    drawn = Drawn(browser, *USUAL[0], has_touch=True, is_mobile=True)
    assert min(drawn.table(Match("detect", 2, seed=bytes(32)), talk=rendering.ChatPanel()).evaluate(TYPED)) >= 16


@pytest.mark.parametrize("size", [(320, 640), *USUAL], ids=str)
def test_awkward_names_have_their_places_in_the_lobby(size: tuple[int, int], drawn: Drawn) -> None:
    places = tuple(rendering.LobbySeat(seat, name, you=seat == 2, host=seat == 0) for seat, name in enumerate(AWKWARD))
    lobby = rendering.Lobby("detect", "Detect", CODE, f"http://facedown.example/t/{CODE}", places, 2, True)
    page = drawn.open(rendering.lobby_message(lobby, version=1), "detect")
    assert page_problems(page, None, size) == []


#: The shortest match of a game that still is a whole one.
OPTIONS = {"reveal": {"end": "hands(2)"}}
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
    found = [wrong for size in USUAL for wrong in page_problems(page, said, size)]
    assert any(word in wrong for wrong in found), sorted(found)


@pytest.mark.alone
@pytest.mark.slow
@pytest.mark.parametrize(("game", "players"), TABLES)
def test_what_the_data_says_is_seen_all_through(game: str, players: int, browser: Browser, seed: int) -> None:
    """A player and a spectator look after every move: at all sizes when a phase begins, else at one after another."""
    chance = random.Random(seed)
    match = Match(game, players, OPTIONS.get(game, {}), seed=chance.randbytes(32))
    viewers = {viewer: Drawn(browser, *USUAL[1], reduced_motion="no-preference") for viewer in (0, SPECTATOR)}
    for viewer, drawn in viewers.items():
        drawn.table(match, viewer)
    turn, phases, wrong = itertools.cycle(SIZES), set[str](), dict[str, str]()
    while not match.over:
        for viewer, drawn in viewers.items():
            drawn.send(table_message(match, viewer))
            drawn.shown()
            table = table_of(match, viewer)
            sizes = [next(turn)] if table.phase in phases else SIZES
            moment = Moment(f"viewer {viewer}, {table.phase}, move {match.ply}", match, viewer, table)
            for line in wrong_at(sizes, moment, drawn.page):
                wrong.setdefault(*line.split("   ", 1))
        phases.add(table.phase)
        seat = match.acting[0]
        greedy = GreedyBot().choose(match.game, match.known(seat), seat, 0)
        match.play(seat, greedy if seat else chance.choice(match.legal(seat)))
    assert not wrong, "\n".join(f"{what}   {where}" for what, where in wrong.items())
