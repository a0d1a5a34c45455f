"""Costly moves of Reveille, which the prompt asks the player to confirm.

A question appears only if what the viewer sees proves that the move loses the hand:

* A claim before the viewer has won enough points.
* A reply that decides the hand for the other player, if another legal reply does not.

Leads are not asked about, because the other player's bones are hidden. Bids and contracts are not asked about either:
the points that can still be won are hidden until the contract is named.
"""

from __future__ import annotations

from collections.abc import Sequence

from facedown.core.grammar import player_phrase
from facedown.core.table import Choice, Sitter, add_confirmation
from facedown.games.reveille.action_text import bone_label
from facedown.games.reveille.cards import NELLO
from facedown.games.reveille.i18n import N_, _
from facedown.games.reveille.rules import Phase, ReveillePosition
from facedown.games.reveille.view import led_bone, points_needed, trick_worth, would_win_trick


def confirm_claim(v: ReveillePosition, claim: Choice, sitters: Sequence[Sitter]) -> Choice:
    """Return a copy of a false claim that asks the viewer to confirm it, because it loses the hand."""
    asked = _("Claim and give {who} the mark?", who=player_phrase(sitters, 1 - v.viewer, v.viewer))
    costs = N_("You’ve won only {count} of the {bid} points you bid. A false claim loses the hand.")
    costs = _(costs, count=v.points[v.viewer], bid=v.high)
    return add_confirmation(claim, asked, costs, _("Claim anyway"), "claim")


def confirm_if_costly(
    v: ReveillePosition, choice: Choice, bone: int, playable: Sequence[int], sitters: Sequence[Sitter]
) -> Choice:
    """Return `choice`, which plays `bone`; if the reply loses the hand, return a copy that asks the viewer to confirm.

    `playable` are the bones that the viewer may play. If every reply loses the hand, there is nothing to ask.
    """
    if not loses_hand(v, bone) or all(loses_hand(v, other) for other in playable):
        return choice
    if v.viewer != v.declarer:
        made = N_("{who} would win the trick and make the bid of {bid}.")
        costs = _(made, who=player_phrase(sitters, v.declarer, v.viewer), bid=v.high)
    elif v.contract == NELLO:
        costs = _("You’d win the trick, but in nello you must lose them all.")
    else:
        costs = _("You’d lose the trick and could no longer make your bid of {bid}.", bid=v.high)
    asked = _("Play the {bone} and lose the hand?", bone=bone_label(bone))
    return add_confirmation(choice, asked, costs, choice.button, "nello" if v.contract == NELLO else "stage-two")


def loses_hand(v: ReveillePosition, bone: int) -> bool:
    """Return whether replying with a bone decides the hand against the viewer. False for a lead, and in stage one.

    The declarer loses the hand if the contract can no longer be made. The other player loses it if the declarer reaches
    the bid. The result is False if the hand was decided before this trick. A declarer who needs every trick and has won
    them all so far never replies, but leads.
    """
    if v.phase != Phase.STAGE_TWO or led_bone(v) is None:
        return False
    wins, mine = would_win_trick(v, bone), v.viewer == v.declarer
    if v.contract == NELLO:
        return mine and wins and not v.tricks[v.viewer]
    if wins:
        return False
    worth = trick_worth(v, bone)
    spare = v.offer - v.points[1 - v.declarer] - v.high
    return 0 <= spare < worth if mine else 0 < points_needed(v) <= worth
