"""Visibility: everything that a table's data holds for a viewer can be seen on the page, at eight window sizes.

Positions of every phase are drawn and checked. A long run plays whole matches and checks after every move.
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
from tests.browser.game_phases import Moment, moment_pages, moments
from tests.browser.offline_pages import BEYOND, CODE, Drawn, resize, sitters, table_message, table_of
from tests.nightly_selection import mostly

pytestmark = [pytest.mark.browser, pytest.mark.timeout(1200)]

#: Window sizes: a small phone upright, two common phones, a tablet upright and sideways, the inside of a browser on a
#: small laptop, a common laptop, a wide screen.
SIZES = ((320, 640), (360, 740), (390, 844), (768, 1024), (1024, 768), (1280, 650), (1440, 900), (1920, 1080))
#: The most common sizes. The long run checks the others.
USUAL = ((390, 844), (1440, 900))
OTHERS = tuple(size for size in SIZES if size not in USUAL)
#: Phones held sideways.
SIDEWAYS = ((844, 390), (667, 375))

#: Each game with its fewest and its most players.
TABLES = tuple((game, seats) for game in GAMES for seats in sorted(set(info(game).seats)))
#: Tables of the daily runs, and the fullest one, for landing runs.
DAILY = (("uncovered", 6), ("reveille", 2))
LANDING = (("detect", 8),)


def problems_at(sizes: Sequence[tuple[int, int]], moment: Moment, page: Page) -> list[str]:
    """Return everything of a moment that is not visible at some sizes."""
    said = moment.table.to_json()
    return [f"{wrong}   [{moment.name}]" for size in sizes for wrong in page_problems(page, said, size)]


#: The parts of the bar's second line: whether each is shown whole, cut, or left out.
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
def test_page_of_every_game_phase_shows_all_table_data_at_common_window_sizes(
    game: str, players: int, browser: Browser
) -> None:
    """A phone's bar has one line. A phone held sideways shows hand and button."""
    wrong = []
    for moment, page in moment_pages(browser, game, players):
        wrong += problems_at(USUAL, moment, page)
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


#: Tables of players with awkward names, each with the name of the first seat.
NAMED = [(*table, turn) for turn, table in enumerate((*TABLES, ("detect", 4)))]
NAMED_AT_LANDING = [named for named in NAMED if named[:2] in (("uncovered", 6), ("detect", 4))]


@pytest.mark.parametrize(("game", "players", "turn"), mostly(NAMED, (), NAMED_AT_LANDING))
def test_long_and_unusual_player_names_are_shown_whole_at_a_table_and_cover_nothing(
    game: str, players: int, turn: int, browser: Browser
) -> None:
    # Names of 15 letters ran under the cards on a phone, and one of 24 made the page wider than the window.
    wrong = [
        what for moment, page in moment_pages(browser, game, players, turn) for what in problems_at(USUAL, moment, page)
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.nightly
@pytest.mark.parametrize(("game", "players"), [*TABLES, ("detect", 3), ("detect", 4)])
def test_page_of_every_game_phase_shows_all_table_data_at_less_common_window_sizes(
    game: str, players: int, browser: Browser
) -> None:
    wrong = []
    for moment, page in moment_pages(browser, game, players):
        if "waits" not in moment.name:  # Much like the page of a player to act.
            wrong += problems_at(OTHERS, moment, page)
    assert not wrong, "\n".join(wrong)


#: Allowed problems with letters of twice the size: the page scrolls, and a line holds few letters.
LARGE = (" long: ", " below the fold: ", " narrow: ")
#: Tables for letters of twice the size, those of the landing runs first.
ENLARGED = list(dict.fromkeys([("uncovered", 6), ("detect", 4), ("detect", 8), ("reveal", 2), ("scout", 5), *TABLES]))


@pytest.mark.parametrize(("game", "players"), mostly(ENLARGED, ENLARGED[:1], ENLARGED[1:3]))
def test_nothing_on_a_table_page_is_cut_off_at_twice_the_usual_font_size(
    game: str, players: int, browser: Browser
) -> None:
    wrong = []
    for moment, page in moment_pages(browser, game, players, large=True):
        assert page.evaluate("parseFloat(getComputedStyle(document.getElementById('prompt-help')).fontSize)") > 24
        found = problems_at(USUAL[:1], moment, page)
        wrong += [line for line in found if not any(kind in line for kind in LARGE)]
    assert not wrong, "\n".join(wrong)


#: Letter sizes of all fields that take typed text.
TYPED = """() => [...document.querySelectorAll("input:not([type=checkbox], [type=radio], [type=hidden]), select")]
  .map((e) => parseFloat(getComputedStyle(e).fontSize))"""


def test_input_fields_have_a_font_size_of_at_least_16_px_on_touch_screens(browser: Browser) -> None:
    """Safari zooms in on a field with smaller letters."""
    drawn = Drawn(browser, *USUAL[0], has_touch=True, is_mobile=True)
    assert min(drawn.table(Match("detect", 2, seed=bytes(32)), talk=rendering.ChatPanel()).evaluate(TYPED)) >= 16


@pytest.mark.parametrize("size", [(320, 640), *USUAL], ids=str)
def test_long_and_unusual_player_names_fit_the_seats_of_a_lobby(size: tuple[int, int], drawn: Drawn) -> None:
    places = tuple(rendering.LobbySeat(seat, name, you=seat == 2, host=seat == 0) for seat, name in enumerate(AWKWARD))
    lobby = rendering.Lobby("detect", "Detect", CODE, f"http://facedown.example/t/{CODE}", places, 2, True)
    page = drawn.open(rendering.lobby_message(lobby, version=1), "detect")
    assert page_problems(page, None, size) == []


#: The shortest whole match of a game.
OPTIONS = {"reveal": {"end": "hands(2)"}}
#: Window sizes for half-made moves: the one with least room, and a desktop.
BEGUN = ((320, 640), (1440, 900))
#: Zones of a page with something to touch.
OFFERED = """() => [...document.querySelectorAll("#app .zone:has(.piece.can), #app .zone.lit")]
  .filter((e) => e.checkVisibility({ visibilityProperty: true })).map((e) => e.id)"""
#: Touches the first or the last touchable thing of a zone. Returns False if the zone has nothing to touch.
TOUCH = """([zone, last]) => {
  const open = [...document.querySelectorAll(`[id="${zone}"] .piece.can`)]
    .filter((e) => e.checkVisibility({ visibilityProperty: true }));
  const piece = last ? open.at(-1) : open[0];
  piece?.click();
  return Boolean(piece);
}"""
#: No move of these games needs more touches before its button.
TOUCHES = 3


@pytest.mark.parametrize(("game", "players"), mostly(TABLES, DAILY[:1], ()))
def test_page_shows_all_table_data_after_each_touch_of_an_unfinished_move(
    game: str, players: int, browser: Browser
) -> None:
    """Touches something in each zone, and then the last thing that is offered, several times."""
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
                wrong += problems_at(BEGUN, moment, page)
                touched = [(page.evaluate(OFFERED) or [""])[-1], True]
    assert not wrong, "\n".join(wrong)


#: Adds a style sheet. The page's policy refuses a style element.
SPOIL = """(text) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}"""

#: Styles that spoil a page, each with the word by which the check must name the problem.
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
def test_layout_check_reports_each_planted_layout_fault(harm: str, browser: Browser) -> None:
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
def test_player_and_spectator_pages_show_all_table_data_after_every_move_of_a_match(
    game: str, players: int, browser: Browser, seed: int
) -> None:
    """Checks a player's and a spectator's page: at all sizes when a phase begins, otherwise at one after another."""
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
            for line in problems_at(sizes, moment, drawn.page):
                wrong.setdefault(*line.split("   ", 1))
        phases.add(table.phase)
        seat = match.acting[0]
        greedy = GreedyBot().choose(match.game, match.known(seat), seat, 0)
        match.play(seat, greedy if seat else chance.choice(match.legal(seat)))
    assert not wrong, "\n".join(f"{what}   {where}" for what, where in wrong.items())
