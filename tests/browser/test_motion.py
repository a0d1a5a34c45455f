"""Whole matches under the eyes of somebody who looks at every frame, at the pace and with the motion of everybody.

No card leaves the way from where it lay to where it goes, none flies longer than 600 ms (a swap takes 700; at
another pace as much more or less); nothing on the table changes
its place or shape by itself, or under a finger between two touches; a move makes the page jump by less than 0.02 and
moves nothing in the dock; and whatever a turn offers can be begun by one touch of something lit, without taking
anything back first. Where another phase sets the whole table anew, its parts are seen to glide to their new places:
that is motion, not a jump.
"""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser
from playwright.sync_api import TimeoutError as PageTimeout

from facedown.core.game import catalogue
from tests.browser.looking import WATCH
from tests.browser.page_time import wait_for_frames
from tests.browser.people import Person, Server
from tests.browser.test_whole_matches import bots, next_round, over

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]
GAMES = tuple(catalogue())
#: By which means each game's round is looked at; whole matches are by both.
MEANS = {"reveal": "touch", "detect": "mouse", "reveille": "touch", "uncovered": "mouse", "scout": "touch"}
#: At which pace each is looked at: what holds for everybody holds for whoever chose another one.
PACES = {"scout": "quick", "reveille": "calm"}
#: Matches that are over soon.
SHORT: dict[str, dict[str, str]] = {"reveal": {"end": "hands", "end-hands-0": "1"}}
#: Uncovered! may be over at once: so many touches go to cards first, wherever a card may be touched.
CARDS_FIRST = 12
#: Does the table lie still, or is the match over?
RESTS = """() => !document.querySelector('#board') || window.__watch.rest
  || Boolean(document.querySelector('form[action$="/again"]'))"""


class Watcher(Person):
    """Somebody who waits until nothing moves before each touch, and to whom nothing that happens is lost."""

    def __init__(self, browser: Browser, server: Server, seed: int, means: str = "mouse", **context: Any) -> None:
        super().__init__(browser, server, seed, means, **context)
        self.page.add_init_script(WATCH)
        self.turns = 0

    def act(self, seen: dict[str, Any] | None = None) -> bool:
        """One touch, when the table lies still, by a glance of then; before it, what the turn offers is looked over."""
        while (wrong := self.look("() => document.querySelector('#board') ? window.__watch.free() : []")) is None:
            self.wait_for_rest()
        assert not wrong, wrong
        assert not self.faults(), self.faults()
        self.buttons = 0.0 if self.turns < CARDS_FIRST else 0.2
        acted = super().act()
        self.turns += acted
        return acted

    def wait_for_rest(self) -> None:
        """Wait until the table lies still, or the match is over."""
        try:
            self.page.wait_for_function(RESTS)
        except PageTimeout as error:
            raise AssertionError(self.restless()) from error

    def restless(self) -> str:
        """Why the table does not come to rest."""
        looks: list[str] = []
        for _ in range(2):
            looks.append(self.look("() => window.__watch.restless()"))
            wait_for_frames(self.page, 60)
        return f"the table does not come to rest: {'; then '.join(looks)}; {self.complaints}"

    def faults(self) -> list[str]:
        """What was wrong so far."""
        found: list[str] = self.look("() => window.__watch.faults")
        return found

    def watched(self) -> dict[str, Any]:
        """How much was looked at."""
        found: dict[str, Any] = self.look(
            "() => { const { frames, rests, flights, longest, shift } = __watch;"
            " return { frames, rests, flights, longest, shift }; }"
        )
        return found


def play(browser: Browser, server: Server, seed: int, game: str, means: str, done: Any, seconds: float = 300.0) -> None:
    """A match of a game that somebody looks at."""
    person = Watcher(browser, server, seed, means)
    pace = PACES.get(game, "usual")
    person.context.add_cookies([{"name": "facedown-pace", "value": pace, "url": server.origin}])
    person.new_table(game, *bots(game), **SHORT.get(game, {}))
    person.play_until(done, seconds=seconds)
    # Cards that are dealt anew are looked at, too.
    person.wait_for_rest()
    assert not person.faults(), person.faults()
    watched = person.watched()
    print(game, means, person.turns, watched)
    assert watched["frames"] > watched["rests"] >= person.turns, (
        "the table was looked at, and lay still before each touch"
    )
    assert watched["flights"] > person.turns / 10, "cards were seen on their way"


@pytest.mark.nightly
@pytest.mark.parametrize("game", GAMES)
def test_nothing_jumps_and_every_choice_is_free(game: str, browser: Browser, paced_server: Server, seed: int) -> None:
    play(browser, paced_server, seed, game, MEANS[game], next_round)


# At everybody's pace the matches of four games last for many minutes: by hand, on a machine that does nothing else.
@pytest.mark.alone
@pytest.mark.slow
@pytest.mark.timeout(1000)
@pytest.mark.parametrize("means", ["touch", "mouse"])
@pytest.mark.parametrize("game", GAMES)
def test_whole_matches_are_looked_at(game: str, means: str, browser: Browser, paced_server: Server, seed: int) -> None:
    play(browser, paced_server, seed, game, means, over, seconds=900)
