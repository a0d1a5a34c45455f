"""Why not: every bone, bid and place that cannot be had now says why, from the view of whoever asks."""

from __future__ import annotations

import pytest

from facedown.core.language import speaking
from facedown.core.match import Match
from facedown.core.table import Sitter
from tests.contract.test_refusals import positions
from tests.games.reveille.positions import DEALER, OTHER, auction, match, say, stage_one, stage_two

SITTERS = (Sitter("Theo"), Sitter("Yara"))
HANDS = ("66 65 64 63 62 61 60", "54 53 52 51 50 44 43")


def test_the_page_gives_the_reason_of_the_rules(seed: int) -> None:
    for m in positions("reveille", seed):
        for seat in m.acting:
            table = m.table(seat, SITTERS)
            faces = {piece.place: piece.face for zone in table.zones for piece in zone.pieces}
            for touch, reason in table.step.refusals:
                if touch.startswith("hand-"):
                    action = m.game.words.parse(f"play {faces[touch]}")
                    assert reason == m.game.why_not(m.known(seat), action)


def test_a_match_that_is_over_refuses_nothing() -> None:
    m = auction(HANDS)
    m.state.marks[:] = 6
    say(m, "pass", "bid 4", "pass", "trump 6", *["play 66", "play 54", "play 65", "play 53"], "claim")
    assert m.over
    assert m.table(DEALER, SITTERS).step.refusals == ()


FOLLOWS = "You hold a five, so follow with a five."
RUFFS = "You cannot follow suit and hold a trump: play it."
CHANCE = "At this table chance takes from the boneyard, once the trick is over."


def turning_up() -> Match:
    return match(boneyard_pick="index")


def replying() -> Match:
    m = stage_one(("42 63 62 61 60 51 40", "66 54 55 30 41 32 20"), leader=DEALER, prize="64")
    say(m, "play 42")
    return m


def raising(bid: int) -> Match:
    m = auction(HANDS)
    say(m, f"bid {bid}")
    return m


def naming(bid: int = 20) -> Match:
    m = auction(HANDS)
    say(m, f"bid {bid}", *(["pass"] if bid < 42 else []))
    return m


def second(hands: tuple[str, str], contract: str, lead: str = "", **given: object) -> Match:
    m = stage_two(hands, contract, **given)  # type: ignore[arg-type]
    if lead:
        say(m, f"play {lead}")
    return m


def ended() -> Match:
    m = auction(HANDS)
    say(m, "pass", "pass")
    return m


SIXES = ("53 44 20", "61 50 32")
CASES = [
    (turning_up, "play 66", "First reveal a bone from the boneyard."),
    (turning_up, "bid 20", "Bidding begins when the boneyard is empty."),
    (replying, "play 42", "The 4·2 is led: reply with a bone of yours."),
    (replying, "play 64", "The 6·4 lies open for the winner of this trick."),
    (replying, "play 63", "You do not hold the 6·3."),
    (replying, "pick 1", CHANCE),
    (replying, "trump 6", "Trumps are named by whoever wins the auction."),
    (replying, "nello", "Nello is for whoever wins the auction with 42."),
    (replying, "claim", "Only a bid can be claimed, and nobody has bid yet."),
    (replying, "continue", "The hand is not over yet."),
    (lambda: raising(24), "bid 20", "20 is too low: 24 stands, so bid 25 or more."),
    (lambda: raising(41), "bid 41", "41 is too low: 41 stands, and only 42 is more."),
    (lambda: raising(24), "play 66", "First bid or pass: bones are played once trumps are named."),
    (lambda: raising(24), "pick 1", "The boneyard is empty."),
    (lambda: raising(24), "claim", "The auction is not over yet."),
    (naming, "nello", "Nello needs a bid of 42, and you bid 20."),
    (naming, "play 54", "First name trumps, then lead a bone."),
    (naming, "bid 30", "The auction is over: the bid of 20 stands."),
    (naming, "claim", "Only points that are won can be claimed: first name trumps."),
    (lambda: second(SIXES, "6", "53", leader=DEALER), "play 32", FOLLOWS),
    (lambda: second(SIXES, "6", leader=DEALER), "claim", "Only the highest bidder may claim, and that is not you."),
    (lambda: second(SIXES, "6"), "trump 5", "Trumps are named: sixes."),
    (lambda: second(("66 44", "63 50"), "3", "66", declarer=DEALER, must_ruff="yes"), "play 50", RUFFS),
    (lambda: second(SIXES, "nello", bid=42), "claim", "Nello cannot be claimed: you must lose every trick."),
    (lambda: second(SIXES, "nello", bid=42), "trump 1", "This hand is nello: there are no trumps."),
    (lambda: second(SIXES, "6", bid=42), "claim", "A bid of 42 cannot be claimed: it is played to the end."),
    (
        lambda: second(SIXES, "6", auto_end="on"),
        "claim",
        "You need not claim: at this table a hand ends once it is settled.",
    ),
    (ended, "play 66", "The hand is over: continue to the next one."),
]


@pytest.mark.parametrize(
    ("position", "move", "reason"), CASES, ids=[f"{move}-{i}" for i, (_, move, _) in enumerate(CASES)]
)
def test_reasons(position: object, move: str, reason: str) -> None:
    assert callable(position)
    m: Match = position()
    seat = m.acting[0]
    assert m.game.why_not(m.known(seat), m.game.words.parse(move)) == reason


def test_whom_one_waits_for() -> None:
    m = stage_one(("42 63 62 61 60 51 40", "66 54 55 30 41 32 20"), leader=DEALER, prize="64")
    assert dict(m.table(OTHER, SITTERS).step.refusals)["hand-0"] == "Wait: Theo leads to this trick."
    say(m, "play 42")
    assert dict(m.table(DEALER, SITTERS).step.refusals)["hand-0"] == "Wait: Yara replies to the 4·2."
    with speaking("de"):
        assert dict(m.table(DEALER, SITTERS).step.refusals)["hand-0"] == "Warte: Yara antwortet auf die 4·2."
    assert dict(raising(24).table(OTHER, SITTERS).step.refusals)["hand-3"] == "Wait: Theo is bidding."
    assert dict(naming().table(DEALER, SITTERS).step.refusals)["hand-3"] == "Wait: Yara names trumps."
    m = ended()
    say(m, "continue")
    waiting = next(seat for seat in (DEALER, OTHER) if seat not in m.acting)
    other = SITTERS[1 - waiting].name
    assert dict(m.table(waiting, SITTERS).step.refusals)["hand-0"] == f"Waiting for {other} to continue."
