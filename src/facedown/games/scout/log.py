"""Log lines of SCOUT: sentences about actions, and about the results of rounds and matches.

Each line is for one viewer (a seat or a spectator) and uses only what this viewer saw.
"""

from __future__ import annotations

from collections.abc import Sequence

from facedown.core.game_registry import ObservedAction
from facedown.core.grammar import digits, name_of, player_phrase
from facedown.core.state import RUNNING, SPECTATOR, plain_view
from facedown.core.table import LogLine, Sitter
from facedown.core.translation import join_names
from facedown.games.scout.action_text import decode_scout
from facedown.games.scout.i18n import N_, _, n_
from facedown.games.scout.info import TURNED, TWO_PLAYERS, FlipPublic, card_word
from facedown.games.scout.legal_actions import Act
from facedown.games.scout.rules import TURN_CAP
from facedown.games.scout.state import Phase, ScoutPosition
from facedown.games.scout.view import active_set, join_numbers, leaders, shown_set_phrase, up_numbers, winners_of

# --- the end of a round and of the match ------------------------------------------------------------------------------


def round_end_note(v: ScoutPosition, seat: int) -> str:
    """Return a short note on a seat that ended the round or could neither show nor scout, such as "went out".

    For any other seat return "".
    """
    if seat == v.stuck:
        return _("was stuck")
    if seat != v.ender:
        return ""
    return _("went out") if v.hand[seat] == 0 else _("ended the round")


def how_round_ended(v: ScoutPosition, sitters: Sequence[Sitter]) -> str:
    """Return the sentence that says why the round is over."""
    viewer, ender = v.viewer, v.ender
    if ender < 0:
        return _(
            "The round was stopped after {turns} turns, so everyone loses points for cards in hand.", turns=TURN_CAP
        )
    if v.hand[ender] == 0:
        return _("{who} showed {who:your|their} last card.", who=player_phrase(sitters, ender, viewer))
    if v.stuck >= 0:
        return _("{who} could neither show nor scout.", who=player_phrase(sitters, v.stuck, viewer))
    # The sentence does not list the cards of the set, because some of them may have been scouted.
    return _("Nobody beat {who:'your} set; everybody else scouted.", who=player_phrase(sitters, ender, viewer))


def round_winners_sentence(v: ScoutPosition, sitters: Sequence[Sitter]) -> str:
    """Return the sentence that says which players have the most points in the round."""
    seats = leaders([v.score[seat] for seat in range(v.seats)])
    best, most = player_phrase(sitters, seats, v.viewer), digits(v.score[seats[0]])
    return _("{who} {who:have|has} the most points this round: {points}.", who=best, points=most)


def match_result_sentence(v: ScoutPosition, sitters: Sequence[Sitter]) -> str:
    """Return the sentence on the result of a finished match. Players with equal totals share the win (SCT-16)."""
    best = winners_of(v)
    won, points = player_phrase(sitters, best, v.viewer), digits(v.total[best[0]])
    if len(best) > 1:
        return _("{who} {who:win|wins|share the win} with a total of {points}.", who=won, points=points)
    second = max(v.total[seat] for seat in range(v.seats) if seat not in best)
    if v.seats == 2:
        return _("{who} {who:win|wins}, {points} to {second}.", who=won, points=points, second=digits(second))
    near = player_phrase(sitters, [seat for seat in range(v.seats) if v.total[seat] == second], v.viewer)
    said = N_("{who} {who:win|wins} with a total of {points}, ahead of {next:you} with {second}.")
    return _(said, who=won, points=points, next=near, second=digits(second))


# --- the log ----------------------------------------------------------------------------------------------------------


def is_public_action(action: int) -> bool:
    """Return whether all players may read the notation of an action when it is taken: true only for `Act.CONTINUE`.

    The notation of any other action contains places in a hand, or the choice to flip, which are secret at first.
    """
    return action == Act.CONTINUE


def log_lines(happening: ObservedAction, sitters: Sequence[Sitter]) -> Sequence[LogLine]:
    """Return the log lines about one action for the viewer who observed it. The list may be empty."""
    before, after = (plain_view(view, ScoutPosition) for view in (happening.before, happening.after))
    number = f"{before.turns + 1}"
    lines: list[LogLine] = []
    match Phase(before.phase), Phase(after.phase):
        case (Phase.FLIP, Phase.FLIP) | (Phase.SCORING, Phase.SCORING) | (Phase.TURN, Phase.SHOW):
            pass
        case Phase.FLIP, _phase:
            lines.append(LogLine("", _flips_and_first_turn_sentence(before, after, happening, sitters)))
        case Phase.SCORING, _phase:
            lines.append(LogLine("", _("The cards for round {round} were dealt.", round=after.round_number)))
        case Phase.SHOW, _phase:
            lines.append(LogLine(number, _scout_and_show_sentence(before, after, happening, sitters)))
        case _phases:
            lines.append(LogLine(number, _show_or_scout_sentence(before, after, happening, sitters)))
    if before.phase != after.phase == Phase.SCORING:
        lines.append(LogLine("", f"{how_round_ended(after, sitters)} {round_winners_sentence(after, sitters)}"))
    if after.over != RUNNING:
        lines.append(LogLine("", f"**{match_result_sentence(after, sitters)}**"))
    return lines


#: Sentences about a Scout:
#:
#: * without the place of the card in the hand;
#: * with the place of a card that was not turned;
#: * with the place of a card that was turned the other way up.
#:
#: `_USED_BOTH` has the same for a Scout and Show.
_SCOUTED = (
    N_("**{who}** scouted {card}."),
    N_("**{who}** scouted {card} and put it in position {place} of {cards}."),
    N_("**{who}** scouted {card}, turned it and put it in position {place} of {cards}."),
)
_USED_BOTH = (
    N_("**{who}** used Scout and Show, taking {card} and showing **{shown}**."),
    N_(
        "**{who}** used Scout and Show, taking {card}, putting it in position {place} of {cards} and showing "
        "**{shown}**."
    ),
    N_(
        "**{who}** used Scout and Show, taking {card}, turning it, putting it in position {place} of {cards} and "
        "showing **{shown}**."
    ),
)


def _show_or_scout_sentence(
    before: ScoutPosition, after: ScoutPosition, happening: ObservedAction, sitters: Sequence[Sitter]
) -> str:
    seat, viewer = happening.seat, happening.viewer
    actor = player_phrase(sitters, seat, viewer)
    if after.hand[seat] <= before.hand[seat]:
        shown = shown_set_phrase(up_numbers(active_set(after)))
        return _join_sentences(_("**{who}** showed {shown}.", who=actor, shown=shown), _won_cards_sentence(before))
    turned, place = after.last_turn, after.last_place
    if happening.action is not None:
        turned, place = decode_scout(happening.action)[1:]
    card = _taken_card_phrase(after, sitters, viewer)
    told = _(
        _SCOUTED[_scout_sentence_index(place, turned)], who=actor, card=card, place=place + 1, cards=after.hand[seat]
    )
    left = after.coins[seat]
    if after.seats != TWO_PLAYERS:
        return told
    return _join_sentences(told, n_("{count} chip left.", "{count} chips left.", left) if left else _("No chips left."))


def _scout_and_show_sentence(
    before: ScoutPosition, after: ScoutPosition, happening: ObservedAction, sitters: Sequence[Sitter]
) -> str:
    seat, viewer, place = happening.seat, happening.viewer, before.last_place
    text, shown = (
        _USED_BOTH[_scout_sentence_index(place, before.last_turn)],
        join_numbers(up_numbers(active_set(after))),
    )
    actor, card = player_phrase(sitters, seat, viewer), _taken_card_phrase(before, sitters, viewer)
    told = _(text, who=actor, card=card, place=place + 1, cards=before.hand[seat], shown=shown)
    return _join_sentences(told, _won_cards_sentence(before))


def _scout_sentence_index(place: int, turned: int) -> int:
    """Return the index in `_SCOUTED` or `_USED_BOTH` of the sentence that describes a Scout.

    `place` is the place in the hand where the scouted card was put, from 0. It is -1 if the sentence is not to show
    this place, because it may be secret (SCT-14). There are three sentences:

    * 0: without the place (`place` is -1);
    * 1: with the place, for a card that was not turned (`turned` is 0);
    * 2: with the place, for a card that was turned the other way up (`turned` is 1).
    """
    return 0 if place < 0 else 1 + turned


def _join_sentences(*sentences: str) -> str:
    return " ".join(sentence for sentence in sentences if sentence)


def _won_cards_sentence(before: ScoutPosition) -> str:
    return n_("Won {count} card.", "Won {count} cards.", before.active) if before.active else ""


def _taken_card_phrase(v: ScoutPosition, sitters: Sequence[Sitter], viewer: int) -> str:
    """Return a phrase for the card that was scouted last, such as "the 3/10 from the left of Sol’s set".

    The number that was up in the set is written first.
    """
    owner, card = player_phrase(sitters, v.last_owner, viewer), card_word(v.last_kind + TURNED * v.last_flip)
    if v.last_only:
        return _("the **{card}** from {owner:you}", card=card, owner=owner)
    if v.last_end:
        return _("the **{card}** from the right end of {owner:'your} set", card=card, owner=owner)
    return _("the **{card}** from the left end of {owner:'your} set", card=card, owner=owner)


def _flips_and_first_turn_sentence(
    before: ScoutPosition, after: ScoutPosition, happening: ObservedAction, sitters: Sequence[Sitter]
) -> str:
    viewer = happening.viewer
    starts = _("**{who}** {who:start|starts}.", who=player_phrase(sitters, after.turn, viewer))
    if after.opt.flip_public == FlipPublic.YES:
        flipped = [seat for seat in range(after.seats) if after.flipped[seat] == 1]
        if not flipped:
            return _join_sentences(_("Nobody flipped their hand."), starts)
        names = join_names([f"**{name_of(sitters, seat, viewer, middle=i > 0)}**" for i, seat in enumerate(flipped)])
        theirs = player_phrase(sitters, flipped, viewer)
        return _join_sentences(
            _("{names} flipped {who:your hand|their hand|their hands}.", names=names, who=theirs), starts
        )
    mine = ""
    if viewer != SPECTATOR:
        choice = happening.action if happening.seat == viewer else before.sealed[viewer]
        mine = _("You flipped your hand.") if choice == Act.FLIP else _("You didn’t flip your hand.")
    return _join_sentences(mine, _("Everyone has chosen."), starts)
