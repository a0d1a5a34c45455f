"""Full tables on which something once lay over something else or out of the window, each at the size where it did."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest
from playwright.sync_api import Browser

from facedown.bots.greedy import GreedyBot
from facedown.check.checks import Checks
from facedown.check.driver import SITTERS
from facedown.check.layout import Shown, Window, lesson_steps, looked_at, moment, positions
from facedown.core.game import catalogue
from facedown.core.language import languages, speaking
from facedown.core.match import Match
from facedown.core.seeds import seed_from_text
from facedown.core.state import SPECTATOR
from facedown.play.lessons import has_lesson, lesson
from tests.given import given
from tests.selection import mostly

pytestmark = pytest.mark.browser

TAUGHT = [name for name in catalogue() if has_lesson(name)]
#: Of a game, a seed, a language and a position, the size of window; German words are longest.
FULL = [
    ("reveille", 3, "en", "naming, 2 seats, match 0, move 18", 0, (1024, 768)),
    ("reveille", 3, "en", "naming, 2 seats, match 0, move 18", 0, (320, 640)),
    ("reveille", 4, "en", "naming, 2 seats, match 0, move 19", 0, (390, 844)),
    ("detect", 3, "en", "drawn, 8 seats, match 2, move 136", 0, (768, 1024)),
    ("scout", 3, "en", "scoring, 2 seats, match 0, move 19", 0, (1440, 900)),
    ("detect", 1, "de", "scoring, 8 seats", 0, (1280, 800)),
    ("reveal", 1, "de", "scoring, 2 seats", 0, (1440, 900)),
    ("detect", 1, "de", "opening, 8 seats", 0, (1024, 768)),
    ("detect", 1, "de", "drawn, 8 seats", 1, (390, 844)),
    ("detect", 1, "de", "drawn, 2 seats", 1, (320, 640)),
    ("reveille", 1, "de", "scoring, 2 seats", 0, (1440, 900)),
    ("scout", 1, "de", "turn, 2 seats", 1, (1024, 768)),
    ("scout", 1, "de", "scoring, 5 seats", 0, (1280, 800)),
]
DAILY = FULL[6:7]
LANDING = [FULL[0], FULL[3], FULL[5], *FULL[7:10]]


def wrong_in(browser: Browser, shown: Shown, size: tuple[int, int]) -> list[str]:
    """What of a position cannot be seen in a window of this size."""
    window = Window(browser)
    window.show(shown)
    return looked_at(window.page, shown.data, size)


@pytest.mark.parametrize(("game", "seed", "code", "position", "viewer", "size"), mostly(FULL, DAILY, LANDING))
def test_all_of_it_is_to_be_seen(
    browser: Browser, game: str, seed: int, code: str, position: str, viewer: int, size: tuple[int, int]
) -> None:
    checks = Checks(game, seed)
    shown = positions(checks.game, checks.chance("layout"), code)
    wanted = next(m for m in shown if m.name.startswith(position) and f": viewer {viewer} " in m.name)
    assert wrong_in(browser, wanted, size) == []


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
    browser: Browser, match: Callable[[], Match], viewer: int, size: tuple[int, int]
) -> None:
    shown = match()
    assert wrong_in(browser, moment("", shown.table(viewer, SITTERS[: shown.seats])), size) == []


@pytest.mark.parametrize(("game", "code"), mostly(product(TAUGHT, languages()), (), [("uncovered", "en")]))
def test_a_lesson_is_to_be_seen_touch_by_touch(browser: Browser, game: str, code: str) -> None:
    with speaking(code):
        found = given(lesson(game))
    window = Window(browser)
    window.page.emulate_media(reduced_motion="reduce")
    wrong = []
    for step in lesson_steps(found):
        window.show(step)
        for size in ((320, 640), (390, 844), (1280, 800), (1440, 900)):
            wrong += [f"{step.name}: {what}" for what in looked_at(window.page, step.data, size)]
    assert wrong == []
