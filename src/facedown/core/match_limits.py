"""Limits on the length and the scores of matches, which follow from the rules of a game.

Learning frameworks need them before the first move. A game without limits gets defaults that no match can exceed: a
very large number of actions, and the largest number that fits into a score field.
"""

from __future__ import annotations

from dataclasses import dataclass

#: Default limit on actions, higher than any match can reach.
UNLIMITED_ACTIONS = 1_000_000_000
#: Default limit on scores: the largest signed two-byte integer.
MAX_SCORE = 32_767.0


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits on the length and the scores of a match.

    The limits are those of a whole match or, if `GameModule.limits_of` was called with ``one_round=True``, those of a
    match that ends after its first round. Learning frameworks can play both kinds of matches.
    """

    actions: int = UNLIMITED_ACTIONS
    """Largest number of actions of all seats together. After a round, each seat's action to continue counts too."""
    lowest: float = -MAX_SCORE
    """Lowest possible return (final score) of a seat."""
    highest: float = MAX_SCORE
    """Highest possible return (final score) of a seat."""
