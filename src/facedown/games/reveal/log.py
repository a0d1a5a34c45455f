"""Log lines of Reveal: sentences about moves, the Grand Reveal (the flipping at the end of a hand) and results.

Each line is written for one viewer, from what this viewer saw.
"""

from __future__ import annotations

from collections.abc import Sequence

from facedown.core.game_registry import ObservedAction
from facedown.core.grammar import PlayerPhrase, capital, digits, in_words, is_you, player_phrase
from facedown.core.state import ABANDONED, plain_view
from facedown.core.table import LogLine, Sitter
from facedown.core.translation import join_names
from facedown.games.reveal.cards import WILD, colour_adjective, column_adjective, column_after_with, the_column
from facedown.games.reveal.i18n import N_, _, n_
from facedown.games.reveal.info import FinalMode
from facedown.games.reveal.rules import FINALS, MINIMUM, Act, Phase, RevealPosition, base_slot, side_slot
from facedown.games.reveal.view import (
    OTHER_PART,
    OWN_PART,
    ColumnCount,
    bold_card_names,
    bottom_seat,
    leader_unless_tied,
    seats_own_first,
    winners_of,
)


def is_public_action(action: int) -> bool:
    """Return whether other players learn an action as soon as it is taken. Only confirming and continuing are public.

    Swaps and placements are secret. The choice of a column may be secret, too; if it is open, `log_lines` finds it by
    comparing the views before and after the action.
    """
    return action in (Act.CONFIRM, Act.CONTINUE)


def log_lines(happening: ObservedAction, sitters: Sequence[Sitter]) -> Sequence[LogLine]:
    """Return the log lines that describe one action to one viewer.

    `happening` has this viewer's views before and after the action. `sitters` are the players, indexed by seat. The
    list is empty if there is nothing to report yet, for example while one player still chooses in secret.
    """
    before, after = (plain_view(view, RevealPosition) for view in (happening.before, happening.after))
    said: list[str] = []
    if before.phase == Phase.SWAP:
        said = _swap_sentences(before, after, sitters)
    elif before.phase == Phase.PLACE and (after.phase != Phase.PLACE or after.row != before.row):
        said = [_("Both players placed their cards in row {number}.", number=before.row + 1)]
        final = after.phase != Phase.SWAP
        said.append(_("The final round: each player bets on a column.") if final else _base_row_sentence(after))
    elif before.phase == Phase.FINAL:
        said = _final_round_sentences(before, after, happening.seat, sitters)
    elif before.phase == Phase.SCORING and after.hand_number != before.hand_number:
        said = [_deal_sentence(after), _base_row_sentence(after)]
    return [LogLine(str(after.hand_number), text) for text in said]


def _deal_sentence(v: RevealPosition) -> str:
    shuffled = N_("All cards were shuffled and hand {number} was dealt.")
    return _(N_("Hand {number} was dealt.") if v.live < v.cards else shuffled, number=v.hand_number)


def _base_row_sentence(v: RevealPosition) -> str:
    """Return the sentence about the base row that was flipped: "Base row 1 was revealed: **red, blue, black**"."""
    cards = bold_card_names(v, [base_slot(v.row, at) for at in range(v.columns)])
    return _("Base row {number} was revealed: {cards}.", number=v.row + 1, cards=cards)


def _swap_sentences(before: RevealPosition, after: RevealPosition, sitters: Sequence[Sitter]) -> list[str]:
    """Return the log sentences about swapped hand cards, after one action of a player.

    Players swap hand cards before they place them in a row of the table. The main sentence says how many cards each
    player has swapped for the current row.

    * If all cards are swapped at once, this sentence is returned when both players have chosen.
    * If cards are swapped one by one, it is returned whenever cards have been swapped, with the numbers so far. When
      both players have finished, it is returned with the final numbers.
    * In all other cases the list is empty.

    When the swaps for the first row of a match are over, a sentence about the flipped base row comes first.
    """
    done = after.phase != Phase.SWAP
    if not done and after.drawn == before.drawn:
        return []
    one, other = (player_phrase(sitters, seat, after.viewer) for seat in seats_own_first(after))
    mine, theirs = (after.swapped[seat] for seat in seats_own_first(after))
    cards = n_("{count} card", "{count} cards", mine) if mine else _("no cards")
    others = digits(theirs) if theirs else _("none")
    so_far = N_("So far, {who:you} {who:have|has} swapped {cards}, and {other:you} {other:have|has} swapped {others}.")
    text = N_("{who} swapped {cards}, and {other:you} swapped {others}.") if done else so_far
    swapped = _(text, who=one, cards=cards, other=other, others=others)
    return [_base_row_sentence(after), swapped] if done and after.hand_number == 1 and after.row == 0 else [swapped]


def _final_round_sentences(
    before: RevealPosition, after: RevealPosition, seat: int, sitters: Sequence[Sitter]
) -> list[str]:
    one = player_phrase(sitters, seat, after.viewer)
    was, now = before.choice[seat], after.choice[seat]
    said = []
    if after.opt.final_mode != FinalMode.SEALED:
        if after.changes[seat] != before.changes[seat]:
            said.append(_column_choice_sentence(one, was, now))
        if after.confirmed != before.confirmed:
            said.append(_("{who} confirmed {column}.", who=one, column=the_column(now)))
    return said + _grand_reveal_sentences(after, sitters) if after.phase == Phase.SCORING else said


def _column_choice_sentence(one: PlayerPhrase, was: int, now: int) -> str:
    if was < 0:
        return _("{who} chose {column}.", who=one, column=the_column(now))
    if was != now:
        return _("{who} moved to {column}.", who=one, column=the_column(now))
    return _("{who} stayed with {column}.", who=one, column=column_after_with(now))


def _grand_reveal_sentences(v: RevealPosition, sitters: Sequence[Sitter]) -> list[str]:
    """Return the sentences about the Grand Reveal (the flipping at the end of a hand) and about the hand's winner."""
    order = (bottom_seat(v), 1 - bottom_seat(v))
    one, other = (player_phrase(sitters, seat, v.viewer) for seat in order)
    first, second = (v.choice[seat] for seat in order)

    def sides(text: str, column: int, across: int) -> str:
        """Return the template `text`, filled in with a column of each player and the cards on that player's side.

        `column` is the column of the player whose side the page shows at the bottom. `across` is the other player's
        column.
        """
        mine = bold_card_names(v, [side_slot(order[0], row, column) for row in range(v.rows)])
        theirs = bold_card_names(v, [side_slot(order[1], row, across) for row in range(v.rows)])
        where = {"column": column_adjective(column), "second": column_adjective(across)}
        return _(text, who=one, other=other, cards=mine, others=theirs, **where)

    text = N_("Grand Reveal: {who:you} chose {column}, and {other:you} chose {second}.")
    said = [_(text, who=one, column=the_column(first), other=other, second=the_column(second))]
    nobodys = N_("The {column} column counts for nobody. {who:'Your} side: {cards}; {other:'your} side: {others}.")
    said += [sides(nobodys, column, column) for column in range(v.columns) if column not in (first, second)]
    own = N_("{who:'Your} side of the {column} column: {cards}; {other:'your} side of the {second} column: {others}.")
    said += [capital(sides(own, *both)) for both in dict.fromkeys(((first, second), (second, first)))]
    mine, theirs = (bold_card_names(v, [FINALS + seat]) for seat in order)
    finals = N_("Final Cards: {card} for {who:you}, {second} for {other:you}.")
    return [
        *said,
        _(finals, who=one, other=other, card=mine, second=theirs),
        hand_result_and_totals_sentence(v, sitters),
    ]


# --- results ----------------------------------------------------------------------------------------------------------


def hand_result_and_totals_sentence(v: RevealPosition, sitters: Sequence[Sitter]) -> str:
    """Return the result of the hand and the totals of the match: "You win the hand, 6 to 5. The match is level at
    13".
    """
    high, low = max(v.total), min(v.total)
    if high == low:
        stands = _("The match is level at {points}.", points=high)
    else:
        leader = player_phrase(sitters, leader_unless_tied(v.total)[0], v.viewer)
        stands = _("{who} {who:lead|leads} {high} to {low}.", who=leader, high=high, low=low)
    return f"{hand_winner_sentence(v, sitters)} {stands}"


def hand_winner_sentence(v: RevealPosition, sitters: Sequence[Sitter]) -> str:
    """Return the result of the hand in one sentence, such as "You win the hand, 6 to 5"."""
    high, low = max(v.score), min(v.score)
    if high != low:
        winner = player_phrase(sitters, leader_unless_tied(v.score)[0], v.viewer)
        return _("{who} {who:win|wins} the hand, {high} to {low}.", who=winner, high=high, low=low)
    if not high:
        return _("The hand is tied: nobody has three cards that count.")
    return _("The hand is tied, {high} to {low}.", high=high, low=low)


def match_result_sentence(v: RevealPosition, sitters: Sequence[Sitter]) -> str:
    """Return the result of a finished match in one sentence, such as "Mara wins, 31 to 27"."""
    if v.over == ABANDONED:
        return _("The match was stopped after a hundred hands. Nobody wins.")
    high, low = max(v.total), min(v.total)
    won = winners_of(v)
    if not won:
        return _("The match is a draw, {high} to {low}.", high=high, low=low)
    return _("{who} {who:win|wins}, {high} to {low}.", who=player_phrase(sitters, won, v.viewer), high=high, low=low)


# --- explanations of a column's points --------------------------------------------------------------------------------


def column_points_sentence(count: ColumnCount, viewer: int, sitters: Sequence[Sitter]) -> str:
    """Return the points of a column as a sum with a reason: "**2 + 2 + 1 + 1.** Your own red cards opened Mara’s side".

    `count` is the breakdown of one player's points. The four numbers say how many cards count for this player: in the
    base, on the player's own side, on the opponent's side, and as Final Card. `viewer` is the seat that reads the text.
    """
    if count.root is None:
        return _("**0.** A base of three wilds has no colour, so nothing counts.")
    sums = " + ".join(str(count.subtotal(part)) for part in range(len(count.parts)))
    if count.points:
        return f"**{sums}.** {_other_side_sentence(count, count.root, viewer, sitters)}"
    colour, least = colour_adjective(count.root), in_words(MINIMUM)
    # The root (the base card whose colour counts) is itself one of the counted cards, so there is at least one.
    one = N_("Only one {colour} card: fewer than {number} are worth nothing.")
    two = N_("Only two {colour} cards: fewer than {number} are worth nothing.")
    few = _(one if count.total_count == 1 else two, colour=colour, number=least)
    return f"**{sums} = {count.total_count}.** {few}"


def _other_side_sentence(count: ColumnCount, root: int, viewer: int, sitters: Sequence[Sitter]) -> str:
    """Return the sentence that says why the opponent's cards in a column counted for a player, or why they did not.

    `count` is the breakdown of this player's points. `root` is the colour that counts in the column, as the index of
    the colour. `viewer` is the seat that reads the text.
    """
    colour = colour_adjective(root)
    owner, other = (player_phrase(sitters, one, viewer) for one in (count.seat, 1 - count.seat))
    if not count.opened:
        text = N_("There was no {colour} card on {who:'your} own side, so {other:'your} side stayed closed.")
        return _(text, colour=colour, who=owner, other=other)
    across = count.subtotal(OTHER_PART)
    if across and is_you(sitters, 1 - count.seat, viewer):
        return _viewer_cards_counted_sentence(count, owner)
    opened = _OPENED[_what_opened_other_side_key(count), across > 0]
    return capital(_(opened, colour=colour, who=owner, other=other))


#: Sentences that say why the opponent's cards in a column could count for a player. Indexed by a pair: the result of
#: `_what_opened_other_side_key`, and whether any of the opponent's cards counted.
_OPENED = {
    ("final", True): N_("{who:'Your} Final Card opened {other:'your} side."),
    ("final", False): N_("{who:'Your} Final Card opened {other:'your} side, but there were no {colour} cards there."),
    ("cards", True): N_("{who:'Your} own {colour} cards opened {other:'your} side."),
    ("cards", False): N_(
        "{who:'Your} own {colour} cards opened {other:'your} side, but there were no {colour} cards there."
    ),
    ("card", True): N_("{who:'Your} own {colour} card opened {other:'your} side."),
    ("card", False): N_(
        "{who:'Your} own {colour} card opened {other:'your} side, but there were no {colour} cards there."
    ),
    ("wilds", True): N_("{who:'Your} own wilds opened {other:'your} side."),
    ("wilds", False): N_("{who:'Your} own wilds opened {other:'your} side, but there were no {colour} cards there."),
    ("wild", True): N_("{who:'Your} own wild opened {other:'your} side."),
    ("wild", False): N_("{who:'Your} own wild opened {other:'your} side, but there were no {colour} cards there."),
}


def _what_opened_other_side_key(count: ColumnCount) -> str:
    """Return a word that says which of a player's cards opened the opponent's side of a column.

    To open this side means that the opponent's cards on it can count for the player. The word is used to look up a
    sentence in `_OPENED`:

    * "final": only the player's Final Card opened the side.
    * "card" or "cards": one or several cards on the player's own side opened it. Not all of them are wild.
    * "wild" or "wilds": one or several cards on the player's own side opened it. All of them are wild.

    `count` is the breakdown of the player's points. The side must be open in it (`count.opened`).
    """
    own = count.subtotal(OWN_PART)
    if not own:
        return "final"
    natural = any(card.kind == count.root for card in count.parts[OWN_PART])
    return ("card" if natural else "wild") + ("s" if own > 1 else "")


def _viewer_cards_counted_sentence(count: ColumnCount, owner: PlayerPhrase) -> str:
    """Return a sentence about the viewer's own cards that counted for the other player.

    An example is "Your blue card in row 3 counted for Mara". If cards of several kinds counted, the sentence names only
    their rows. `count` is the breakdown of the other player's points. `owner` is the phrase for that player.
    """
    found = {str(row): card.kind for row, card in enumerate(count.parts[OTHER_PART], 1) if card.counts}
    (kind, *others), rows = set(found.values()), join_names(list(found))
    if others:
        return _("Your cards in rows {rows} counted for {who:you}.", rows=rows, who=owner)
    one = N_("Your {colour} card in row {row} counted for {who:you}.")
    more = N_("Your {colour} cards in rows {rows} counted for {who:you}.")
    if kind == WILD:
        one = N_("Your wild card in row {row} counted for {who:you}.")
        more = N_("Your wild cards in rows {rows} counted for {who:you}.")
    colour = "" if kind == WILD else colour_adjective(kind)
    return _(one if len(found) == 1 else more, colour=colour, row=rows, rows=rows, who=owner)
