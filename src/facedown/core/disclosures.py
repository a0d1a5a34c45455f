"""What a rule tells by itself: public fields that may follow from cards which somebody has not seen.

A step must not say anything of a hidden card. Where the rules themselves make something public — a card that fits its
place is turned, a player who can do nothing ends the round — the game's `RuleSet` says so in `told`, field by field.
The tests hold every step of every game to it, and every line of it to be needed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from facedown.core.state import View


@dataclass(frozen=True, slots=True)
class Disclosure:
    """Fields that a rule may set from hidden cards."""

    fields: tuple[str, ...]
    because: str
    """The rule that makes them public, with its ruling's id."""
    when: Callable[[View | None, View], bool]
    """Given a viewer's views before and after the step (before the deal: None): can this be such a step?"""
    choice: bool = False
    """The fields follow from a player's own choice, not from cards; the choice is public by rule."""


def disclosed_fields(
    told: Sequence[Disclosure], before: View | None, after: View, choice: bool = False
) -> frozenset[str]:
    """The fields that a step from one view to another may set from hidden cards (or from a choice made unseen)."""
    found = (each for each in told if each.choice == choice and each.when(before, after))
    return frozenset(field for each in found for field in each.fields)
