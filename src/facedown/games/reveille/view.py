"""What a view of Reveille says: what lies where, and what a bone would do."""

from __future__ import annotations

from facedown.core.state import SPECTATOR
from facedown.games.reveille.cards import (
    BONES,
    COUNTER,
    FOLLOWING,
    NELLO,
    TRICK_POINTS,
    WINNERS,
    members,
)
from facedown.games.reveille.info import Bid42
from facedown.games.reveille.rules import (
    AUCTION,
    DRAW,
    FIRST_STAGE,
    HAND,
    HIGHEST_BID,
    PLAY_ONE,
    PLAY_TWO,
    PLAYERS,
    SECOND_STAGE,
    TRICKS,
    UP,
    ReveillePosition,
)


def hand(v: ReveillePosition, seat: int) -> list[int]:
    """The bones of a hand that the viewer may look at, highest first."""
    return [v.card[slot] for slot in range(seat * HAND, seat * HAND + HAND) if v.card[slot] < BONES]


def remembered(v: ReveillePosition, seat: int) -> list[int]:
    """With the memory aid: the bones that a seat took openly and still holds."""
    return members(v.taken[seat])


def burnt_bones(v: ReveillePosition) -> list[int]:
    """With the memory aid: the burnt bones in the order in which they were played."""
    end = FIRST_STAGE + 2 * burnt_tricks(v)
    return [v.card[slot] for slot in range(FIRST_STAGE, end) if v.card[slot] < BONES]


def counters_left(v: ReveillePosition) -> list[int]:
    """With the memory aid, in the auction: the counters that stage two can still bring, the dearest first."""
    gone = set(burnt_bones(v))
    left = [bone for bone in range(BONES) if COUNTER[bone] and bone not in gone]
    return sorted(left, key=lambda bone: (-COUNTER[bone], -bone))


def burnt_tricks(v: ReveillePosition) -> int:
    """How many tricks of stage one lie face down."""
    return v.trick if v.phase <= DRAW else TRICKS


def prize(v: ReveillePosition) -> int | None:
    """The bone that lies face up for the winner of a trick of stage one."""
    return v.card[UP] if v.card[UP] < BONES else None


def lead(v: ReveillePosition) -> int | None:
    """The bone led to the current trick, if it is led."""
    if v.phase not in (PLAY_ONE, PLAY_TWO):
        return None
    bone = v.card[(FIRST_STAGE if v.phase == PLAY_ONE else SECOND_STAGE) + 2 * v.trick]
    return bone if bone < BONES else None


def won_tricks(v: ReveillePosition, seat: int) -> list[tuple[int, int, int]]:
    """The tricks of stage two that a seat has won: (number from 1, lead, reply)."""
    found = []
    for trick in range(TRICKS):
        slot = SECOND_STAGE + 2 * trick
        led, reply = v.card[slot], v.card[slot + 1]
        if max(led, reply) < BONES and v.winners >> trick & 1 == seat:
            found.append((trick + 1, led, reply))
    return found


def stage_two_begun(v: ReveillePosition) -> bool:
    """Does a contract stand?"""
    return v.phase > AUCTION and v.contract <= NELLO


def wins(v: ReveillePosition, bone: int) -> bool:
    """Would this bone, as the reply, win the trick?"""
    first = lead(v)
    return first is not None and WINNERS[v.contract, first] >> bone & 1 == 1


def trick_worth(v: ReveillePosition, bone: int) -> int:
    """The points of the trick of stage two that this bone completes or leads to."""
    first = lead(v)
    return TRICK_POINTS + COUNTER[bone] + (0 if first is None else COUNTER[first])


def following(v: ReveillePosition, seat: int) -> list[int]:
    """The bones of a hand that follow the lead of stage two."""
    first = lead(v)
    if first is None:
        return []
    wanted = FOLLOWING[v.contract, first]
    return [bone for bone in hand(v, seat) if wanted >> bone & 1]


def short_by(v: ReveillePosition) -> int:
    """How many points the declarer still lacks."""
    return max(0, v.high - v.points[v.declarer])


def needs_tricks(v: ReveillePosition) -> bool:
    """Does the contract need all seven tricks (a trump contract at 42 with `bid42=all_tricks`)?"""
    return v.opt.bid42 == Bid42.ALL_TRICKS and v.high == HIGHEST_BID and v.contract != NELLO


def order_of_seats(v: ReveillePosition) -> tuple[int, int]:
    """The viewer's own seat first; the seats in order for a spectator."""
    return (0, 1) if v.viewer == SPECTATOR else (v.viewer, PLAYERS - 1 - v.viewer)
