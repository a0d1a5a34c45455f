"""Reading a view of Reveille: what lies where, and what a bone would do. Nothing here ever sees a state."""

from __future__ import annotations

from typing import Any

from facedown.core.state import SPECTATOR
from facedown.games.reveille.bones import (
    BONES,
    COUNTER,
    MEMBERS,
    NELLO,
    TRICK_POINTS,
    reply_wins,
    trick_points,
)
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
)
from facedown.games.reveille.speech import led, members


def hand(view: Any, seat: int) -> list[int]:
    """The bones of a hand that the viewer may look at, highest first."""
    first = seat * HAND
    return [int(kind) for kind in view.card[first : first + HAND] if kind < BONES]


def remembered(view: Any, seat: int) -> list[int]:
    """With the memory aid: the bones that a seat took openly and still holds."""
    return members(int(view.taken[seat]))


def burnt_bones(view: Any) -> list[int]:
    """With the memory aid: the burnt bones in the order in which they were played."""
    end = FIRST_STAGE + 2 * burnt_tricks(view)
    return [int(kind) for kind in view.card[FIRST_STAGE:end] if kind < BONES]


def counters_left(view: Any) -> list[int]:
    """With the memory aid, in the auction: the counters that stage two can still bring, the dearest first."""
    gone = set(burnt_bones(view))
    left = [bone for bone in range(BONES) if COUNTER[bone] and bone not in gone]
    return sorted(left, key=lambda bone: (-int(COUNTER[bone]), -bone))


def burnt_tricks(view: Any) -> int:
    """How many tricks of stage one lie face down."""
    return int(view.trick) if int(view.phase) <= DRAW else TRICKS


def prize(view: Any) -> int | None:
    """The bone that lies face up for the winner of a trick of stage one."""
    kind = int(view.card[UP])
    return kind if kind < BONES else None


def lead(view: Any) -> int | None:
    """The bone led to the current trick, if it is led."""
    phase = int(view.phase)
    if phase not in (PLAY_ONE, PLAY_TWO):
        return None
    kind = int(view.card[(FIRST_STAGE if phase == PLAY_ONE else SECOND_STAGE) + 2 * int(view.trick)])
    return kind if kind < BONES else None


def won_tricks(view: Any, seat: int) -> list[tuple[int, int, int]]:
    """The tricks of stage two that a seat has won: (number from 1, lead, reply)."""
    found = []
    for trick in range(TRICKS):
        slot = SECOND_STAGE + 2 * trick
        bones = int(view.card[slot]), int(view.card[slot + 1])
        if max(bones) < BONES and int(view.winners) >> trick & 1 == seat:
            found.append((trick + 1, *bones))
    return found


def stage_two_begun(view: Any) -> bool:
    """Does a contract stand?"""
    return int(view.phase) > AUCTION and int(view.contract) <= NELLO


def wins(view: Any, bone: int) -> bool:
    """Would this bone, as the reply, win the trick?"""
    first = lead(view)
    return first is not None and bool(reply_wins(int(view.contract), first, bone))


def worth(view: Any, bone: int) -> int:
    """The points of the trick of stage two that this reply completes."""
    first = lead(view)
    return TRICK_POINTS + int(COUNTER[bone]) if first is None else int(trick_points(first, bone))


def following(view: Any, seat: int) -> list[int]:
    """The bones of a hand that follow the lead of stage two."""
    first = lead(view)
    if first is None:
        return []
    contract = int(view.contract)
    wanted = int(MEMBERS[contract, led(contract, first)])
    return [bone for bone in hand(view, seat) if wanted >> bone & 1]


def short_by(view: Any) -> int:
    """How many points the declarer still lacks."""
    return max(0, int(view.high) - int(view.points[int(view.declarer)]))


def needs_tricks(view: Any) -> bool:
    """Does the contract need all seven tricks (a trump contract at 42 with `bid42=all_tricks`)?"""
    return bool(view.all_tricks) and int(view.high) == HIGHEST_BID and int(view.contract) != NELLO


def order_of_seats(view: Any) -> tuple[int, int]:
    """The viewer's own seat first; the seats in order for a spectator."""
    viewer = int(view.viewer)
    return (0, 1) if viewer == SPECTATOR else (viewer, PLAYERS - 1 - viewer)
