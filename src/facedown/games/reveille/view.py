"""What a view of Reveille says: what lies where, and what a bone would do."""

from __future__ import annotations

from facedown.core.rule import python_function
from facedown.core.state import SPECTATOR
from facedown.games.reveille.cards import (
    ALL_COUNTERS,
    BONES,
    COUNTER_POINTS,
    FOLLOW_SUIT_MASKS,
    NO_CONTRACT,
    TRICK_POINTS,
    WINNERS,
    bones_in_set,
)
from facedown.games.reveille.rules import (
    HAND,
    PLAYERS,
    STAGE_ONE_SLOT,
    STAGE_TWO_SLOT,
    TRICKS,
    UP_SLOT,
    Phase,
    ReveillePosition,
    needs_all_tricks,
)

#: Does the contract need all seven tricks (a trump contract at 42 with `bid42=all_tricks`)?
needs_tricks = python_function(needs_all_tricks)


def hand(v: ReveillePosition, seat: int) -> list[int]:
    """The bones of a hand that the viewer may look at, highest first."""
    return [v.card[slot] for slot in range(seat * HAND, seat * HAND + HAND) if v.card[slot] < BONES]


def burnt_bones(v: ReveillePosition) -> list[int]:
    """With the memory aid: the burnt bones in the order in which they were played."""
    end = STAGE_ONE_SLOT + 2 * burnt_tricks(v)
    return [v.card[slot] for slot in range(STAGE_ONE_SLOT, end) if v.card[slot] < BONES]


def counters_left(v: ReveillePosition) -> list[int]:
    """With the memory aid, in the auction: the counters that stage two can still bring, the dearest first."""
    left = ALL_COUNTERS & ~sum(1 << bone for bone in burnt_bones(v))
    return sorted(bones_in_set(left), key=lambda bone: -COUNTER_POINTS[bone])


def burnt_tricks(v: ReveillePosition) -> int:
    """How many tricks of stage one lie face down."""
    return v.trick if v.phase <= Phase.DRAWING else TRICKS


def prize_bone(v: ReveillePosition) -> int | None:
    """The bone that lies face up for the winner of a trick of stage one."""
    return v.card[UP_SLOT] if v.card[UP_SLOT] < BONES else None


def led_bone(v: ReveillePosition) -> int | None:
    """The bone led to the current trick, if it is led."""
    if v.phase not in (Phase.STAGE_ONE, Phase.STAGE_TWO):
        return None
    bone = v.card[(STAGE_ONE_SLOT if v.phase == Phase.STAGE_ONE else STAGE_TWO_SLOT) + 2 * v.trick]
    return bone if bone < BONES else None


def won_tricks(v: ReveillePosition, seat: int) -> list[tuple[int, int, int]]:
    """The tricks of stage two that a seat has won: (number from 1, lead, reply)."""
    played = list(v.card)[STAGE_TWO_SLOT:]
    tricks = enumerate(zip(played[::2], played[1::2], strict=True))
    return [
        (trick + 1, led, reply)
        for trick, (led, reply) in tricks
        if max(led, reply) < BONES and v.winners >> trick & 1 == seat
    ]


def stage(v: ReveillePosition) -> int:
    """Where the hand stands, or ended: in stage one (0), in the auction (1), or in stage two (2)."""
    if v.phase <= Phase.DRAWING:
        return 0
    return 1 if v.contract == NO_CONTRACT else 2


def wins(v: ReveillePosition, bone: int) -> bool:
    """Would this bone, as the reply, win the trick?"""
    first = led_bone(v)
    return first is not None and WINNERS[v.contract, first] >> bone & 1 == 1


def trick_worth(v: ReveillePosition, bone: int) -> int:
    """The points of the trick of stage two that this bone completes or leads to."""
    first = led_bone(v)
    return int(TRICK_POINTS + COUNTER_POINTS[bone] + (0 if first is None else COUNTER_POINTS[first]))


def following_bones(v: ReveillePosition, seat: int) -> list[int]:
    """The bones of a hand that follow the lead of stage two."""
    first = led_bone(v)
    return [] if first is None else [bone for bone in hand(v, seat) if FOLLOW_SUIT_MASKS[v.contract, first] >> bone & 1]


def points_needed(v: ReveillePosition) -> int:
    """How many points the declarer still lacks."""
    return max(0, v.high - v.points[v.declarer])


def order_of_seats(v: ReveillePosition) -> tuple[int, int]:
    """The viewer's own seat first; the seats in order for a spectator."""
    return (0, 1) if v.viewer == SPECTATOR else (v.viewer, PLAYERS - 1 - v.viewer)
