"""Planted leaks of a step are caught, and what a game declares is needed; that no step leaks says test_checks.py."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from facedown.check.random_matches import GAMES, iterate_random_play, play_randomly, random_match
from facedown.check.step_leaks import leaks_in_deal, leaks_in_step, leaks_of_private_choice
from facedown.core.game_registry import game
from facedown.core.match import Match
from tests.conftest import TIMES
from tests.every_game.planted_leaks import MUTANTS, along
from tests.nightly_selection import mostly

ROOT = Path(__file__).resolve().parents[2]
#: Leaks that come about seldom: looked for in the long run.
RARE = ("Reveal's row tells a Final Card", "Detect's deal tells a card")
#: From this seed every leak is met within 250 steps; one seed in a thousand does not meet the rarest in time.
MET_SOON = 1001
LONG = 5_000 * TIMES
#: Pairs of deals looked at before each match.
DEALS = 8
#: A match is left after so many plies on average, for another with other options.
SPAN = 60
#: Where what a rule declares comes about: seats, options, and steps enough to see all of it. A game that declares
#: nothing needs no line here.
DECLARED: dict[str, tuple[tuple[int, dict[str, str]], ...]] = {
    "scout": ((2, {}), (3, {"start": "holder_1_2"}), (3, {"scout_insert_public": "yes"})),
    "uncovered": (
        (3, {"mode": "intermediate", "swap_visibility": "face_down", "turning": "choice"}),
        (3, {"mode": "intermediate", "swap_visibility": "face_down", "turning": "auto"}),
    ),
}
MOST = 30_000


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_what_a_game_declares_is_needed(name: str) -> None:
    """Each declared field does follow from hidden cards (or choices) somewhere: else the line would hide a leak."""
    needed = {(each.choice, field) for each in game(name).rules.disclosures for field in each.fields}
    assert bool(needed) == (name in DECLARED), "a declaration needs a place where it comes about, in DECLARED"
    rnd = random.Random(f"declared {name}")
    for number in range(MOST):
        if not needed:
            break
        seats, options = DECLARED[name][number % len(DECLARED[name])]
        match = Match(name, seats, options, rnd.randbytes(32))
        needed -= {(False, found.field) for found in leaks_in_deal(name, seats, options, rnd)}
        for _ in iterate_random_play(match, rnd, rnd.randint(1, 4 * SPAN)):
            if not match.over:
                needed -= {(False, found.field) for found in leaks_in_step(match, rnd)}
                needed -= {(True, found.field) for found in leaks_of_private_choice(match, rnd)}
    assert not needed, f"{name} declares what no step needs: {sorted(field for _, field in needed)}"


@pytest.mark.parametrize("mutant", mostly(MUTANTS, MUTANTS.keys() - RARE))
def test_a_planted_leak_is_caught(mutant: str) -> None:
    """A rule of each game with a line that writes a hidden card (or a private choice) into a public field."""
    call = [sys.executable, "-m", "tests.every_game.planted_leaks", mutant, str(MET_SOON)]
    environment = {**os.environ, "FACEDOWN_INTERPRETED": "1"}
    found = subprocess.run(call, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=550, check=False)
    assert found.returncode == 0, found.stderr
    assert found.stdout.startswith("caught"), f"nothing noticed that {mutant}: {found.stdout}"


@pytest.mark.slow
def test_a_world_is_found_where_hardly_one_fits() -> None:
    """Late in a long match of Uncovered! so much is ruled out that one deal in tens of thousands fits a view."""
    rnd, steps = random.Random("steps uncovered 11315666925835017787"), LONG
    while steps > 0:
        match = random_match("uncovered", rnd)
        # Some matches begin late, so that every phase is reached.
        play_randomly(match, rnd, rnd.choice((0, 0, 20, 60, 150)))
        plies = rnd.randint(1, 2 * SPAN)
        for found in along(match, rnd, DEALS, plies):
            where = f"{match.seats} seats, options {match.options}, moves {[(m.seat, m.action) for m in match.moves]}"
            assert found.declared, f"a step tells a hidden card in {found}; {where}, match {match.seed.hex()}"
        steps -= plies
