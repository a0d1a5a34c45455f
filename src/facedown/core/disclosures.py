"""Declared disclosures: fields of a view that a rule may set from cards that the viewer has not seen.

Normally a step (a deal or a move) must not disclose anything about a hidden card. Sometimes the rules themselves make
something public: a card that fits its place is turned face up, or a player who cannot move ends the round. A game's
`RuleSet.disclosures` declares these fields. The tests check every step of every game against the declarations, and
check that each declaration is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from facedown.core.state import View


@dataclass(frozen=True, slots=True)
class Disclosure:
    """Public fields that a rule may set from hidden cards, or from a player's private choice."""

    fields: tuple[str, ...]
    because: str
    """The rule that makes the fields public, with the id of its ruling."""
    when: Callable[[View | None, View], bool]
    """Function (before, after) → whether such a disclosure is possible in a step. The arguments are one viewer's views
    before (None for the deal) and after the step."""
    choice: bool = False
    """Whether the fields follow from a player's private choice instead of hidden cards. The rules make that choice
    public."""


def disclosed_fields(
    told: Sequence[Disclosure], before: View | None, after: View, choice: bool = False
) -> frozenset[str]:
    """Return the names of the fields that a step may set from hidden cards or, with `choice`, from a private choice.

    `told` are the disclosures that the game declares. `before` and `after` are one viewer's views before and after the
    step; `before` is None for the deal.
    """
    found = (each for each in told if each.choice == choice and each.when(before, after))
    return frozenset(field for each in found for field in each.fields)
