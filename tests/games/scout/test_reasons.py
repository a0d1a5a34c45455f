"""Why not? Every move and every touch that is not for now is answered, in words, from the seat's own view alone."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from facedown.core.match import Match
from facedown.core.state import record
from facedown.core.table import Sitter
from facedown.games.scout.state import ScoutPosition
from facedown.games.scout.words import parse

from .posing import pose, say

SITTERS = [Sitter("Ana"), Sitter("Noor"), Sitter("Sol"), Sitter("Juniper", bot=True), Sitter("Mara")]
HANDS = ["2/7 3/8 4/6 8/2 8/6 8/10 1/5 10/7 9/4", "9/1 9/2", "1/6 1/10", "4/5 3/4"]
#: Nothing in the first hand beats 5 6 7, or what a Scout leaves of it.
WEAK = ["1/5 4/6 8/3 2/6", "9/1 9/2", "3/10 6/10"]


def beaten() -> Match:
    """Noor's run 5 6 7 against a hand with three 8s."""
    return pose(HANDS, "5/2 6/9 7/3", owner=1, turn=0)


def open_table() -> Match:
    return pose(HANDS, turn=0)


def chosen() -> Match:
    """The first seat scouted for a Scout and Show."""
    match = beaten()
    say(match, "scout right kept at 9 and show")
    return match


def used() -> Match:
    match = beaten()
    record(match.state, ScoutPosition).marker[0] = 0
    return match


def without_chips() -> Match:
    return pose(["9/1 3/8 4/6", "1/2 5/1"], "5/4", owner=1, turn=0, chips=(0, 3))


def scored() -> Match:
    match = pose(["9/1", "1/2 5/1", "3/4 4/6"], turn=0)
    say(match, "show 1")
    return match


def dealt() -> Match:
    return Match("scout", 3, {}, seed=bytes(32), first=0)


CASES: list[tuple[Callable[[], Match], str, str]] = [
    (beaten, "show 4", "The 8 does not beat 5 6 7."),
    (beaten, "show 4-5", "A pair does not beat a run of three."),
    (beaten, "show 1-3", "2 3 4 is not higher than 5 6 7."),
    (beaten, "show 3-4", "4 8 is not a set: it takes equal numbers, or a run up or down."),
    (beaten, "show 12", "Your hand has only 9 cards."),
    (beaten, "scout left kept at 10", "Your hand has only 9 cards."),
    (beaten, "continue", "This round is not over yet."),
    (beaten, "flip", "You can flip your hand only before the first turn. Now its cards stay as they are."),
    (open_table, "scout left kept at 0", "There is no set to scout from: show a card or a set."),
    (chosen, "scout left kept at 0", "You’ve scouted: now show something that beats 5 6."),
    (chosen, "show 1", "The 2 does not beat 5 6."),
    (used, "scout left kept at 0 and show", "You’ve already used Scout and Show this round."),
    (without_chips, "scout left kept at 0", "You have no chips left to scout with."),
    (scored, "show 1", "This round is over. The next one starts once everyone taps Continue."),
    (dealt, "show 1", "First choose which way up to play this hand."),
    (dealt, "continue", "First choose which way up to play this hand."),
    (
        lambda: pose(["9/1 3/8", "1/2 5/1"], "5/4", owner=1, chips=(3, 3)),
        "scout left kept at 0 and show",
        "With two players there is no Scout and Show: after a scout it is still your turn.",
    ),
    (
        lambda: pose(WEAK, "5/4", owner=1),
        "scout right kept at 0",
        "The set has one card only: scout it as its left one.",
    ),
    (
        lambda: pose(WEAK, "5/2 6/9 7/3", owner=1),
        "scout left kept at 0 and show",
        "With the 5 there, nothing in your hand beats 6 7.",
    ),
]


@pytest.mark.parametrize(("posed", "move", "why"), CASES)
def test_a_move_is_answered_with(posed: Callable[[], Match], move: str, why: str) -> None:
    match = posed()
    assert match.game.why_not(match.known(match.acting[0]), parse(move)) == why


def refused(match: Match, seat: int, *touches: str) -> dict[str, str]:
    step = match.table(seat, SITTERS[: match.seats]).step
    for touch in touches:
        step = next(choice.then for choice in step.choices if choice.touch == touch and choice.then)
    return dict(step.refusals)


def test_touches_are_answered() -> None:
    mine = refused(beaten(), 0)
    assert mine["hand-5"] == "Touch the first or the last card of 8 8 8 to show it."
    assert mine["hand-1"] == "2 3 4 is not higher than 5 6 7."
    assert mine["active-2"] == "Only the left or the right card of a set may be scouted."
    assert mine["gap-0"] == "First touch an end of the set, then put that card here."
    assert refused(beaten(), 0, "active-1")["hand-1"] == "Touch a gap beside it: the 5 goes between your cards."
    waits = refused(beaten(), 1)
    assert waits == dict.fromkeys(("hand-1", "hand-2", "active-1", "active-2", "active-3"), "Ana is choosing.")
    assert refused(chosen(), 0)["active-1"] == "You’ve scouted: now show something that beats 5 6."
    assert refused(chosen(), 1)["hand-1"] == "Ana scouted and will now show."
    assert refused(without_chips(), 0)["active-1"] == "You have no chips left to scout with."
    over = "This round is over. The next one starts once everyone taps Continue."
    assert refused(scored(), 1) == {"hand-1": over, "hand-2": over, "active-1": over}


def test_the_middle_of_a_run_that_beats_is_no_weak_card() -> None:
    match = pose(["7/1 8/2 9/3 1/4", "9/4 9/2", "3/10 6/10"], "5/2 6/9 7/3", owner=1)
    assert refused(match, 0)["hand-2"] == "Touch the first or the last card of 7 8 9 to show it."
