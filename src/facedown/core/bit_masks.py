"""Bit masks for sets of seats, card positions or kinds of cards: bit i is set if the set contains number i.

The module also has compiled functions that change the set of seats that are to act, the bit mask `s.acting`.
"""

from __future__ import annotations

from facedown.core.rule import rule, to_int64
from facedown.core.state import Position


@rule
def includes(mask: int, member: int) -> bool:
    """Return whether bit number `member` is set in the mask."""
    return mask >> member & 1 == 1


@rule
def is_single(mask: int) -> bool:
    """Return whether exactly one bit is set in the mask."""
    return mask != 0 and mask & (mask - 1) == 0


@rule
def count_bits(mask: int) -> int:
    """Return the number of set bits in a mask of up to 32 bits."""
    # This branch-free sum over groups of 2, 4 and 8 bits is fast enough for the innermost loops of compiled functions.
    bits = to_int64(mask)
    twos = bits - (bits >> 1 & 0x55555555)
    fours = (twos & 0x33333333) + (twos >> 2 & 0x33333333)
    return ((fours + (fours >> 4) & 0x0F0F0F0F) * 0x01010101 & 0xFFFFFFFF) >> 24


# --- turn order -------------------------------------------------------------------------------------------------------


@rule
def set_only_acting(s: Position, seat: int) -> None:
    """Make `seat` the only seat to act: set `s.acting` to its bit."""
    s.acting = 1 << seat


@rule
def set_all_acting(s: Position) -> None:
    """Let all seats act, in any order: set the bit of every seat in `s.acting`."""
    s.acting = (1 << s.seats) - 1


@rule
def mark_acted_is_last(s: Position, seat: int) -> bool:
    """Remove `seat` from the seats to act (`s.acting`). Return whether no other seat is still to act."""
    s.acting = s.acting & ~(1 << seat)
    return s.acting == 0


@rule
def next_seat(s: Position, seat: int) -> int:
    """Return the seat to the left of `seat`, which is the next one in turn order."""
    # A comparison is much cheaper than the remainder of a division, and this runs on every turn.
    return seat + 1 if seat + 1 < s.seats else 0
