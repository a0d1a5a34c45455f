"""Seen = said: what the server's data holds for a viewer can be seen on the page, at eight sizes.

Positions of every phase are looked at as they are drawn; a long run plays whole matches and looks after every move.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from facedown.check.layout import looked_at
from tests.browser.drawn import Drawn
from tests.browser.looking import SIZES, Seen, sit, sizes_in_turn, watch
from tests.browser.page_time import wait_for_frames
from tests.browser.people import Person, Server
from tests.browser.phases import moments
from tests.names import awkward_sitters
from tests.selection import mostly

pytestmark = [pytest.mark.browser, pytest.mark.timeout(1200)]

#: Each game with the fewest and the most who play it.
TABLES = (
    ("reveal", 2),
    ("detect", 2),
    ("detect", 8),
    ("reveille", 2),
    ("uncovered", 2),
    ("uncovered", 6),
    ("scout", 2),
    ("scout", 5),
)

#: The shortest match of each game that still is a whole one.
SHORT: dict[str, dict[str, str]] = {"reveal": {"end": "hands(1)"}}


#: Tables of the daily runs, and further ones of the landing runs: the fullest, and the one with most to say.
DAILY = (("uncovered", 6),)
LANDING = (("detect", 8), ("scout", 5))


#: What most people have; the other sizes are looked at in the long run.
USUAL = ((390, 844), (1440, 900))
OTHERS = tuple(size for size in SIZES if size not in USUAL)


def wrong_at_rest(
    browser: Browser, game: str, players: int, sizes: Sequence[tuple[int, int]], turn: int | None = None
) -> list[str]:
    """Everything that is not seen of each phase, by whoever is asked, whoever waits and whoever watches."""
    drawn = Drawn(browser, *sizes[0])
    found: dict[str, str] = {}
    for moment in moments(game, players, turn):
        if sizes is OTHERS and "waits" in moment.name:
            continue  # much like whoever is asked
        page = drawn.table(moment.match, moment.viewer, turn=turn, hints=True)
        for size in sizes:
            for wrong in looked_at(page, moment.table.to_json(), size):
                found.setdefault(wrong, moment.name)
    return [f"{wrong}   [{where}]" for wrong, where in found.items()]


@pytest.mark.parametrize(("game", "players"), mostly(TABLES, DAILY, LANDING))
def test_every_phase_is_seen(game: str, players: int, browser: Browser) -> None:
    wrong = wrong_at_rest(browser, game, players, USUAL)
    assert not wrong, "\n".join(wrong)


#: Tables at which people with awkward names play, each with which of them has the first seat.
AWKWARD = [(*table, turn) for turn, table in enumerate((*TABLES, ("detect", 4)))]


@pytest.mark.parametrize(("game", "players", "turn"), mostly(AWKWARD, AWKWARD[:0], AWKWARD[5:9:3] + AWKWARD[:1]))
def test_awkward_names_are_seen_and_cover_nothing(game: str, players: int, turn: int, browser: Browser) -> None:
    # Names of 15 letters ran under the cards on a phone, and one of 24 made the page wider than the window.
    wrong = wrong_at_rest(browser, game, players, USUAL, turn)
    assert not wrong, "\n".join(wrong)


@pytest.mark.nightly
@pytest.mark.parametrize(("game", "players"), [*TABLES, ("detect", 3), ("detect", 4)])
def test_every_phase_is_seen_at_other_sizes(game: str, players: int, browser: Browser) -> None:
    wrong = wrong_at_rest(browser, game, players, OTHERS)
    assert not wrong, "\n".join(wrong)


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


def begun(page: Page, said: dict[str, Any], name: str, found: dict[str, str]) -> None:
    """Touch what a position offers, one thing after the other, and look each time."""
    for touches in range(TOUCHES):
        for size in BEGUN:
            for wrong in looked_at(page, said, size):
                found.setdefault(wrong, f"{name}, {touches + 1} touched")
        offered = page.evaluate(OFFERED)
        if not offered or not page.evaluate(TOUCH, [offered[-1], True]):
            return


@pytest.mark.parametrize(("game", "players"), mostly(TABLES, DAILY, LANDING[1:]))
def test_what_is_begun_is_seen(game: str, players: int, browser: Browser) -> None:
    drawn = Drawn(browser, *BEGUN[0])
    found: dict[str, str] = {}
    for moment in moments(game, players):
        if "is asked" not in moment.name:
            continue
        said = moment.table.to_json()
        for zone in drawn.table(moment.match, moment.viewer).evaluate(OFFERED):
            page = drawn.table(moment.match, moment.viewer)
            if page.evaluate(TOUCH, [zone, False]):
                begun(page, said, f"{moment.name}, {zone}", found)
    assert not found, "\n".join(f"{wrong}   [{where}]" for wrong, where in found.items())


def walk(person: Person, viewers: dict[str, Seen]) -> None:
    """Play, and let everybody look after every move: at all sizes when a phase begins, else at one after another."""
    me = viewers["seat"]
    turn = sizes_in_turn()
    version = -1
    phases: set[str] = set()
    while True:
        view = me.said()
        if view["status"] != "running":
            return
        if view["version"] != version:
            version = view["version"]
            phase = view["table"]["phase"]
            new = phase not in phases
            phases.add(phase)
            for name, seen in viewers.items():
                seen.look(SIZES if new else next(turn), f"{name}, {phase}, version {version}")
        if not person.act():
            wait_for_frames(person.page)
        assert not person.complaints, person.complaints


def seen_while_playing(browser: Browser, server: Server, seed: int, game: str, players: int) -> list[str]:
    """Everything wrong that a player and a spectator meet in a match."""
    person, guest = Person(browser, server, seed), Person(browser, server, seed + 1)
    for somebody in (person, guest):
        somebody.page.emulate_media(reduced_motion="no-preference")
    name = awkward_sitters(1, TABLES.index((game, players)))[0].name
    me = sit(person, game, *["greedy"] * (players - 1), name=name, **SHORT.get(game, {}))
    viewers = {"seat": me, "spectator": watch(guest, me)}
    walk(person, viewers)
    return [f"{name}: {wrong}" for name, seen in viewers.items() for wrong in seen.mistakes()]


@pytest.mark.alone
@pytest.mark.slow
@pytest.mark.parametrize(("game", "players"), TABLES)
def test_what_the_data_says_is_seen_all_through(
    game: str, players: int, browser: Browser, server: Server, seed: int
) -> None:
    wrong = seen_while_playing(browser, server, seed, game, players)
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
def test_the_look_sees_what_is_spoiled(harm: str, browser: Browser, server: Server, seed: int) -> None:
    person = Person(browser, server, seed)
    seen = sit(person, "detect", *["greedy"] * 3)
    style, word = SPOILED[harm]
    person.page.evaluate(SPOIL, style)
    seen.look(USUAL)
    assert any(word in wrong for wrong in seen.found), sorted(seen.found)
