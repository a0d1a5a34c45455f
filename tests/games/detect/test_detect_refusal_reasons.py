"""Refusal reasons of Detect: every illegal move and touch is answered with the reason from the rules."""

from __future__ import annotations

import pytest

from facedown.core.game_registry import game
from facedown.core.match import IllegalMove, Match
from facedown.core.table import Sitter
from tests.games.case_files import cases

DETECT = game("detect")
SITTERS = [Sitter(name) for name in ("Noor", "Iris", "Theo", "Mara", "Max", "Ilse", "Ravi", "Ada")]
#: A deal for two: the grids (seat 1's first, column by column), the first discard 6, then the cards drawn.
GRIDS = "3 8 1 1 8 2 0 5 7 9 4 6  12 4 5 5 9 -1 7 7 7 0 10 -1"
DEAL = f"{GRIDS} 6 7 7 7 1 2"


def match_after(*moves: str, **options: str) -> Match:
    """Return a match for two with the known deal, after these moves; seat 0 deals."""
    deal = tuple(DETECT.words.card_kind(word) for word in DEAL.split())
    match = Match("detect", 2, options, bytes(32), deal, first=0)
    for move in moves:
        match.play(match.acting[0], DETECT.words.parse(move))
    return match


def match_at_scoring() -> Match:
    """Return a match at the end of a round: each move is the last legal action (draw, discard, flip a card)."""
    match = match_after(*OPENED)
    while match.table(0, SITTERS).phase != "scoring":
        match.play(match.acting[0], match.legal(match.acting[0])[-1])
    return match


OPENED = ("open a1 c1", "open a1 a2")
#: Seat 0 flips 12 and 7, starts, and makes its third column three 7s.
COLUMN_OF_SEVENS = (*OPENED, "draw", "keep c2", "take a1", "draw", "keep c3")
OPTIONAL = {"set_optional": "yes"}
OVER = "This round is over. The next one starts once everyone is ready."


@pytest.mark.parametrize(("moves", "options", "move", "reason"), cases("detect", "reasons"))
def test_illegal_moves_in_detect_are_refused_with_the_reason(
    moves: list[str], options: dict[str, str], move: str, reason: str
) -> None:
    match = match_after(*moves, **options)
    seat = match.acting[0]
    assert DETECT.why_not(match.known(seat), DETECT.words.parse(move)) == reason
    with pytest.raises(IllegalMove) as raised:
        match.play(seat, DETECT.words.parse(move))
    assert str(raised.value).endswith(reason)


def test_after_a_round_of_detect_all_actions_but_continue_are_refused() -> None:
    match = match_at_scoring()
    for action in range(DETECT.actions - 1):
        assert DETECT.why_not(match.known(0), action) == OVER


def test_a_player_who_has_chosen_the_opening_cards_is_told_to_wait_for_the_other_players() -> None:
    refusals = match_after("open a1 c1").table(0, SITTERS).step.refusals
    assert {reason for _, reason in refusals} == {"You’ve chosen. Cards flip once everyone has."}
