"""Declared disclosures: fields of a view whose new values may depend on cards that the viewer has not seen.

Normally a step (a deal or a move) must not disclose anything about a hidden card or a private choice. Sometimes the
rules themselves make something public: a card that fits its place is turned face up, or a player who cannot move ends
the round.

A game's `RuleSet.disclosures` declares the fields that change in these cases. The tests check every step of every game
against the declarations, and check that each declaration is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from facedown.core.state import View


@dataclass(frozen=True, slots=True)
class Disclosure:
    """Declaration that the rules of a game disclose a secret to a viewer in certain steps. A step is a deal or a move.

    After such a step, some fields of the viewer's view may depend on cards that the viewer has not seen or, if `choice`
    is true, on a private choice of another player. In all other cases, the test for leaks of hidden information reports
    such a dependence as an error.
    """

    fields: tuple[str, ...]
    because: str
    """Reason: the rule of the game that discloses the secret, with the number of that rule or ruling."""
    when: Callable[[View | None, View], bool]
    """Function (before, after) → whether a step may disclose something through these fields. The arguments are one
    viewer's views before (None for the deal) and after the step."""
    choice: bool = False
    """Whether the fields may depend on another player's private choice. If false, they may depend on hidden cards."""


def disclosed_fields(
    told: Sequence[Disclosure], before: View | None, after: View, choice: bool = False
) -> frozenset[str]:
    """Return the names of the fields whose values after a step may depend on hidden cards.

    If `choice` is true, return instead the fields that may depend on another player's private choice.

    * `told`: the disclosures that the game declares.
    * `before` and `after`: one viewer's views before and after the step. `before` is None for the deal.
    """
    found = (each for each in told if each.choice == choice and each.when(before, after))
    return frozenset(field for each in found for field in each.fields)
