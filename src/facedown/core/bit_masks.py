"""Bit masks: sets of seats, places or kinds, one bit each; among them `acting`, the seats that are to act."""

from __future__ import annotations

from facedown.core.rule import rule, to_int64
from facedown.core.state import Position


@rule
def includes(mask: int, member: int) -> bool:
    """Is this one in the mask?"""
    return mask >> member & 1 == 1


@rule
def is_single(mask: int) -> bool:
    """Has the mask exactly one bit?"""
    return mask != 0 and mask & (mask - 1) == 0


@rule
def count_bits(mask: int) -> int:
    """How many bits are set, of a mask of at most 32."""
    # Added up in groups of 2, 4 and 8 bits: without a branch, as compiled rules count in their innermost loops.
    bits = to_int64(mask)
    twos = bits - (bits >> 1 & 0x55555555)
    fours = (twos & 0x33333333) + (twos >> 2 & 0x33333333)
    return ((fours + (fours >> 4) & 0x0F0F0F0F) * 0x01010101 & 0xFFFFFFFF) >> 24


# --- turn order -------------------------------------------------------------------------------------------------------


@rule
def set_only_acting(s: Position, seat: int) -> None:
    """From now on this seat alone is to act."""
    s.acting = 1 << seat


@rule
def set_all_acting(s: Position) -> None:
    """From now on all seats are to act, in any order."""
    s.acting = (1 << s.seats) - 1


@rule
def mark_acted_is_last(s: Position, seat: int) -> bool:
    """Take a seat from those that are to act. Was it the last one?"""
    s.acting = s.acting & ~(1 << seat)
    return s.acting == 0


@rule
def next_seat(s: Position, seat: int) -> int:
    """The seat to the left."""
    # A division would cost as much as the rest of a turn.
    return seat + 1 if seat + 1 < s.seats else 0
