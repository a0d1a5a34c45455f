"""Positions of Reveille as the worked cases write them: bones by their two numbers, seats 0 (deals) and 1."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from facedown.core.hidden_cards import clear_slot_publicly, put
from facedown.core.match import Match
from facedown.core.state import EVERYONE
from facedown.core.table import Sitter
from facedown.games.reveille import rules
from facedown.games.reveille.cards import BONES, COUNTER_POINTS, NELLO, bone_name, bone_named
from facedown.games.reveille.rules import HAND, SLOTS, STAGE_ONE_SLOT, STAGE_TWO_SLOT, UP_SLOT, YARD, Phase, add_to_hand

#: The dealer, and the other player, who leads and bids first.
DEALER, OTHER = 0, 1
SITTERS = (Sitter("Theo"), Sitter("Yara"))


def bones(text: str) -> list[int]:
    """Return the bones of a text like "65 64 10"."""
    return [bone_named(word) for word in text.split()]


def match(deal: str = "", first: int = DEALER, **options: str) -> Match:
    """Return a match whose first bones are the given ones: seven for the seat that does not deal, then the dealer's."""
    return Match("reveille", 2, options, seed=bytes(32), deal=bones(deal), first=first)


def play_words(m: Match, *moves: str) -> None:
    """Play moves in words, each by the seat to act."""
    for move in moves:
        m.play(m.acting[0], m.game.words.parse(move))


def legal_words(m: Match, seat: int | None = None) -> list[str]:
    """Return the legal moves of a seat (by default the one to act) in words."""
    seat = m.acting[0] if seat is None else seat
    return [m.game.words.words(action) for action in m.legal(seat)]


def playable_bones(m: Match) -> set[str]:
    """Return the bones that the seat to act may play."""
    return {word.split()[1] for word in legal_words(m) if word.startswith("play")}


def hand_bones(m: Match, seat: int) -> set[str]:
    """Return the bones of a hand."""
    return {bone_name(int(k)) for k in m.state.card[seat * HAND : seat * HAND + HAND] if k < BONES}


def _holding(hands: tuple[str, str], options: dict[str, str], *open_bones: int) -> tuple[Match, list[int]]:
    """Return a match with these hands and an empty table, and the remaining bones."""
    m = match(first=DEALER, **options)
    s = m.state
    for slot in range(SLOTS):
        clear_slot_publicly(s, slot)
    s.hand_size[:] = s.taken[:] = s.barred[:] = 0
    s.yard_count = 0
    used = [bones(text) for text in hands]
    for seat, held in enumerate(used):
        for bone in held:
            add_to_hand(s, seat, bone)
    return m, [bone for bone in range(BONES) if bone not in {*used[0], *used[1], *open_bones}]


def _put_burnt(s: Any, burnt: list[int]) -> None:
    """Put bones into the burnt tricks of stage one."""
    for i, bone in enumerate(burnt):
        put(s, STAGE_ONE_SLOT + i, bone, EVERYONE)
        s.offer = int(s.offer) - int(COUNTER_POINTS[bone])
        s.burnt = int(s.burnt) | (1 << bone if COUNTER_POINTS[bone] else 0)


def stage_one(hands: tuple[str, str], leader: int, prize: str, **options: str) -> Match:
    """Return a match in stage one with these hands; the other bones are in the boneyard."""
    m, rest = _holding(hands, options, bone_named(prize))
    s = m.state
    put(s, UP_SLOT, bone_named(prize), EVERYONE)
    for place, bone in enumerate(rest):
        put(s, YARD + place, bone, 0)
    s.yard_count = len(rest)
    s.phase = Phase.STAGE_ONE
    s.leader = leader
    s.acting = 1 << leader
    return m


def auction(hands: tuple[str, str] | None = None, burnt: str = "", **options: str) -> Match:
    """Return a match at the start of an auction. With hands given, all other bones are burnt, including those of
    `burnt`.
    """
    if hands is None:
        m = match(first=DEALER, **options)
        while int(m.state.phase) != Phase.AUCTION:
            play_words(m, legal_words(m)[0])
        return m
    m, rest = _holding(hands, options)
    assert len(rest) == 14
    assert set(bones(burnt)) <= set(rest)
    _put_burnt(m.state, rest)
    m.state.trick = 7
    m.state.leader = OTHER
    rules.start_auction(m.state)
    return m


def stage_two(
    hands: tuple[str, str],
    contract: str,
    bid: int = 4,
    declarer: int = OTHER,
    leader: int | None = None,
    points: tuple[int, int] = (0, 0),
    tricks: tuple[int, int] = (0, 0),
    **options: str,
) -> Match:
    """Return a match in stage two: both hands have equally many bones, and the leader leads.

    Where finished tricks and the burnt pile do not matter, they hold any of the other bones.
    """
    m, rest = _holding(hands, options)
    s: Any = m.state
    done = HAND - len(bones(hands[0]))
    for i in range(2 * done):
        put(s, STAGE_TWO_SLOT + i, rest.pop(), EVERYONE)
    _put_burnt(s, rest)
    s.high, s.declarer, s.trick, s.phase = bid, declarer, done, Phase.STAGE_TWO
    s.contract = NELLO if contract == "nello" else int(contract)
    s.leader = declarer if leader is None else leader
    s.acting = 1 << int(s.leader)
    s.points[:] = points
    s.tricks[:] = tricks
    s.winners = sum(1 << k for k in range(tricks[0], tricks[0] + tricks[1]))
    return m


#: Functions for positions by the names used in tables of cases.
POSITIONS: dict[str, Callable[..., Match]] = {made.__name__: made for made in (auction, match, stage_one, stage_two)}


def case_position(case: dict[str, Any]) -> Match:
    """Return the position of a case, after its first moves."""
    (kind,) = case.keys() & POSITIONS.keys()
    m = POSITIONS[kind](**case[kind])
    play_words(m, *case.get("say", ()))
    return m
