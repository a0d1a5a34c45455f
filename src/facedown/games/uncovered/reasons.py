"""Why a move or a touch is not taken now, in Uncovered!: one sentence from the rules' own reasons, by a view alone."""

from __future__ import annotations

from collections.abc import Sequence

from facedown.core.state import View, plain_view
from facedown.core.table import Path, Refusals, Sitter, refused
from facedown.core.usual import choosing
from facedown.core.voice import acting_seats, who
from facedown.games.uncovered.cards import PLACES
from facedown.games.uncovered.info import Mode, Turning
from facedown.games.uncovered.rules import Act, Phase, UncoveredPosition, swap_parts
from facedown.games.uncovered.texts import N_, _
from facedown.games.uncovered.view import place_id

#: The buttons that end the game: the first asks once more, the second does it.
UNCOVER_TOUCH = "uncover"
SURE_TOUCH = "uncover-now"

WITHIN = N_("Cards of one hand cannot change places with each other.")


# --- moves ------------------------------------------------------------------------------------------------------------


def refusal(view: View, action: int) -> str:
    """Why the seat whose view it is, which is to act, may not take an action that is not legal: one sentence."""
    v = plain_view(view, UncoveredPosition)
    if v.phase == Phase.TURNING:
        return _decide_first(v)
    if action >= Act.UNCOVER:
        return _nothing_to_turn(v)
    place, other, theirs = swap_parts(action)
    if other >= v.seats:
        return _("There is no seat {seat} at this table: they go from 0 to {last}.", seat=other, last=v.seats - 1)
    if place == theirs:
        return _("A card cannot change places with itself: choose a card of another hand.")
    return _(WITHIN)


def _decide_first(v: UncoveredPosition) -> str:
    return _("First decide about your {number}: turn it or leave it.", number=v.deciding % PLACES + 1)


def _nothing_to_turn(v: UncoveredPosition) -> str:
    if v.opt.mode == Mode.BEGINNER:
        return _("All cards are open here: none is ever turned.")
    if v.opt.mode == Mode.ADVANCED:
        return _("You see your own cards here: none is ever turned.")
    if v.opt.turning == Turning.OFF:
        return _("Cards are never turned at this table.")
    if v.opt.turning == Turning.AUTO:
        return _("There is nothing to decide: a card on the place of its number is turned at once.")
    return _("A card may be turned only when a swap has just brought it to the place of its number.")


# --- touches ----------------------------------------------------------------------------------------------------------


def refusals(v: UncoveredPosition, sitters: Sequence[Sitter], prefix: Path = ()) -> Refusals:
    """What a seat may try to touch after `prefix`, though it cannot, with the reasons; who watches touches nothing."""
    if not 0 <= v.viewer < v.seats:
        return ()
    slots, own = list(range(PLACES * v.seats)), range(PLACES * v.viewer, PLACES * (v.viewer + 1))
    if not v.acting >> v.viewer & 1:
        reason = waiting_for(v, sitters)
    elif v.phase == Phase.TURNING:
        reason = _decide_first(v)
    elif UNCOVER_TOUCH in prefix:
        reason = _("To swap a card, first go back from uncovering.")
    elif prefix:
        slots, reason = [slot for slot in own if place_id(slot) != prefix[0]], _(WITHIN)
    else:
        slots, reason = [slot for slot in slots if slot not in own], _("First touch your card that goes there.")
    return refused(map(place_id, slots), reason)


def waiting_for(v: UncoveredPosition, sitters: Sequence[Sitter]) -> str:
    """Whom the others wait for, in a sentence."""
    if v.phase == Phase.TURNING:
        return _("{who} may turn a card.", who=who(sitters, acting_seats(v), v.viewer))
    return choosing(v, sitters)
