"""`step_leaks` finds planted leaks, and declared disclosures occur. That no step leaks is tested in
test_check_game_passes.py.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from facedown.check.random_matches import GAMES, iterate_random_play, match_with_random_options, play_randomly
from facedown.check.step_leaks import leaks_in_deal, leaks_in_step, leaks_of_private_choice
from facedown.core.game_registry import game
from facedown.core.match import Match
from tests.conftest import TIMES
from tests.every_game.planted_leaks import MUTANTS, differences
from tests.nightly_selection import mostly

ROOT = Path(__file__).resolve().parents[2]
#: Leaks that occur rarely; they are tested in the long run.
RARE = ("Reveal's row tells a Final Card", "Detect's deal tells a card")
#: With this seed every leak occurs within 250 steps. About one seed in a thousand misses the rarest one.
FIND_SEED = 1001
LONG = 5_000 * TIMES
#: Pairs of deals compared before each match.
DEALS = 8
#: Mean number of plies before a match is replaced by one with other options.
MEAN_PLIES = 60
#: Matches in which the declared disclosures occur: seats and options. A game that declares nothing has no entry.
DISCLOSING_MATCHES: dict[str, tuple[tuple[int, dict[str, str]], ...]] = {
    "scout": ((2, {}), (3, {"start": "holder_1_2"}), (3, {"scout_insert_public": "yes"})),
    "uncovered": (
        (3, {"mode": "intermediate", "swap_visibility": "face_down", "turning": "choice"}),
        (3, {"mode": "intermediate", "swap_visibility": "face_down", "turning": "auto"}),
    ),
}
MAX_MATCHES = 30_000


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_every_field_declared_to_disclose_hidden_cards_does_so_in_some_match(name: str) -> None:
    """Each declared field follows from hidden cards or choices somewhere; otherwise the declaration could hide a
    leak.
    """
    needed = {(each.choice, field) for each in game(name).rules.disclosures for field in each.fields}
    assert bool(needed) == (name in DISCLOSING_MATCHES), "a declaration needs a place where it comes about, in DECLARED"
    rnd = random.Random(f"declared {name}")
    for number in range(MAX_MATCHES):
        if not needed:
            break
        seats, options = DISCLOSING_MATCHES[name][number % len(DISCLOSING_MATCHES[name])]
        match = Match(name, seats, options, rnd.randbytes(32))
        needed -= {(False, found.field) for found in leaks_in_deal(name, seats, options, rnd)}
        for _ in iterate_random_play(match, rnd, rnd.randint(1, 4 * MEAN_PLIES)):
            if not match.over:
                needed -= {(False, found.field) for found in leaks_in_step(match, rnd)}
                needed -= {(True, found.field) for found in leaks_of_private_choice(match, rnd)}
    assert not needed, f"{name} declares what no step needs: {sorted(field for _, field in needed)}"


@pytest.mark.parametrize("mutant", mostly(MUTANTS, MUTANTS.keys() - RARE))
def test_the_leak_check_finds_a_rule_that_writes_a_hidden_card_into_a_public_field(mutant: str) -> None:
    """A rule of each game that writes a hidden card (or a private choice) into a public field."""
    call = [sys.executable, "-m", "tests.every_game.planted_leaks", mutant, str(FIND_SEED)]
    environment = {**os.environ, "FACEDOWN_INTERPRETED": "1"}
    found = subprocess.run(call, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=550, check=False)
    assert found.returncode == 0, found.stderr
    assert found.stdout.startswith("caught"), f"nothing noticed that {mutant}: {found.stdout}"


@pytest.mark.nightly
def test_redeal_of_unknown_cards_finds_a_possible_deal_in_long_matches_of_the_game_uncovered() -> None:
    """Late in a long match of Uncovered! only one deal in tens of thousands fits a view."""
    rnd, steps = random.Random("steps uncovered 11315666925835017787"), LONG
    while steps > 0:
        match = match_with_random_options("uncovered", rnd)
        # Some matches start late, so that every phase is reached.
        play_randomly(match, rnd, rnd.choice((0, 0, 20, 60, 150)))
        plies = rnd.randint(1, 2 * MEAN_PLIES)
        for found in differences(match, rnd, DEALS, plies):
            where = f"{match.seats} seats, options {match.options}, moves {[(m.seat, m.action) for m in match.moves]}"
            assert found.declared, f"a step tells a hidden card in {found}; {where}, match {match.seed.hex()}"
        steps -= plies
