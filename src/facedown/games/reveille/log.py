"""What happened in Reveille, in words, for each viewer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from facedown.core.game_registry import Happening
from facedown.core.grammar import Who, who
from facedown.core.state import ABANDONED, RUNNING, plain_view
from facedown.core.table import Line, Sitter
from facedown.games.reveille.action_text import Suit, dotted, suit_led
from facedown.games.reveille.cards import FOLLOWING, NELLO, TRUMPS
from facedown.games.reveille.i18n import N_, _, n_
from facedown.games.reveille.rules import LOWEST_BID, NO_SEAT, TRICKS, UP, Act, Ended, Phase, ReveillePosition
from facedown.games.reveille.view import hand, lead, needs_tricks, prize, trick_worth, wins


@dataclass(frozen=True, slots=True)
class _Witnessed:
    """An action as a viewer witnessed it: the views before and after, and who acted."""

    before: ReveillePosition
    after: ReveillePosition
    seat: int
    sitters: Sequence[Sitter]

    def who(self, seat: int) -> Who:
        """A seat in a sentence."""
        return who(self.sitters, seat, self.before.viewer)


def tell(happening: Happening, sitters: Sequence[Sitter]) -> Sequence[Line]:
    """The log lines of one action, for the viewer of the happening."""
    action = happening.action
    if action is None:
        return []
    before, after = (plain_view(view, ReveillePosition) for view in (happening.before, happening.after))
    seen = _Witnessed(before, after, happening.seat, sitters)
    kind, number = Act.of(action)
    lines = [Line(str(before.trick + 1) if kind == Act.PLAY else "", _told(seen, kind, number))]
    if kind == Act.PLAY and after.phase == Phase.AUCTION:
        lines.append(Line("", _("The boneyard is empty: the auction begins.")))
    if after.phase == Phase.SCORING and before.phase != Phase.SCORING:
        lines.append(Line("", hand_sentence(after, sitters)))
        if after.over != RUNNING:
            lines.append(Line("", result_of(after, sitters)))
    return [line for line in lines if line.text]


#: The calls of the auction and what comes of them.
_CALLS = {
    Act.PASS: N_("**{who}** passed."),
    Act.BID: N_("**{who}** bid {number}."),
    Act.TRUMP: N_("**{who}** named {suit}."),
    Act.NELLO: N_("**{who}** named nello."),
    Act.CLAIM: N_("**{who}** {who:claim|claims} the hand."),
}


def _told(seen: _Witnessed, kind: Act, number: int) -> str:
    """The action in a sentence, empty if there is nothing to tell."""
    match kind:
        case Act.PLAY:
            return _played(seen, number)
        case Act.PICK:
            return _picked(seen, number + 1)
        case Act.CONTINUE:
            return _dealt(seen)
    return _(_CALLS[kind], who=seen.who(seen.seat), number=LOWEST_BID + number, suit=Suit(number))


def _dealt(seen: _Witnessed) -> str:
    """The next hand was dealt, if both have gone on."""
    after = seen.after
    if after.phase == Phase.SCORING:
        return ""
    dealer, up = seen.who(after.dealer), prize(after)
    revealed = N_("Hand {number}: **{who}** dealt and revealed the {bone}.")
    text = N_("Hand {number}: **{who}** dealt.") if up is None else revealed
    return _(text, number=after.hand_number, who=dealer, bone=dotted(up or 0))


def _picked(seen: _Witnessed, place: int) -> str:
    """A bone was taken from a place of the boneyard: drawn, or turned up."""
    actor, up = seen.who(seen.seat), prize(seen.after)
    if seen.before.phase == Phase.DRAWING:
        drawn, secret = _drawn(seen, seen.seat), N_("{who} drew a bone from place {place}.")
        text = secret if drawn is None else N_("{who} drew the {bone} from place {place}.")
        return _(text, who=actor, bone=dotted(drawn or 0), place=place)
    if up is None:
        return ""
    return _("**{who}** revealed the {bone} from place {place}.", who=actor, bone=dotted(up), place=place)


def _played(seen: _Witnessed, bone: int) -> str:
    before, seat = seen.before, seen.seat
    first, actor = lead(before), seen.who(seat)
    if first is None:
        return _("**{who}** led {bone}.", who=actor, bone=dotted(bone))
    winner = seat if wins(before, bone) else 1 - seat
    if before.phase == Phase.STAGE_TWO:
        return _reply_two(seen, first, bone, winner)
    values = {"who": actor, "bone": dotted(bone), "prize": dotted(before.card[UP]), "winner": seen.who(winner)}
    own = N_("**{who}** replied with {bone} and took the {prize}.")
    said = _(own if winner == seat else N_("**{who}** replied with {bone}, {winner:you} took the {prize}."), **values)
    return said if seen.after.phase == Phase.DRAWING else f"{said} {_drew(seen, 1 - winner)}"


def _drawn(seen: _Witnessed, loser: int) -> int | None:
    """The bone that the loser drew, if the viewer is the loser."""
    if seen.before.viewer != loser:
        return None
    return (set(hand(seen.after, loser)) - set(hand(seen.before, loser))).pop()


#: Is it told what was drawn, and who revealed the next bone?
_DREW = {
    (False, "nobody"): N_("{who} drew a bone."),
    (False, "the same"): N_("{who} drew a bone and revealed the {up}."),
    (False, "the other"): N_("{who} drew a bone, {dealer:you} revealed the {up}."),
    (True, "nobody"): N_("{who} drew the {bone}."),
    (True, "the same"): N_("{who} drew the {bone} and revealed the {up}."),
    (True, "the other"): N_("{who} drew the {bone}, {dealer:you} revealed the {up}."),
}


def _drew(seen: _Witnessed, loser: int) -> str:
    """The loser drew; the dealer turned the next bone up, if there is one."""
    drawn, up = _drawn(seen, loser), prize(seen.after)
    by = "nobody" if up is None else "the same" if seen.after.dealer == loser else "the other"
    values = {"who": seen.who(loser), "dealer": seen.who(seen.after.dealer)}
    return _(_DREW[drawn is not None, by], bone=dotted(drawn or 0), up=dotted(up or 0), **values)


def _reply_two(seen: _Witnessed, first: int, bone: int, winner: int) -> str:
    contract = seen.before.contract
    if FOLLOWING[contract, first] >> bone & 1:
        taken = winner == seen.seat
        text = N_("**{who}** took it with {bone}.") if taken else N_("**{who}** followed with {bone}.")
    elif TRUMPS[contract] >> bone & 1:
        text = N_("**{who}** had no {suit:one} and trumped with {bone}.")
    else:
        text = N_("**{who}** had no {suit:one} and discarded {bone}.")
    said = _(text, who=seen.who(seen.seat), bone=dotted(bone), suit=suit_led(contract, first))
    if contract == NELLO:
        return said
    worth = trick_worth(seen.before, bone)
    won = n_("{who} won {count} point.", "{who} won {count} points.", worth, who=seen.who(winner))
    return f"{said} {won}"


# --- how it ended -----------------------------------------------------------------------------------------------------


def hand_sentence(v: ReveillePosition, sitters: Sequence[Sitter]) -> str:
    """How the hand ended and who got the mark."""
    if v.ended == Ended.THROWN_IN:
        return _("Both passed: the hand is thrown in, and nobody gets a mark.")
    if v.ended == Ended.STAGE_ONE and v.mark_to == NO_SEAT:
        return _("Both hands have the same number of pips: nobody gets a mark.")
    marked = who(sitters, v.mark_to, v.viewer)
    if v.ended == Ended.STAGE_ONE:
        return _("{who} {who:have|has} more pips in hand, and {who:get|gets} the mark.", who=marked)
    mark = _("{who} {who:get|gets} the mark.", who=marked)
    return f"{_contract_sentence(v, who(sitters, v.declarer, v.viewer))} {mark}"


def _contract_sentence(v: ReveillePosition, declarer: Who) -> str:
    """What became of the contract."""
    made, won, tricks = v.mark_to == v.declarer, v.points[v.declarer], v.tricks[v.declarer]
    values = {"who": declarer, "bid": v.high}
    if v.ended in (Ended.CLAIMED, Ended.CLAIMED_FALSELY):
        falsely = N_("{who} claimed {bid} and {who:have|has} won only {count}.")
        text = N_("{who} claimed {bid} and {who:have|has} won {count}.") if v.ended == Ended.CLAIMED else falsely
        return _(text, count=won, **values)
    if v.contract == NELLO:
        if made:
            return _("{who} lost every trick: nello made.", **values)
        return n_("{who} won a trick: nello is set.", "{who} won tricks: nello is set.", tricks, **values)
    if needs_tricks(v):
        is_set = N_("{who} bid {bid} and won {count} of {all} tricks: set.")
        text = N_("{who} bid {bid} and won {count} of {all} tricks: made.") if made else is_set
        return _(text, count=tricks, all=TRICKS, **values)
    if made:
        return n_(
            "{who} bid {bid} and won {count} point: made.",
            "{who} bid {bid} and won {count} points: made.",
            won,
            **values,
        )
    return n_(
        "{who} bid {bid} and won {count} point: set.", "{who} bid {bid} and won {count} points: set.", won, **values
    )


def result_of(v: ReveillePosition, sitters: Sequence[Sitter]) -> str:
    """The result of a finished match in one sentence."""
    if v.over == ABANDONED:
        return _("The match was given up after fifty hands thrown in: nobody wins.")
    winner = v.mark_to
    if winner == NO_SEAT:
        return hand_sentence(v, sitters)
    return n_(
        "{who} {who:win|wins}, {count} mark to {other}.",
        "{who} {who:win|wins}, {count} marks to {other}.",
        v.marks[winner],
        who=who(sitters, winner, v.viewer),
        other=v.marks[1 - winner],
    )
