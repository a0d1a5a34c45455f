"""Declared disclosures: fields of a view whose new values may depend on cards that the viewer has not seen.

Normally a step (a deal or a move) must not disclose anything about a hidden card. Sometimes the rules themselves make
something public: a card that fits its place is turned face up, or a player who cannot move ends the round.

A game's `RuleSet.disclosures` declares the fields that change in these cases. The tests check every step of every game
against the declarations, and check that each declaration is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from facedown.core.state import View


@dataclass(frozen=True, slots=True)
class Disclosure:
    """Public fields whose values may depend on hidden cards, or on a player's private choice."""

    fields: tuple[str, ...]
    because: str
    """Reason: the rule of the game that makes the fields public, with the number of that rule or ruling."""
    when: Callable[[View | None, View], bool]
    """Function (before, after) → whether a step may disclose something through these fields. The arguments are one
    viewer's views before (None for the deal) and after the step."""
    choice: bool = False
    """Whether the values of the fields depend on a player's private choice, which the rules make public, instead of on
    hidden cards."""


def disclosed_fields(
    told: Sequence[Disclosure], before: View | None, after: View, choice: bool = False
) -> frozenset[str]:
    """Return the names of the fields whose values after a step may depend on hidden cards.

    If `choice` is true, return instead the fields that may depend on a player's private choice.

    * `told`: the disclosures that the game declares.
    * `before` and `after`: one viewer's views before and after the step. `before` is None for the deal.
    """
    found = (each for each in told if each.choice == choice and each.when(before, after))
    return frozenset(field for each in found for field in each.fields)
