"""Functions that read a view of Reveille: hands, tricks, the stage of the hand, and the effect of a play.

A view is the position as one viewer sees it. Bones that are hidden from the viewer are `UNKNOWN` in it. The functions
leave them out of their results.
"""

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

#: Uncompiled version of the function `needs_all_tricks`. It returns whether the contract needs all seven tricks: a
#: trump contract at 42 with `bid42=all_tricks`. Compiled functions reject a view that is a named tuple (`plain_view`).
needs_tricks = python_function(needs_all_tricks)


def hand(v: ReveillePosition, seat: int) -> list[int]:
    """Return the bones (ids from 0 to 27) in a seat's hand that the viewer can see, in descending order."""
    return [v.card[slot] for slot in range(seat * HAND, seat * HAND + HAND) if v.card[slot] < BONES]


def visible_burnt_bones(v: ReveillePosition) -> list[int]:
    """Return the burnt bones (those of the finished tricks of stage one) in the order in which they were played.

    The list is empty if the view hides these bones. The table shows them only if the memory aid is on (a table option:
    bones that a player has seen stay shown).
    """
    end = STAGE_ONE_SLOT + 2 * burnt_trick_count(v)
    return [v.card[slot] for slot in range(STAGE_ONE_SLOT, end) if v.card[slot] < BONES]


def counters_left(v: ReveillePosition) -> list[int]:
    """Return the counters (bones that score points) that can still be won in stage two, those with most points first.

    The result is correct only after stage one, and only if the view shows the burnt bones (`visible_burnt_bones`).
    """
    left = ALL_COUNTERS & ~sum(1 << bone for bone in visible_burnt_bones(v))
    return sorted(bones_in_set(left), key=lambda bone: -COUNTER_POINTS[bone])


def burnt_trick_count(v: ReveillePosition) -> int:
    """Return the number of finished tricks of stage one. They are burnt: their bones are out of play."""
    return v.trick if v.phase <= Phase.DRAWING else TRICKS


def prize_bone(v: ReveillePosition) -> int | None:
    """Return the face-up bone that the winner of the current stage-one trick gets, or None if no bone is face up."""
    return v.card[UP_SLOT] if v.card[UP_SLOT] < BONES else None


def led_bone(v: ReveillePosition) -> int | None:
    """Return the bone that was led to the current trick, or None if no bone was led yet."""
    if v.phase not in (Phase.STAGE_ONE, Phase.STAGE_TWO):
        return None
    bone = v.card[(STAGE_ONE_SLOT if v.phase == Phase.STAGE_ONE else STAGE_TWO_SLOT) + 2 * v.trick]
    return bone if bone < BONES else None


def won_tricks(v: ReveillePosition, seat: int) -> list[tuple[int, int, int]]:
    """Return the tricks of stage two that a seat has won, each as (number of the trick from 1, bone led, reply)."""
    played = list(v.card)[STAGE_TWO_SLOT:]
    tricks = enumerate(zip(played[::2], played[1::2], strict=True))
    return [
        (trick + 1, led, reply)
        for trick, (led, reply) in tricks
        if max(led, reply) < BONES and v.winners >> trick & 1 == seat
    ]


def stage(v: ReveillePosition) -> int:
    """Return the stage of the hand: 0 in stage one, 1 in the auction, 2 in stage two.

    After the hand it is the stage in which the hand ended.
    """
    if v.phase <= Phase.DRAWING:
        return 0
    return 1 if v.contract == NO_CONTRACT else 2


def would_win_trick(v: ReveillePosition, bone: int) -> bool:
    """Return whether this bone, played as the reply, wins the current trick. False if no bone was led yet."""
    first = led_bone(v)
    return first is not None and WINNERS[v.contract, first] >> bone & 1 == 1


def trick_worth(v: ReveillePosition, bone: int) -> int:
    """Return how many points the current trick of stage two is worth if `bone` (an id from 0 to 27) is played to it.

    The total is 1 point for the trick, plus the points of `bone`. If a bone was led before, the points of that
    bone are added, too.
    """
    first = led_bone(v)
    return int(TRICK_POINTS + COUNTER_POINTS[bone] + (0 if first is None else COUNTER_POINTS[first]))


def suit_following_bones(v: ReveillePosition, seat: int) -> list[int]:
    """Return the bones in a seat's hand that follow suit to the bone led to the current trick (in stage two of a hand).

    The list is empty if no bone was led yet, or if no bone of the hand follows suit.
    """
    first = led_bone(v)
    return [] if first is None else [bone for bone in hand(v, seat) if FOLLOW_SUIT_MASKS[v.contract, first] >> bone & 1]


def points_needed(v: ReveillePosition) -> int:
    """Return the number of points that the declarer still needs to reach the bid; 0 if the bid is reached."""
    return max(0, v.high - v.points[v.declarer])


def seats_own_first(v: ReveillePosition) -> tuple[int, int]:
    """Return both seats, the viewer's own first. For a spectator, seat 0 is first."""
    return (0, 1) if v.viewer == SPECTATOR else (v.viewer, PLAYERS - 1 - v.viewer)
