"""Why not: every bone, bid and place that cannot be had now says why, from the view of whoever asks."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from facedown.check.reasons import from_the_view, touched
from facedown.core.language import catalogue_of, speaking
from facedown.core.match import Match
from facedown.core.state import SPECTATOR
from facedown.core.table import Sitter, Table
from facedown.games.reveille.info import ReveilleOptions
from facedown.games.reveille.reasons import why_not
from facedown.games.reveille.rules import Act
from facedown.games.reveille.state import Phase
from tests.games.reveille.positions import DEALER, OTHER, auction, match, say, stage_one, stage_two

SITTERS = (Sitter("Theo"), Sitter("Yara"))
HANDS = ("66 65 64 63 62 61 60", "54 53 52 51 50 44 43")


def moments(rnd: random.Random, matches: int = 4, plies: int = 110) -> Iterator[Match]:
    """Positions of random matches under random options, the high bids and nello among them."""
    for number in range(matches):
        options = {
            option.name: rnd.choice([value.word for value in option.values]) for option in ReveilleOptions.declared
        }
        options["boneyard_pick"] = ("index", "auto")[number % 2]
        m = Match("reveille", 2, options, seed=rnd.randbytes(32))
        while not m.over and m.ply < plies:
            yield m
            seat = rnd.choice(m.acting)
            actions = m.legal(seat)
            if int(m.state.phase) == Phase.AUCTION:
                actions = rnd.choice([actions[:3], actions[:3], actions[-2:]])
            elif Act.NELLO in actions and rnd.random() < 0.5:
                actions = [Act.NELLO]
            m.play(seat, rnd.choice(actions))


@pytest.mark.parametrize("code", ["en", "de"])
def test_whatever_is_not_allowed_has_a_reason(code: str, seed: int) -> None:
    rnd, reasons = random.Random(seed), set()
    with speaking(code):
        for m in moments(rnd):
            for seat in m.acting:
                view, legal = m.known(seat), set(m.legal(seat))
                for action in range(m.game.actions):
                    why = m.game.why_not(view, action)
                    if action in legal:
                        assert why == ""
                        continue
                    assert why == why_not(view, action), "the room has a reason of its own for everything"
                    assert why[:1].isupper() or why[:1].isdigit(), why
                    assert why.endswith("."), why
                    reasons.add(why)
    assert len(reasons) > 30


def test_reasons_follow_from_the_view(seed: int) -> None:
    rnd = random.Random(seed)
    for m in moments(rnd):
        assert list(from_the_view(m, rnd)) == []


def there(table: Table) -> set[str]:
    """The places that a viewer can try to touch."""
    return {piece.place for zone in table.zones for piece in zone.pieces}


@pytest.mark.parametrize("code", ["en", "de"])
def test_everything_that_is_touched_at_some_time_says_why_not_now(code: str, seed: int) -> None:
    rnd, ever, tables = random.Random(seed), set[str](), []
    with speaking(code):
        for m in moments(rnd):
            for seat in (DEALER, OTHER):
                table = m.table(seat, SITTERS)
                ever |= touched(table)
                tables.append(table)
            assert m.table(SPECTATOR, SITTERS).step.refusals == ()
    assert {"hand-0", "yard-0", "lead", "reply"} <= ever
    for table in tables:
        refused, offered = dict(table.step.refusals), {choice.touch for choice in table.step.choices}
        assert not refused.keys() & offered, "what is offered is not refused"
        assert (ever & there(table)) - offered <= refused.keys()
        assert all(reason.endswith(".") for reason in refused.values())


def test_the_page_gives_the_reason_of_the_rules(seed: int) -> None:
    rnd = random.Random(seed)
    for m in moments(rnd, matches=4):
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


def test_every_reason_is_translated() -> None:
    catalogue = catalogue_of("facedown.games.reveille", "de")
    for text in ("First name trumps, then lead a bone.", "You do not hold the {bone}.", "The boneyard is empty."):
        assert catalogue.gettext(text) != text


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
