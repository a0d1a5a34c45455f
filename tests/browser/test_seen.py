"""Seen = said: what the server's data holds for a viewer can be seen on the page, after every move, at six sizes."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from tests.browser.looking import SIZES, Seen, sit, sizes_in_turn, watch
from tests.browser.people import Person, Server

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

#: What is known to be wrong, by game and number of players; to be mended, and then to be taken off this list.
KNOWN: dict[tuple[str, int], tuple[str, ...]] = {
    # Three pixels of eight players' last row.
    ("detect", 8): ("360×740 below the fold",),
    ("reveal", 2): ("320×640 hidden: draw", "320×640 hidden: discard"),
    # Of the tricks won there is only the sum, of the tricks burnt nothing, where there is no room.
    ("reveille", 2): ("320×640 hidden:", "360×740 hidden: burnt", "390×844 hidden: burnt", "768×1024 hidden: burnt"),
}

#: The same of what those see who only watch: on phones two games have no layout of their own for them yet.
PHONES = ("320×640", "360×740", "390×844", "768×1024")
KNOWN_WATCHING: dict[tuple[str, int], tuple[str, ...]] = {
    ("reveal", 2): PHONES,
    ("scout", 5): PHONES,
    ("detect", 2): (
        "touching: zone-grid-0 and zone-draw-pile",
        "touching: zone-grid-1 and zone-discard-pile",
        "covered: draw",
        "covered: discard",
    ),
}

#: How many moves the everyday run looks at; all of a match's in the long one.
SAMPLE = 8
#: The shortest match of each game that still is a whole one.
SHORT: dict[str, dict[str, str]] = {"reveal": {"end": "hands", "end-hands-0": "1"}}


def walk(person: Person, viewers: dict[str, Seen], moves: int) -> None:
    """Play, and let everybody look after every move: at many sizes when a phase begins, else at one after another."""
    me = viewers["seat"]
    turn = sizes_in_turn()
    looked, version = 0, -1
    phases: set[str] = set()
    while looked < moves:
        view = me.said()
        if view["status"] != "running":
            return
        if view["version"] != version:
            version = view["version"]
            looked += 1
            phase = view["table"]["phase"]
            new = phase not in phases
            phases.add(phase)
            for number, (name, seen) in enumerate(viewers.items()):
                sizes = SIZES if new else next(turn)
                if moves == SAMPLE and new:
                    sizes = SIZES[(looked + number) % 2 :: 2]
                if moves > SAMPLE or new or seen is me:
                    seen.look(sizes, f"{name}, {phase}, version {version}")
        if not person.act():
            person.page.wait_for_timeout(50)
        assert not person.complaints, person.complaints


def seen_while_playing(browser: Browser, server: Server, seed: int, game: str, players: int, moves: int) -> list[str]:
    """Everything wrong that a player and a spectator meet in so many moves."""
    person, guest = Person(browser, server, seed), Person(browser, server, seed + 1)
    for somebody in (person, guest):
        somebody.page.emulate_media(reduced_motion="no-preference")
    me = sit(person, game, *["greedy"] * (players - 1), **(SHORT.get(game, {}) if moves > SAMPLE else {}))
    viewers = {"seat": me, "spectator": watch(guest, me)}
    walk(person, viewers, moves)
    known = {"seat": KNOWN.get((game, players), ())}
    known["spectator"] = known["seat"] + KNOWN_WATCHING.get((game, players), ())
    return [f"{name}: {wrong}" for name, seen in viewers.items() for wrong in seen.mistakes(known[name])]


@pytest.mark.quiet
@pytest.mark.parametrize(("game", "players"), TABLES)
def test_what_the_data_says_is_seen(game: str, players: int, browser: Browser, server: Server, seed: int) -> None:
    wrong = seen_while_playing(browser, server, seed, game, players, SAMPLE)
    assert not wrong, "\n".join(wrong)


@pytest.mark.quiet
@pytest.mark.slow
@pytest.mark.parametrize(("game", "players"), TABLES)
def test_what_the_data_says_is_seen_all_through(
    game: str, players: int, browser: Browser, server: Server, seed: int
) -> None:
    wrong = seen_while_playing(browser, server, seed, game, players, 10_000)
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
    "the button is below the fold": ("#app { padding-bottom: 0 } .prompt { margin-top: 700px }", "below the fold"),
}


@pytest.mark.parametrize("harm", SPOILED)
def test_the_look_sees_what_is_spoiled(harm: str, browser: Browser, server: Server, seed: int) -> None:
    person = Person(browser, server, seed)
    seen = sit(person, "detect", *["greedy"] * 3)
    style, word = SPOILED[harm]
    person.page.evaluate(SPOIL, style)
    seen.look(SIZES[2:3] + SIZES[4:5])
    assert any(word in wrong for wrong in seen.found), sorted(seen.found)
