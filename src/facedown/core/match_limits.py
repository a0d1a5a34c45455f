"""What no match of a game exceeds, by its rules and their guards against endless play.

Frameworks for learners want to be told before the first move. A game that says nothing gets limits that no match of any
game reaches: as many actions as nobody counts, and the highest number that a field for scores holds.
"""

from __future__ import annotations

from dataclasses import dataclass

#: More actions than a match has that anybody waits for.
UNLIMITED_ACTIONS = 1_000_000_000
#: The highest number in two bytes, with a sign.
MAX_SCORE = 32_767.0


@dataclass(frozen=True, slots=True)
class Limits:
    """Of a whole match, or of its first round."""

    actions: int = UNLIMITED_ACTIONS
    """No more actions are played, those of all seats together; going on after a round is one of each seat."""
    lowest: float = -MAX_SCORE
    """No seat's return is lower,"""
    highest: float = MAX_SCORE
    """and none is higher."""
