"""Full tables on which something once lay over something else or out of the window, each at the size where it did."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest
from playwright.sync_api import Browser

from facedown.bots.greedy import GreedyBot
from facedown.check.checks import Checks
from facedown.check.driver import SITTERS
from facedown.check.layout import Moment, Shown, Window, looked_at, positions, taught
from facedown.core.game import catalogue
from facedown.core.language import languages, speaking
from facedown.core.match import Match
from facedown.core.seeds import seed_from_text
from facedown.core.state import SPECTATOR
from facedown.play.lessons import has_lesson, lesson
from tests.selection import mostly

pytestmark = pytest.mark.browser

TAUGHT = [name for name in catalogue() if has_lesson(name)]
#: Of a game, a seed and a position, the size of window.
FULL = [
    ("reveille", 3, "naming, 2 seats, match 0, move 18: viewer 0", (1024, 768)),
    ("reveille", 3, "naming, 2 seats, match 0, move 18: viewer 0", (320, 640)),
    ("reveille", 4, "naming, 2 seats, match 0, move 19: viewer 0", (390, 844)),
    ("detect", 3, "drawn, 8 seats, match 2, move 136: viewer 0", (768, 1024)),
    ("scout", 3, "scoring, 2 seats, match 0, move 19: viewer 0", (1440, 900)),
]
#: Of a game and a position, the size of window in which German words are longest.
LONG_WORDS = [
    ("detect", "scoring, 8 seats, viewer 0", (1280, 800)),
    ("reveal", "scoring, 2 seats, viewer 0", (1440, 900)),
    ("detect", "opening, 8 seats, viewer 0 waits", (1024, 768)),
    ("detect", "drawn, 8 seats, viewer 1", (390, 844)),
    ("detect", "drawn, 2 seats, viewer 1", (320, 640)),
    ("reveille", "scoring, 2 seats, viewer 0", (1440, 900)),
    ("scout", "turn, 2 seats, viewer 1", (1024, 768)),
    ("scout", "scoring, 5 seats, viewer 0", (1280, 800)),
]


def wrong_in(browser: Browser, moment: Shown, size: tuple[int, int]) -> list[str]:
    """What of a position cannot be seen in a window of this size."""
    window = Window(browser)
    window.show(moment)
    wrong = looked_at(window.page, moment.shown, size)
    window.page.close()
    return wrong


@pytest.mark.parametrize(("game", "seed", "position", "size"), mostly(FULL, (), FULL[:1] + FULL[3:4]))
def test_all_of_it_is_to_be_seen(
    chromium_once: Browser, game: str, seed: int, position: str, size: tuple[int, int]
) -> None:
    checks = Checks(game, seed)
    shown = positions(checks.game, checks.chance("layout"))
    moment = next(moment for moment in shown if moment.name.startswith(position))
    assert wrong_in(chromium_once, moment, size) == []


def auction(bids: int) -> Match:
    """Reveille after so many bids, each the lowest that there is."""
    match = Match("reveille", 2, seed=seed_from_text("auction"))
    while bids:
        bidding = match.table(match.acting[0], SITTERS[:2]).phase == "auction"
        legal = match.legal(match.acting[0])
        raises = [action for action in legal if "pass" not in match.game.words.words(action)]
        match.play(match.acting[0], raises[0] if bidding else legal[0])
        bids -= bidding
    return match


def greedily(game: str, seats: int, seed: str, moves: int) -> Match:
    """So many moves of greedy bots."""
    match = Match(game, seats, seed=seed_from_text(seed))
    for _ in range(moves):
        seat = match.acting[0]
        match.play(seat, GreedyBot().choose(match.game, match.known(seat), seat, int(seed)))
    return match


def flipped() -> Match:
    """SCOUT when the second of two has chosen a side and the first has not."""
    match = Match("scout", 2, seed=seed_from_text("flip"))
    match.play(1, match.legal(1)[0])
    return match


@pytest.mark.slow
@pytest.mark.parametrize(
    ("match", "viewer", "size"),
    [
        pytest.param(lambda: auction(3), 0, (320, 640), id="three bids on a small phone"),
        pytest.param(lambda: auction(5), 0, (320, 640), id="more bids on a small phone"),
        pytest.param(lambda: auction(20), 0, (1440, 900), id="a long auction"),
        pytest.param(lambda: auction(16), 0, (1280, 800), id="a long auction on a laptop"),
        pytest.param(lambda: auction(10), SPECTATOR, (1280, 650), id="an auction watched on a low laptop"),
        pytest.param(lambda: greedily("scout", 2, "26", 8), 0, (1440, 900), id="a long set beside the pile"),
        pytest.param(lambda: greedily("scout", 2, "5", 9), SPECTATOR, (1920, 1080), id="a long set, watched"),
        pytest.param(flipped, SPECTATOR, (360, 740), id="hands being chosen, watched on a phone"),
    ],
)
def test_much_of_it_is_to_be_seen(
    chromium_once: Browser, match: Callable[[], Match], viewer: int, size: tuple[int, int]
) -> None:
    shown = match()
    moment = Moment("", shown.table(viewer, SITTERS[: shown.seats]))
    assert wrong_in(chromium_once, moment, size) == []


@pytest.mark.parametrize(("game", "code"), mostly(product(TAUGHT, languages()), (), [("uncovered", "en")]))
def test_a_lesson_is_to_be_seen_touch_by_touch(chromium_once: Browser, game: str, code: str) -> None:
    with speaking(code):
        found = lesson(game)
    assert found is not None
    window = Window(chromium_once)
    window.page.emulate_media(reduced_motion="reduce")
    wrong = []
    for moment in taught(found):
        window.show(moment)
        for size in ((320, 640), (390, 844), (1280, 800), (1440, 900)):
            wrong += [f"{moment.name}: {what}" for what in looked_at(window.page, moment.shown, size)]
    assert wrong + window.complaints == []
    window.page.close()


@pytest.mark.parametrize(
    ("game", "position", "size"), mostly(LONG_WORDS, LONG_WORDS[1:2], LONG_WORDS[:1] + LONG_WORDS[2:5])
)
def test_longer_words_are_to_be_seen(chromium_once: Browser, game: str, position: str, size: tuple[int, int]) -> None:
    checks = Checks(game, 1)
    fullest, viewer = position.rsplit(", ", 1)
    shown = positions(checks.game, checks.chance("layout"), "de")
    moment = next(m for m in shown if m.name.startswith(fullest) and f": {viewer} " in f"{m.name} ")
    assert wrong_in(chromium_once, moment, size) == []
