"""`take_back_leaks` finds moves that can be taken back although they disclosed something hidden.

That no game has such moves is tested in test_check_game_passes.py.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from facedown.check.random_matches import iterate_random_play, play_randomly
from facedown.check.take_back_leaks import leaks_in_take_back
from facedown.core import standing_moves
from facedown.core.match import Match
from facedown.core.standing_moves import StandingMoves

#: Positions in which a planted leak must be found, and the longest match.
SITUATIONS, PLIES = 600, 60
#: Game, seats, options. In these matches, the planted leaks occur often.
DETECT = ("detect", 3, {})
SWAP_ONE_BY_ONE = ("reveal", 2, {"swap_batch": "no"})
FLIP_IN_PUBLIC = ("scout", 3, {"flip_public": "yes"})
SWAP_FACE_DOWN = ("uncovered", 3, {"mode": "intermediate", "swap_visibility": "face_down", "turning": "choice"})
#: Parts of `viewers_who_learned` that are left out: the function, its result instead, and matches in which moves can
#: then be taken back although they disclosed something hidden.
OMISSIONS: dict[str, tuple[str, Callable[..., Any], tuple[str, int, dict[str, str]]]] = {
    "cards that become known": ("_knows_new_card", lambda *_: False, DETECT),
    "declared disclosures": ("disclosed_fields", lambda *_: frozenset(), SWAP_FACE_DOWN),
    "sealed choices to flip": ("_states_after_other_choices", lambda *_: [], FLIP_IN_PUBLIC),
    "sealed choices to swap": ("_states_after_other_choices", lambda *_: [], SWAP_ONE_BY_ONE),
}


def first_leak(name: str, seats: int, options: dict[str, str]) -> str:
    """Return the first leak found in random positions of such matches; empty if there is none."""
    rnd, positions = random.Random(1), 0
    while positions < SITUATIONS:
        match = Match(name, seats, options, rnd.randbytes(32))
        play_randomly(match, rnd, rnd.choice((0, 10, 40)))
        for _ in iterate_random_play(match, rnd, PLIES):
            positions += 1
            for leak in leaks_in_take_back(match, rnd):
                return leak
    return ""


@pytest.mark.parametrize("omitted", OMISSIONS)
def test_the_check_finds_take_backs_of_moves_that_disclosed_something_hidden(
    omitted: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    function, instead, match = OMISSIONS[omitted]
    monkeypatch.setattr(standing_moves, function, instead)
    assert "to viewer" in first_leak(*match)


def test_the_check_finds_take_backs_that_depend_on_a_hidden_card(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether a move can be taken back, and who notices it, must not depend on a card that the viewer does not know."""
    true_reason, true_seats = StandingMoves.why_not_take_back, StandingMoves.seats_who_notice_take_back

    def reason(standing: StandingMoves, seat: int) -> str:
        hidden = standing.state_before_last_move_of(seat).card[0] % 2
        return true_reason(standing, seat) or ("A mistake." if hidden else "")

    def seats(standing: StandingMoves, seat: int, now: Any) -> frozenset[int]:
        return true_seats(standing, seat, now) if now.card[0] % 2 else frozenset()

    with monkeypatch.context() as patch:
        patch.setattr(StandingMoves, "why_not_take_back", reason)
        assert "does not follow from the view: why seat" in first_leak(*DETECT)
    monkeypatch.setattr(StandingMoves, "seats_who_notice_take_back", seats)
    assert "does not follow from the view: who notices" in first_leak(*DETECT)
