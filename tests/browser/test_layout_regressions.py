"""Full tables on which parts once overlapped or left the window, each at the size where that happened."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from itertools import product

import pytest
from playwright.sync_api import Browser

from facedown.bots.simple_bots import GreedyBot
from facedown.check.checks import Checks
from facedown.check.page_layout import Window, page_problems, render_fullest_positions, render_lesson_steps
from facedown.check.random_matches import SITTERS, play_randomly
from facedown.core.game_registry import catalogue
from facedown.core.match import Match
from facedown.core.seeds import seed_from_text
from facedown.core.state import SPECTATOR
from facedown.core.translation import languages, use_language
from facedown.games.detect import rules as detect
from facedown.games.reveal import rules as reveal
from facedown.games.reveille import rules as reveille
from facedown.play.lessons import has_lesson, lesson
from tests.browser.offline_pages import BEYOND, DESK, PHONES, Drawn, played, sitters, table_of
from tests.browser.test_layouts import is_asked_in, may_confirm
from tests.nightly_selection import mostly
from tests.not_none import given

pytestmark = pytest.mark.browser

TAUGHT = [name for name in catalogue() if has_lesson(name)]
#: Game, seed, language, position, viewer and window size. German words are longest.
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
LANDING = FULL[7:9]


@pytest.mark.parametrize(("game", "seed", "code", "position", "viewer", "size"), mostly(FULL, DAILY, LANDING))
def test_position_that_once_failed_the_layout_check_passes_it(
    browser: Browser, game: str, seed: int, code: str, position: str, viewer: int, size: tuple[int, int]
) -> None:
    checks = Checks(game, seed)
    shown = render_fullest_positions(checks.game, checks.random_generator("layout"), code)
    moment = next(m for m in shown if m.name.startswith(position) and f": viewer {viewer} " in m.name)
    window = Window(browser)
    window.load_and_click_touches(moment)
    assert page_problems(window.page, moment.data, size) == []


def auction(bids: int) -> Match:
    """Return a match of Reveille after a number of bids, each the lowest possible."""
    match = Match("reveille", 2, seed=seed_from_text("auction"))
    while bids:
        bidding = match.table(match.acting[0], SITTERS[:2]).phase == "auction"
        legal = match.legal(match.acting[0])
        raises = [action for action in legal if "pass" not in match.game.words.words(action)]
        match.play(match.acting[0], raises[0] if bidding else legal[0])
        bids -= bidding
    return match


def after_greedy_moves(seed: str, moves: int) -> Match:
    """Return a match of SCOUT for two after a number of moves by greedy bots."""
    match = Match("scout", 2, seed=seed_from_text(seed))
    for _ in range(moves):
        seat = match.acting[0]
        match.play(seat, GreedyBot().choose(match.game, match.known(seat), seat, int(seed)))
    return match


def second_side_chosen() -> Match:
    """Return a match of SCOUT in which the second of two players has chosen a side and the first has not."""
    match = Match("scout", 2, seed=seed_from_text("flip"))
    match.play(1, match.legal(1)[0])
    return match


def random_match_until(game: str, seats: int, number: int, until: Callable[[Match], bool]) -> Match:
    """Return a match of a seed, played at random until a condition holds."""
    match, chance = Match(game, seats, seed=number.to_bytes(32, "big")), random.Random(number)
    while not until(match):
        play_randomly(match, chance, 1)
    return match


def first_count(seats: int, number: int) -> Match:
    """Return a match of Detect when its first round is counted.

    The seeds differ in whether the player who ended the round has a grid in the upper or in the lower row.
    """
    return random_match_until("detect", seats, number, lambda m: m.state.phase == detect.Phase.SCORING)


def two_row_hand() -> Match:
    """Return a match of SCOUT with a hand of thirteen cards, which are in two rows."""

    def holds_many(match: Match) -> bool:
        zones = match.table(0, sitters(5)).zones
        hand = [piece for zone in zones if zone.id == "hand" for piece in zone.pieces if piece.kind == "face"]
        return 0 in match.acting and len(hand) >= 13

    return random_match_until("scout", 5, 31, holds_many)


def on_turn(game: str, phase: int, **fields: int) -> Match:
    """Return a match for two in which seat 0 is to act in a phase and some fields of the state have these values."""
    return played(game, 2, lambda m: is_asked_in(m, phase, **fields))


def with_tricks_won(tricks: int) -> Match:
    """Return a match of Reveille in which a player has won this number of tricks in the second stage."""
    return played("reveille", 2, lambda m: is_asked_in(m, reveille.Phase.STAGE_TWO) and m.state.tricks.max() == tricks)


#: Window sizes of browsers on laptops, and sizes at which counted grids once met the piles.
LOW = ((1280, 650), (1280, 720), (1280, 800), (1366, 650), (1440, 760), DESK)
COUNTED = ((1280, 650), (1280, 720), (1280, 768), (1280, 810), (1280, 900))
#: Tables that fit the window without scrolling: the match, the viewer, the window sizes.
WHOLE: dict[str, tuple[Callable[[], Match], int, tuple[tuple[int, int], ...]]] = {
    "reveal, swap, row 3": (partial(on_turn, "reveal", reveal.Phase.SWAP, row=2), 0, PHONES),
    "reveal, place, row 1": (partial(on_turn, "reveal", reveal.Phase.PLACE, row=0), 0, PHONES),
    "reveal, place, row 3": (partial(on_turn, "reveal", reveal.Phase.PLACE, row=2), 0, PHONES),
    "reveal, final card": (partial(on_turn, "reveal", reveal.Phase.FINAL), 0, PHONES),
    "reveal, to be confirmed": (partial(played, "reveal", 2, may_confirm), 0, PHONES),
    "eight counted grids": (partial(first_count, 8, 11), 0, COUNTED),
    "eight counted grids, ended in the other row": (partial(first_count, 8, 12), 0, COUNTED),
    "seven counted grids": (partial(first_count, 7, 12), 0, COUNTED),
    "seven counted grids, ended in the other row": (partial(first_count, 7, 13), 0, COUNTED),
    "seven counted grids of another deal": (partial(first_count, 7, 26), 0, COUNTED),
    "six tricks": (partial(with_tricks_won, 6), 0, LOW),
    "six tricks, watched": (partial(with_tricks_won, 6), SPECTATOR, LOW),
    "three bids on a small phone": (partial(auction, 3), 0, PHONES[:1]),
    "more bids on a small phone": (partial(auction, 5), 0, PHONES[:1]),
    "a long auction": (partial(auction, 20), 0, (DESK,)),
    "a long auction on a laptop": (partial(auction, 16), 0, ((1280, 800),)),
    "an auction watched on a low laptop": (partial(auction, 10), SPECTATOR, LOW[:1]),
    "a hand of two rows": (two_row_hand, 0, (*PHONES, (390, 740), (412, 915), (1024, 768))),
    "a long set beside the pile": (partial(after_greedy_moves, "26", 8), 0, (DESK,)),
    "a long set, watched": (partial(after_greedy_moves, "5", 9), SPECTATOR, ((1920, 1080),)),
    "hands being chosen, watched on a phone": (second_side_chosen, SPECTATOR, PHONES[1:2]),
}
AT_LANDING = [name for name in WHOLE if not name.startswith("seven") and "the other row" not in name][::3]


@pytest.mark.parametrize("name", mostly(WHOLE, AT_LANDING[:1], AT_LANDING))
def test_table_fits_the_window_without_scrolling(name: str, browser: Browser) -> None:
    make, viewer, sizes = WHOLE[name]
    match = make()
    page = Drawn(browser, *sizes[0]).table(match, viewer)
    said = table_of(match, viewer).to_json()
    assert [wrong for size in sizes for wrong in page_problems(page, said, size) + page.evaluate(BEYOND)] == []


def with_tricks_burnt(tricks: int) -> Match:
    """Return a match of Reveille with this number of burnt tricks in the first stage."""
    return played("reveille", 2, lambda m: is_asked_in(m, reveille.Phase.STAGE_ONE, trick=tricks))


def many_known(match: Match) -> bool:
    """Return whether the first seat is to act and the owners of many cards are known."""
    zones = match.table(0, memory_aid=True).zones
    return 0 in match.acting and sum(zone.note.count("/") for zone in zones) >= 7


#: Tables with the memory aid, which shows more: the match, the window sizes.
AIDED: dict[str, tuple[Callable[[], Match], tuple[tuple[int, int], ...]]] = {
    "reveal, swap, row 3": (WHOLE["reveal, swap, row 3"][0], (*PHONES, *LOW)),
    "reveal, to be confirmed": (partial(played, "reveal", 2, may_confirm), (*PHONES, *LOW)),
    "reveille, six tricks burnt": (partial(with_tricks_burnt, 6), ((390, 844), (768, 1024), *LOW)),
    "reveille, two bids": (partial(auction, 2), ((360, 740), (390, 844), (768, 1024), *LOW)),
    "reveille, stage two": (partial(on_turn, "reveille", reveille.Phase.STAGE_TWO), ((390, 844), (768, 1024), *LOW)),
    "scout, seven cards known": (partial(played, "scout", 5, many_known), (*PHONES, *LOW)),
}


@pytest.mark.nightly
@pytest.mark.parametrize("name", AIDED)
def test_table_with_the_memory_aid_fits_the_window_without_scrolling(browser: Browser, name: str) -> None:
    make, sizes = AIDED[name]
    match = make()
    page = Drawn(browser, *sizes[0]).table(match, match.acting[0], memory=True)
    said = table_of(match, match.acting[0], memory=True).to_json()
    assert [wrong for size in sizes for wrong in page_problems(page, said, size) + page.evaluate(BEYOND)] == []


@pytest.mark.slow
def test_both_buttons_of_the_game_uncovered_fit_beside_the_hand(browser: Browser) -> None:
    match = played("uncovered", 4, lambda m: 0 in m.acting and m.ply > 0)
    page = Drawn(browser, *DESK).table(match)
    page.click("#actions .button")
    assert page.locator("#actions .button").count() == 2
    said = table_of(match).to_json()
    sizes = ((1024, 768), (1366, 768), DESK)
    assert [wrong for size in sizes for wrong in page_problems(page, said, size) + page.evaluate(BEYOND)] == []


@pytest.mark.parametrize(("game", "code"), mostly(product(TAUGHT, languages()), (), [("uncovered", "en")]))
def test_every_step_of_a_lesson_passes_the_layout_check(browser: Browser, game: str, code: str) -> None:
    with use_language(code):
        found = given(lesson(game))
    window = Window(browser)
    window.page.emulate_media(reduced_motion="reduce")
    wrong = []
    for moment in render_lesson_steps(found):
        window.load_and_click_touches(moment)
        for size in ((320, 640), (390, 844), (1280, 800), (1440, 900)):
            wrong += [f"{moment.name}: {what}" for what in page_problems(window.page, moment.data, size)]
    assert wrong == []
