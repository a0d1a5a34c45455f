"""After the warm-up of a game, the first hint and the first review compile nothing."""

from __future__ import annotations

import subprocess
import sys

import pytest

from facedown.check.random_matches import GAMES
from facedown.core.rule import INTERPRETED

pytestmark = [pytest.mark.slow, pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")]

#: Prints what is compiled by hints at the deal and later, and by a review; runs in a separate process.
HINTS_AND_REVIEW = """
import gc, sys
from numba.core.dispatcher import Dispatcher
from facedown.bots.coach import advise, review
from facedown.core.advice import NoCoach
from facedown.bots.warm_up import warm_up_game
from facedown.core.match import Match
from facedown.core.seeds import seed_from_text
from facedown.core.game_registry import info

def ready():
    found = [one for one in gc.get_objects() if isinstance(one, Dispatcher)]
    return {(one.__module__, one.__name__, str(kind)) for one in found for kind in one.signatures}

name = sys.argv[1]
warm_up_game(name)
before = ready()
match = Match(name, info(name).seats[0], seed=seed_from_text("first hint"))
advise(match.game, match.known(match.acting[0]), match.acting[0], 0, 20)
while not match.over and match.ply < 34:
    seat = match.acting[0]
    legal = match.legal(seat)
    match.play(seat, legal[match.ply % len(legal)])
if not match.over and len(match.legal(match.acting[0])) > 1:
    advise(match.game, match.known(match.acting[0]), match.acting[0], 0, 20)
if not info(name).together:
    review(match, 4, seat=0)
print(sorted(ready() - before))
"""


@pytest.mark.parametrize("game", GAMES)
def test_after_the_warm_up_of_a_game_its_first_hint_and_review_need_no_compilation(game: str) -> None:
    done = subprocess.run([sys.executable, "-c", HINTS_AND_REVIEW, game], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "[]\n"
