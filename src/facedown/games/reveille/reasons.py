"""Why something cannot be done now in Reveille: of an action, and of what lies on the table and may be touched."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from facedown.core.state import RUNNING, SPECTATOR, View, plain_view
from facedown.core.table import Choice, Refusals, Sitter
from facedown.core.voice import acting_seats, who
from facedown.games.reveille.cards import NELLO
from facedown.games.reveille.info import AutoEnd, BoneyardPick
from facedown.games.reveille.rules import Act
from facedown.games.reveille.state import HIGHEST_BID, LOWEST_BID, SECOND_STAGE, Phase, ReveillePosition
from facedown.games.reveille.texts import N_, _, n_
from facedown.games.reveille.view import following, hand, lead, prize
from facedown.games.reveille.words import Suit, dotted, suit_led

#: Why nothing is played in other phases than those of tricks.
_NO_TRICK: dict[int, str] = {
    Phase.TURNING_UP: N_("First reveal a bone from the boneyard."),
    Phase.DRAWING: N_("First draw a bone from the boneyard."),
    Phase.AUCTION: N_("First bid or pass: bones are played once trumps are named."),
    Phase.NAMING: N_("First name trumps, then lead a bone."),
    Phase.SCORING: N_("The hand is over: continue to the next one."),
}
#: Whom a viewer waits for who is not to act.
_WAITING: dict[int, str] = {
    Phase.TURNING_UP: N_("Wait: {who:you} {who:reveal|reveals} a bone."),
    Phase.DRAWING: N_("Wait: {who:you} {who:draw|draws} a bone."),
    Phase.AUCTION: N_("Wait: {who:you} {who:are|is} bidding."),
    Phase.NAMING: N_("Wait: {who:you} {who:name|names} trumps."),
    Phase.SCORING: N_("Waiting for {who:you} to continue."),
}


def refusal(view: View, action: int) -> str:
    """Why the seat whose view it is, which is to act, may not take an action that is not legal: one sentence."""
    v = plain_view(view, ReveillePosition)
    kind, number = Act.of(action)
    if v.phase == Phase.SCORING:
        return _(_NO_TRICK[Phase.SCORING])
    match kind:
        case Act.PLAY:
            return _not_played(v, number)
        case Act.PASS | Act.BID:
            return _not_bid(v, LOWEST_BID + number)
        case Act.TRUMP | Act.NELLO:
            return _not_named(v, kind)
        case Act.CLAIM:
            return _not_claimed(v)
        case Act.PICK:
            return _not_picked(v)
    return _("The hand is not over yet.")


# --- actions ----------------------------------------------------------------------------------------------------------


def _not_played(v: ReveillePosition, bone: int) -> str:
    """Why this bone may not be played by the viewer, who is to act."""
    if v.phase in _NO_TRICK:
        return _(_NO_TRICK[v.phase])
    if bone not in hand(v, v.viewer):
        return _not_held(v, bone)
    if following(v, v.viewer):
        return _("You hold a {suit:one}, so follow with a {suit:one}.", suit=suit_led(v.contract, lead(v) or 0))
    return _("You cannot follow suit and hold a trump: play it.")


def _not_held(v: ReveillePosition, bone: int) -> str:
    """Where a bone is that is not in the hand, if it lies open."""
    if bone == lead(v):
        return _("The {bone} is led: reply with a bone of yours.", bone=dotted(bone))
    if bone == prize(v):
        return _("The {bone} lies open for the winner of this trick.", bone=dotted(bone))
    played = list(v.card)[SECOND_STAGE : SECOND_STAGE + 2 * v.trick] if v.phase == Phase.STAGE_TWO else []
    if bone in played:
        number = played.index(bone) // 2 + 1
        return _("The {bone} was played in trick {number}.", bone=dotted(bone), number=number)
    return _("You do not hold the {bone}.", bone=dotted(bone))


def _not_bid(v: ReveillePosition, bid: int) -> str:
    """Why a pass or bid cannot be: there is no auction, or a higher bid stands."""
    if v.phase <= Phase.DRAWING:
        return _("Bidding begins when the boneyard is empty.")
    if v.phase != Phase.AUCTION:
        return _("The auction is over: the bid of {bid} stands.", bid=v.high)
    only_highest = v.high == HIGHEST_BID - 1
    low = N_("{bid} is too low: {high} stands, so bid {lowest} or more.")
    reason = N_("{bid} is too low: {high} stands, and only {highest} is more.") if only_highest else low
    return _(reason, bid=bid, high=v.high, lowest=v.high + 1, highest=HIGHEST_BID)


def _not_named(v: ReveillePosition, kind: Act) -> str:
    """Why no trumps, or no nello, can be named."""
    if v.phase == Phase.STAGE_TWO:
        named = N_("This hand is nello: there are no trumps."), N_("Trumps are named: {suit}.")
        return _(named[v.contract != NELLO], suit=Suit(v.contract))
    if v.phase == Phase.NAMING:
        return _("Nello needs a bid of {highest}, and you bid {bid}.", highest=HIGHEST_BID, bid=v.high)
    if kind == Act.NELLO:
        return _("Nello is for whoever wins the auction with {highest}.", highest=HIGHEST_BID)
    return _("Trumps are named by whoever wins the auction.")


def _not_claimed(v: ReveillePosition) -> str:
    """Why nothing can be claimed: the first of these reasons that holds."""
    reasons = (
        (v.phase < Phase.NAMING and not v.high, N_("Only a bid can be claimed, and nobody has bid yet.")),
        (v.phase < Phase.NAMING, N_("The auction is not over yet.")),
        (v.phase == Phase.NAMING, N_("Only points that are won can be claimed: first name trumps.")),
        (v.declarer != v.viewer, N_("Only the highest bidder may claim, and that is not you.")),
        (v.contract == NELLO, N_("Nello cannot be claimed: you must lose every trick.")),
        (v.high == HIGHEST_BID, N_("A bid of {highest} cannot be claimed: it is played to the end.")),
        (v.opt.auto_end == AutoEnd.ON, N_("You need not claim: at this table a hand ends once it is settled.")),
    )
    return next((_(reason, highest=HIGHEST_BID) for holds, reason in reasons if holds), "")


def _not_picked(v: ReveillePosition) -> str:
    """Why no bone can be taken from a place of the boneyard by the viewer, who is to act."""
    if v.phase in (Phase.TURNING_UP, Phase.DRAWING):
        return n_(
            "Only {count} bone is left in the boneyard.", "Only {count} bones are left in the boneyard.", v.yard_count
        )
    if v.phase != Phase.STAGE_ONE:
        return _("The boneyard is empty.")
    if v.opt.boneyard_pick == BoneyardPick.INDEX:
        return _("First the trick, then the loser draws from the boneyard.")
    return _("At this table chance takes from the boneyard, once the trick is over.")


# --- what lies on the table -------------------------------------------------------------------------------------------


def refusals(v: ReveillePosition, sitters: Sequence[Sitter], choices: Sequence[Choice] = ()) -> Refusals:
    """(touch, reason) for everything on the viewer's table that is touched at some time, but not at this step."""
    if v.viewer == SPECTATOR or v.over != RUNNING:
        return ()
    offered = {choice.touch for choice in choices}
    return tuple((touch, reason) for touch, reason in _reasons(v, sitters) if reason and touch not in offered)


def _reasons(v: ReveillePosition, sitters: Sequence[Sitter]) -> Iterator[tuple[str, str]]:
    """Why not, of each thing that is touched at some time: bones of one's own, the boneyard, the places of a trick."""
    waits = "" if v.acting >> v.viewer & 1 else waiting(v, sitters)
    for place, bone in enumerate(hand(v, v.viewer)):
        yield f"hand-{place}", waits or _not_played(v, bone)
    if v.phase <= Phase.DRAWING:
        for place in range(v.yard_count):
            yield f"yard-{place}", waits or _not_picked(v)
    if v.phase not in (Phase.STAGE_ONE, Phase.STAGE_TWO):
        return
    if (first := lead(v)) is None:
        yield "lead", waits or _("First touch the bone you lead.")
    else:
        yield "lead", waits or _not_held(v, first)
        yield "reply", waits or _("First touch the bone you reply with.")


def waiting(v: ReveillePosition, sitters: Sequence[Sitter]) -> str:
    """Whom a viewer waits for who is not to act."""
    others = who(sitters, acting_seats(v), v.viewer)
    if v.phase in _WAITING:
        return _(_WAITING[v.phase], who=others)
    if lead(v) is None:
        return _("Wait: {who:you} {who:lead|leads} to this trick.", who=others)
    return _("Wait: {who:you} {who:reply|replies} to the {bone}.", who=others, bone=dotted(lead(v) or 0))
