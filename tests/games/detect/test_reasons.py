"""Why not: every move and every touch that is not allowed is answered with the rules' own reason."""

from __future__ import annotations

import pytest

from facedown.core.game_registry import game
from facedown.core.match import IllegalMove, Match
from facedown.core.table import Sitter
from tests.games.cases import cases

DETECT = game("detect")
SITTERS = [Sitter(name) for name in ("Noor", "Iris", "Theo", "Mara", "Max", "Ilse", "Ravi", "Ada")]
#: A deal for two: the grids (seat 1's first, column by column), the first discard 6, then what is drawn.
GRIDS = "3 8 1 1 8 2 0 5 7 9 4 6  12 4 5 5 9 -1 7 7 7 0 10 -1"
DEAL = f"{GRIDS} 6 7 7 7 1 2"


def played(*moves: str, **options: str) -> Match:
    """A match for two with the known deal, after these moves; seat 0 deals."""
    deal = tuple(DETECT.words.card_kind(word) for word in DEAL.split())
    match = Match("detect", 2, options, bytes(32), deal, first=0)
    for move in moves:
        match.play(match.acting[0], DETECT.words.parse(move))
    return match


def scored() -> Match:
    """A round that is over: always the last action there is, which is to draw, to throw, and to turn a card up."""
    match = played(*OPENED)
    while match.table(0, SITTERS).phase != "scoring":
        match.play(match.acting[0], match.legal(match.acting[0])[-1])
    return match


OPENED = ("open a1 c1", "open a1 a2")
#: Seat 0 shows 12 and 7, begins, and makes its third column three 7s.
SEVENS = (*OPENED, "draw", "keep c2", "take a1", "draw", "keep c3")
OPTIONAL = {"set_optional": "yes"}
OVER = "This round is over. The next one starts once everyone is ready."


@pytest.mark.parametrize(("moves", "options", "move", "reason"), cases("detect", "reasons"))
def test_reasons_are_those_of_the_rules(moves: list[str], options: dict[str, str], move: str, reason: str) -> None:
    match = played(*moves, **options)
    seat = match.acting[0]
    assert DETECT.why_not(match.known(seat), DETECT.words.parse(move)) == reason
    with pytest.raises(IllegalMove) as raised:
        match.play(seat, DETECT.words.parse(move))
    assert str(raised.value).endswith(reason)


def test_nothing_but_going_on_is_left_when_a_round_is_over() -> None:
    match = scored()
    for action in range(DETECT.actions - 1):
        assert DETECT.why_not(match.known(0), action) == OVER


def test_who_has_chosen_waits_for_the_others() -> None:
    refusals = played("open a1 c1").table(0, SITTERS).step.refusals
    assert {reason for _, reason in refusals} == {"You’ve chosen. Cards flip once everyone has."}
