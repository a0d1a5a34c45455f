"""Why not? Every move and every touch that Reveal does not take now is answered with a reason."""

from __future__ import annotations

import pytest

from facedown.core.game import game
from facedown.core.match import Match
from facedown.core.table import Step
from facedown.games.reveal.words import parse
from tests.games.cases import cases
from tests.games.reveal.reveal_hands import SEED, SITTERS, cards, deal_of, keep_and_lay, play
from tests.games.touches import follow

ROW = dict(zip((9, 11, 13), cards("R * B"), strict=True))


def swapping(**options: str) -> Match:
    return Match("reveal", 2, options, SEED, deal_of(ROW))


def placing() -> Match:
    return play(swapping(), (0, "swap none"), (1, "swap none"))


def ending(**options: str) -> Match:
    return keep_and_lay(swapping(**options))


def counted() -> Match:
    return play(ending(), (0, "choose L"), (1, "choose C"), (0, "confirm"), (1, "confirm"))


@pytest.mark.parametrize(("options", "rows", "moves", "typed", "reason"), cases("reveal", "reasons"))
def test_a_move_that_is_not_allowed_says_why(
    options: dict[str, str], rows: int, moves: list[tuple[int, str]], typed: str, reason: str
) -> None:
    match = play(keep_and_lay(swapping(**options), rows), *moves)
    assert game("reveal").why_not(match.known(0), parse(typed)) == reason


def after(step: Step, *touches: str) -> dict[str, str]:
    """What is refused after some touches."""
    return dict(follow(step, *touches).refusals)


LAID = "Cards you have placed stay there until the Grand Reveal."


def test_a_touch_that_is_not_taken_says_why() -> None:
    found = after(keep_and_lay(swapping(), 1).table(0, SITTERS).step)
    assert found["p0-C1"] == LAID
    assert found["p0-L2"] == "First swap, or keep all three. Then place the row."
    step = placing().table(0, SITTERS).step
    assert after(step)["p0-L1"] == "First touch the card that goes there."
    assert after(step)["draw"] == "You’ve already swapped: now place the row."
    assert after(step, "hand-2")["hand-1"] == "Now touch the place where the wild card goes."
    assert after(step, "hand-1")["hand-3"] == "Now touch the place where the red card goes."
    found = after(ending().table(0, SITTERS).step)
    assert found == {f"p0-{c}{row}": LAID for row in (1, 2, 3) for c in "LCR"} | {
        "final-0": "Touch the end of a column: your Final Card goes there."
    }
    chosen = play(ending(), (0, "choose C"))
    assert after(chosen.table(0, SITTERS).step)["end0-C"] == "Your Final Card is there already."


def test_whoever_waits_is_told_for_whom() -> None:
    match = play(swapping(), (0, "swap 2"))
    assert after(match.table(0, SITTERS).step)["hand-1"] == "Mara is choosing what to swap."
    match = play(placing(), (0, "place L C R"))
    assert after(match.table(0, SITTERS).step)["p0-L1"] == "Mara is placing."
    match = play(ending(), (0, "choose R"), (0, "confirm"))
    said = "You have confirmed the right column. Mara is still choosing."
    assert after(match.table(0, SITTERS).step)["end0-L"] == said
    match = play(counted(), (0, "continue"))
    said = "You’re ready for the next hand. Mara is still looking at the cards."
    assert after(match.table(0, SITTERS).step)["p0-L1"] == said
    assert after(match.table(1, SITTERS).step)["p1-L1"] == "Hand 1 is counted: continue to the next one."
