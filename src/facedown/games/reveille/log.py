"""Log lines of Reveille: sentences about actions, and about the results of hands and matches.

Each line is for one viewer (a seat or a spectator) and uses only what this viewer saw.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from facedown.core.game_registry import ObservedAction
from facedown.core.grammar import PlayerPhrase, player_phrase
from facedown.core.state import ABANDONED, RUNNING, plain_view
from facedown.core.table import LogLine, Sitter
from facedown.games.reveille.action_text import Suit, bone_label, led_suit_word
from facedown.games.reveille.cards import FOLLOW_SUIT_MASKS, NELLO, TRUMPS
from facedown.games.reveille.i18n import N_, _, n_
from facedown.games.reveille.rules import LOWEST_BID, NO_SEAT, TRICKS, UP_SLOT, Act, EndReason, Phase, ReveillePosition
from facedown.games.reveille.view import hand, led_bone, needs_tricks, prize_bone, trick_worth, would_win_trick


@dataclass(frozen=True, slots=True)
class _ObservedAction:
    """An action and what one viewer knows of it: the views before and after it, the acting seat, and the players."""

    before: ReveillePosition
    after: ReveillePosition
    seat: int
    sitters: Sequence[Sitter]

    def who(self, seat: int) -> PlayerPhrase:
        """Return the phrase for the player at a seat in a sentence for the viewer: the player's name, or "you"."""
        return player_phrase(self.sitters, seat, self.before.viewer)


def log_lines(happening: ObservedAction, sitters: Sequence[Sitter]) -> Sequence[LogLine]:
    """Return the log lines that describe one action to one viewer.

    `happening` has this viewer's views before and after the action. `sitters` are the players, indexed by seat. If the
    viewer does not learn which action was taken, the list is empty.
    """
    action = happening.action
    if action is None:
        return []
    before, after = (plain_view(view, ReveillePosition) for view in (happening.before, happening.after))
    seen = _ObservedAction(before, after, happening.seat, sitters)
    kind, number = Act.decode(action)
    lines = [LogLine(str(before.trick + 1) if kind == Act.PLAY else "", _action_sentence(seen, kind, number))]
    if kind == Act.PLAY and after.phase == Phase.AUCTION:
        lines.append(LogLine("", _("The boneyard is empty: the auction begins.")))
    if after.phase == Phase.SCORING and before.phase != Phase.SCORING:
        lines.append(LogLine("", hand_result_sentence(after, sitters)))
        if after.over != RUNNING:
            lines.append(LogLine("", match_result_sentence(after, sitters)))
    return [line for line in lines if line.text]


#: Sentences about a pass, a bid, the naming of the contract and a claim, by kind of action.
_CALLS = {
    Act.PASS: N_("**{who}** passed."),
    Act.BID: N_("**{who}** bid {number}."),
    Act.TRUMP: N_("**{who}** named {suit} as trumps."),
    Act.NELLO: N_("**{who}** chose nello."),
    Act.CLAIM: N_("**{who}** claimed the hand."),
}


def _action_sentence(seen: _ObservedAction, kind: Act, number: int) -> str:
    """Return the sentence about an action, or "" if the log has none for it.

    `number` is the parameter of the action: the bone played, the bid less `LOWEST_BID`, the trump suit, or the place in
    the boneyard (face-down stock), from 0.
    """
    match kind:
        case Act.PLAY:
            return _play_sentence(seen, number)
        case Act.PICK:
            return _boneyard_pick_sentence(seen, number + 1)
        case Act.CONTINUE:
            return _deal_sentence(seen)
    return _(_CALLS[kind], who=seen.who(seen.seat), number=LOWEST_BID + number, suit=Suit(number))


def _deal_sentence(seen: _ObservedAction) -> str:
    """Return the sentence about the deal, or "" while the other player has not yet continued to the next hand."""
    after = seen.after
    if after.phase == Phase.SCORING:
        return ""
    dealer, up = seen.who(after.dealer), prize_bone(after)
    revealed = N_("Hand {number}: **{who}** dealt and revealed the {bone}.")
    text = N_("Hand {number}: **{who}** dealt.") if up is None else revealed
    return _(text, number=after.hand_number, who=dealer, bone=bone_label(up or 0))


def _boneyard_pick_sentence(seen: _ObservedAction, place: int) -> str:
    """Return the sentence about a bone that a player drew or revealed from the boneyard (face-down stock).

    `place` is the place in the boneyard, counted from 1. Return "" for a reveal after which no bone is face up; the
    rules exclude this case.
    """
    actor, up = seen.who(seen.seat), prize_bone(seen.after)
    if seen.before.phase == Phase.DRAWING:
        drawn, secret = _drawn_bone(seen, seen.seat), N_("{who} drew bone {place} from the boneyard.")
        text = secret if drawn is None else N_("{who} drew bone {place} from the boneyard: the {bone}.")
        return _(text, who=actor, bone=bone_label(drawn or 0), place=place)
    if up is None:
        return ""
    return _(
        "**{who}** revealed bone {place} from the boneyard: the {bone}.", who=actor, bone=bone_label(up), place=place
    )


def _play_sentence(seen: _ObservedAction, bone: int) -> str:
    before, seat = seen.before, seen.seat
    first, actor = led_bone(before), seen.who(seat)
    if first is None:
        return _("**{who}** led the {bone}.", who=actor, bone=bone_label(bone))
    winner = seat if would_win_trick(before, bone) else 1 - seat
    if before.phase == Phase.STAGE_TWO:
        return _stage_two_reply_sentence(seen, first, bone, winner)
    values = {
        "who": actor,
        "bone": bone_label(bone),
        "prize": bone_label(before.card[UP_SLOT]),
        "winner": seen.who(winner),
    }
    own = N_("**{who}** replied with the {bone} and took the {prize}.")
    said = _(
        own if winner == seat else N_("**{who}** replied with the {bone}, and {winner:you} took the {prize}."), **values
    )
    return said if seen.after.phase == Phase.DRAWING else f"{said} {_draw_sentence(seen, 1 - winner)}"


def _drawn_bone(seen: _ObservedAction, loser: int) -> int | None:
    """Return the bone that the loser of the trick drew, or None if the viewer is not the loser and did not see it."""
    if seen.before.viewer != loser:
        return None
    return (set(hand(seen.after, loser)) - set(hand(seen.before, loser))).pop()


#: Sentences about a drawn bone. The first part of the key is whether the viewer knows the bone. The second part is who
#: revealed the next bone: "nobody", "the same" player who drew, or "the other" player.
_DRAW_TEXTS = {
    (False, "nobody"): N_("{who} drew a bone."),
    (False, "the same"): N_("{who} drew a bone and revealed the {up}."),
    (False, "the other"): N_("{who} drew a bone, and {dealer:you} revealed the {up}."),
    (True, "nobody"): N_("{who} drew the {bone}."),
    (True, "the same"): N_("{who} drew the {bone} and revealed the {up}."),
    (True, "the other"): N_("{who} drew the {bone}, and {dealer:you} revealed the {up}."),
}


def _draw_sentence(seen: _ObservedAction, loser: int) -> str:
    """Return the sentence about the bone that the loser of a trick drew. It also names the bone revealed next, if any.

    `loser` is the seat of the loser.
    """
    drawn, up = _drawn_bone(seen, loser), prize_bone(seen.after)
    by = "nobody" if up is None else "the same" if seen.after.dealer == loser else "the other"
    values = {"who": seen.who(loser), "dealer": seen.who(seen.after.dealer)}
    return _(_DRAW_TEXTS[drawn is not None, by], bone=bone_label(drawn or 0), up=bone_label(up or 0), **values)


def _stage_two_reply_sentence(seen: _ObservedAction, first: int, bone: int, winner: int) -> str:
    contract = seen.before.contract
    if FOLLOW_SUIT_MASKS[contract, first] >> bone & 1:
        taken = winner == seen.seat
        text = (
            N_("**{who}** won the trick with the {bone}.") if taken else N_("**{who}** followed suit with the {bone}.")
        )
    elif TRUMPS[contract] >> bone & 1:
        text = N_("**{who}** had no {suit} and trumped with the {bone}.")
    else:
        text = N_("**{who}** had no {suit} and discarded the {bone}.")
    said = _(text, who=seen.who(seen.seat), bone=bone_label(bone), suit=led_suit_word(contract, first))
    if contract == NELLO:
        return said
    worth = trick_worth(seen.before, bone)
    won = n_("{who} won {count} point.", "{who} won {count} points.", worth, who=seen.who(winner))
    return f"{said} {won}"


# --- results of hands and matches -------------------------------------------------------------------------------------


def hand_result_sentence(v: ReveillePosition, sitters: Sequence[Sitter]) -> str:
    """Return one or two sentences that say how the hand ended and which player got the mark (point of the match)."""
    if v.ended == EndReason.THROWN_IN:
        return _("Both players passed, so the hand is thrown in. Nobody gets a mark.")
    if v.ended == EndReason.STAGE_ONE and v.mark_to == NO_SEAT:
        return _("Both hands have the same number of pips, so nobody gets a mark.")
    marked = player_phrase(sitters, v.mark_to, v.viewer)
    if v.ended == EndReason.STAGE_ONE:
        return _("{who} {who:have|has} more pips in hand and {who:get|gets} the mark.", who=marked)
    mark = _("{who} {who:get|gets} the mark.", who=marked)
    return f"{_contract_result_sentence(v, player_phrase(sitters, v.declarer, v.viewer))} {mark}"


def _contract_result_sentence(v: ReveillePosition, declarer: PlayerPhrase) -> str:
    """Return the sentence that says whether the declarer made the contract, and with how many points or tricks."""
    made, won, tricks = v.mark_to == v.declarer, v.points[v.declarer], v.tricks[v.declarer]
    values = {"who": declarer, "bid": v.high}
    if v.ended in (EndReason.CLAIMED, EndReason.CLAIMED_FALSELY):
        falsely = N_("{who} claimed {bid} points but had won only {count}.")
        text = N_("{who} claimed {bid} points and had won {count}.") if v.ended == EndReason.CLAIMED else falsely
        return _(text, count=won, **values)
    if v.contract == NELLO:
        if made:
            return _("{who} lost every trick and made nello.", **values)
        return n_("{who} won a trick, so nello failed.", "{who} won tricks, so nello failed.", tricks, **values)
    if needs_tricks(v):
        is_set = N_("{who} bid {bid} but won only {count} of {all} tricks.")
        text = N_("{who} bid {bid} and won {count} of {all} tricks.") if made else is_set
        return _(text, count=tricks, all=TRICKS, **values)
    if made:
        return n_(
            "{who} bid {bid} and won {count} point.",
            "{who} bid {bid} and won {count} points.",
            won,
            **values,
        )
    return n_(
        "{who} bid {bid} but won only {count} point.", "{who} bid {bid} but won only {count} points.", won, **values
    )


def match_result_sentence(v: ReveillePosition, sitters: Sequence[Sitter]) -> str:
    """Return the sentence that says who won a finished match, such as "Mara wins, 7 marks to 5".

    The player who got the mark (point of the match) of the last hand is the winner. If neither player got it, the match
    has no winner, and the sentence says why: fifty hands in a row were thrown in, or the match had only stage one and
    both hands had the same number of pips at its end.
    """
    if v.over == ABANDONED:
        return _("Fifty hands in a row were thrown in, so nobody wins.")
    winner = v.mark_to
    if winner == NO_SEAT:
        return hand_result_sentence(v, sitters)
    return n_(
        "{who} {who:win|wins}, {count} mark to {other}.",
        "{who} {who:win|wins}, {count} marks to {other}.",
        v.marks[winner],
        who=player_phrase(sitters, winner, v.viewer),
        other=v.marks[1 - winner],
    )
