"""Why not: every move and every touch that is not allowed is answered with the rules' own reason."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest

from facedown.check.driver import play_randomly, random_match
from facedown.core.game import game
from facedown.core.language import speaking
from facedown.core.match import IllegalMove, Match
from facedown.core.slots import known_view, redeal
from facedown.core.state import SPECTATOR
from facedown.core.table import Path, Sitter, Step, ways
from facedown.games.detect.reasons import why_not

DETECT = game("detect")
SITTERS = [Sitter(name) for name in ("Noor", "Iris", "Theo", "Mara", "Max", "Ilse", "Ravi", "Ada")]
MATCHES = 6
PLIES = 40
#: A deal for two: the grids (seat 1's first, column by column), the first discard 6, then what is drawn.
GRIDS = "3 8 1 1 8 2 0 5 7 9 4 6  12 4 5 5 9 -1 7 7 7 0 10 -1"
DEAL = f"{GRIDS} 6 7 7 7 1 2"


def moments(seed: int, matches: int = MATCHES) -> Iterator[Match]:
    """Random moments of random matches, and one of each phase that is rare."""
    yield played(*SEVENS, **OPTIONAL)
    yield scored()
    rnd = random.Random(seed)
    for _ in range(matches):
        match = random_match("detect", rnd)
        for _ in range(PLIES):
            yield match
            if match.over:
                break
            play_randomly(match, rnd, 1 if rnd.random() < 0.8 else 12)


def steps(step: Step, before: Path = ()) -> Iterator[tuple[Path, Step]]:
    """A step and all that come after a touch."""
    yield before, step
    for choice in step.choices:
        if choice.then is not None:
            yield from steps(choice.then, (*before, choice.touch))


def test_every_move_that_is_not_legal_has_a_reason_and_no_legal_one(seed: int) -> None:
    phases = set()
    for match in moments(seed):
        for seat in match.acting:
            view, legal = match.known(seat), set(match.legal(seat))
            phases.add(match.table(seat, SITTERS).phase)
            for action in range(DETECT.actions):
                with speaking("de"):
                    german = DETECT.why_not(view, action)
                english = DETECT.why_not(view, action)
                if action in legal:
                    assert (english, german) == ("", "")
                    continue
                assert english == why_not(view, action) != "", DETECT.words.words(action)
                assert {english[-1], german[-1]} == {"."}, english
                assert english != german, f"no German for {english}"
                # What may be looked at says the same as what is known.
                assert why_not(match.shown(seat), action) == english
    assert phases == {"opening", "turn", "drawn", "set", "scoring"}


def test_a_reason_tells_nothing_that_the_view_does_not(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for match in moments(seed, 4):
        for seat in match.acting[:2]:
            view = match.known(seat)
            other = known_view(redeal(view, rng.integers(0, 2**32, 8, np.uint32)), seat)
            for action in range(DETECT.actions):
                assert DETECT.why_not(view, action) == DETECT.why_not(other, action)


def test_everything_that_is_touched_at_some_time_is_offered_or_refused_with_a_reason(seed: int) -> None:
    """While a match runs, for a seat that is to act, and for one that waits; in both languages."""
    waiting = acting = 0
    for match in moments(seed):
        for seat in range(match.seats):
            table = match.table(seat, SITTERS)
            own = {piece.place for zone in table.zones if zone.seat in (None, seat) for piece in zone.pieces}
            touched = {place for place in own if place.startswith(f"p{seat}-") or place in ("draw", "discard")}
            assert len(touched) == 14
            with speaking("de"):
                german = match.table(seat, SITTERS).step
            if table.over:
                assert not table.step.refusals
                continue
            offered = {choice.touch for choice in table.step.choices}
            refused = dict(table.step.refusals)
            assert touched <= offered | set(refused), touched - offered - set(refused)
            for (path, step), (_, other) in zip(steps(table.step), steps(german), strict=True):
                here, said = {choice.touch for choice in step.choices}, dict(step.refusals)
                assert len(said) == len(step.refusals)
                assert set(said) <= own
                assert not here & set(said), f"offered and refused after {path}: {here & set(said)}"
                for (place, reason), (same, german_reason) in zip(step.refusals, other.refusals, strict=True):
                    assert place == same
                    assert {reason[-1], german_reason[-1]} == {"."}, reason
                    assert reason != german_reason, f"no German for {reason}"
            if seat in match.acting:
                acting += 1
            else:
                waiting += 1
                assert touched == set(refused)
    assert acting
    assert waiting


def test_what_is_touched_are_these_places(seed: int) -> None:
    """The places that the test above looks for are all that any position offers to be touched."""
    buttons = {"turn-two", "remove", "leave", "continue"}
    for match in moments(seed):
        for seat in range(match.seats):
            places = {f"p{seat}-{column}{row}" for column in "abcd" for row in (1, 2, 3)} | {"draw", "discard"}
            for way in ways(match.table(seat, SITTERS).step):
                assert {choice.touch for choice in way} <= places | buttons


# --- cases ------------------------------------------------------------------------------------------------------------


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
OVER = "This round is over. The next one starts once everyone taps Continue."


@pytest.mark.parametrize(
    ("moves", "options", "move", "reason"),
    [
        ((), {}, "draw", "First choose two cards in your grid to flip."),
        ((), {}, "continue", "This round is not over yet: it ends when somebody has no face-down card left."),
        (OPENED, {}, "keep a1", "First take the 6 from the discard pile, or draw a card."),
        (OPENED, {}, "throw a2", "First take the 6 from the discard pile, or draw a card."),
        (OPENED, {}, "open a2 a3", "You flipped your first two cards when this round began."),
        (OPENED, {}, "remove", "Three equal numbers in a column are removed at once: there is nothing to decide."),
        (
            OPENED,
            OPTIONAL,
            "leave",
            "You decide about a column only when you have just made its three cards equal.",
        ),
        (OPENED, {"initial_discard": "empty"}, "take a1", "The discard pile is empty: draw a card."),
        (OPENED, {"initial_discard": "empty"}, "keep a1", "First draw a card: the discard pile is empty."),
        ((*OPENED, "draw"), {}, "draw", "You drew the 7: keep it in your grid or discard it."),
        ((*OPENED, "draw"), {}, "take b1", "You drew the 7: keep it in your grid or discard it."),
        (
            (*OPENED, "draw"),
            {},
            "throw a1",
            "The 12 in row 1, column 1 is face up already: flip a face-down card.",
        ),
        ((*SEVENS, "draw", "throw b1"), {}, "take c2", "Column 3 is gone: no card lies there."),
        ((*SEVENS, "draw", "throw b1", "draw"), {}, "keep c2", "Column 3 is gone: no card lies there."),
        ((*SEVENS, "draw", "throw b1", "draw"), {}, "throw c2", "Column 3 is gone: no card lies there."),
        (SEVENS, OPTIONAL, "draw", "First decide about the three 7s: remove them or keep them."),
    ],
)
def test_reasons_are_those_of_the_rules(
    moves: tuple[str, ...], options: dict[str, str], move: str, reason: str
) -> None:
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
    step = match.table(0, SITTERS).step
    assert len(step.refusals) == 14
    assert {reason for _, reason in step.refusals} == {OVER}
    match.play(0, DETECT.actions - 1)
    assert {reason for _, reason in match.table(0, SITTERS).step.refusals} == {"Waiting for Iris to continue."}


def test_touches_are_refused_with_the_same_reasons() -> None:
    opened = played(*OPENED).table(0, SITTERS).step
    assert dict(opened.refusals)["p0-a1"] == "First take the 6 from the discard pile, or draw a card."
    taking = next(choice.then for choice in opened.choices if choice.touch == "discard")
    assert taking is not None
    assert dict(taking.refusals) == {"draw": "You are taking the 6: touch it again to leave it there."}
    drawn = played(*OPENED, "draw")
    step = drawn.table(0, SITTERS).step
    held = "You drew the 7: keep it in your grid or discard it."
    assert dict(step.refusals) == {"draw": held, "drawn": held}
    throwing = next(choice.then for choice in step.choices if choice.touch == "discard")
    assert throwing is not None
    open_already = "is face up already: flip a face-down card."
    assert dict(throwing.refusals) == {
        "draw": held,
        "p0-a1": f"The 12 in row 1, column 1 {open_already}",
        "p0-c1": f"The 7 in row 1, column 3 {open_already}",
    }
    assert {reason for _, reason in drawn.table(1, SITTERS).step.refusals} == {"Noor is choosing."}
    chosen = played("open a1 c1").table(0, SITTERS).step
    assert {reason for _, reason in chosen.refusals} == {"You’ve chosen. Cards flip once everyone has."}
    assert not drawn.table(SPECTATOR, SITTERS).step.refusals, "a spectator touches nothing"
