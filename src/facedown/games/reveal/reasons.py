"""Why a move or a touch is not taken now, in Reveal: one sentence from the rules' own reasons, by a view alone."""

from __future__ import annotations

from collections.abc import Sequence

from facedown.core.language import cached_in_language
from facedown.core.state import OPEN, RUNNING, SPECTATOR, View, plain_view
from facedown.core.table import Path, Refusals, Sitter, refused
from facedown.core.voice import acting_seats, in_words, who
from facedown.games.reveal.info import FinalMode, SwapBatch
from facedown.games.reveal.naming import card_subject, column_word
from facedown.games.reveal.rules import Act, Phase, RevealPosition
from facedown.games.reveal.texts import N_, _, n_
from facedown.games.reveal.view import end_place, final_place, hand_by_place, hand_place, has_confirmed, side_place

SWAP_FIRST = N_("First swap, or keep all three. Then place the row.")
SWAPPED = N_("You’ve already swapped: now place the row.")
LAID = N_("Cards you have placed stay there until the Grand Reveal.")


# --- moves ------------------------------------------------------------------------------------------------------------


def refusal(view: View, action: int) -> str:
    """Why the seat whose view it is, which is to act, may not take an action that is not legal: one sentence."""
    v = plain_view(view, RevealPosition)
    kind, number = Act.of(action)
    if v.phase == Phase.SCORING:
        return _counted(v)
    if kind == Act.CONTINUE:
        return _("Hand {number} is still being played: you can continue once it is counted.", number=v.hand_number)
    if v.phase == Phase.SWAP:
        return _not_in_swap(v, kind, number)
    if v.phase == Phase.PLACE:
        return _(SWAPPED) if kind in (Act.SWAP, Act.STOP) else _too_early(v)
    return _not_in_final(v, kind)


def _counted(v: RevealPosition) -> str:
    return _("Hand {number} is counted: continue to the next one.", number=v.hand_number)


def _not_in_swap(v: RevealPosition, kind: int, number: int) -> str:
    one_by_one = v.opt.swap_batch == SwapBatch.NO
    cards = number.bit_count()
    if kind == Act.PLACE:
        return _(SWAP_FIRST)
    if kind == Act.STOP:
        return _("All cards are swapped at once here: touch the ones to swap, or keep all three.")
    if kind != Act.SWAP:
        return _too_early(v)
    if not one_by_one:
        return _too_many(v, cards)
    if number:
        return _("Cards are swapped one by one here, not {number} at once.", number=in_words(cards))
    if v.swapped[v.viewer]:
        return _("Cards are swapped one by one here: stop when you are done.")
    return _("Cards are swapped one by one here: stop at once to keep all three.")


def _too_many(v: RevealPosition, count: int) -> str:
    row, wanted = in_words(v.row + 1), in_words(count)
    return n_(
        "In round {row} you may swap one card, not {wanted}.",
        "In round {row} you may swap {row} cards, not {wanted}.",
        v.row + 1,
        row=row,
        wanted=wanted,
    )


def _too_early(v: RevealPosition) -> str:
    """Why no column is chosen yet."""
    left = v.rows - v.row
    return n_(
        "You choose a column once all rows are placed: {number} to go.",
        "You choose a column once all rows are placed: {number} to go.",
        left,
        number=in_words(left),
    )


def _not_in_final(v: RevealPosition, kind: int) -> str:
    if kind in (Act.SWAP, Act.STOP):
        return _("All three rows are placed: there is nothing left to swap.")
    if kind == Act.PLACE:
        return _("All three rows are placed: only your Final Card is left.")
    if v.opt.final_mode == FinalMode.SEALED:
        return _("Here both choose once and in secret: there is nothing to confirm.")
    if kind == Act.CHOOSE_CONFIRM:
        return _("Here you may both move at any time: first choose a column, then confirm it.")
    return _("Your Final Card has no column yet: choose one first.")


# --- touches ----------------------------------------------------------------------------------------------------------


def refusals(v: RevealPosition, prefix: Path, sitters: Sequence[Sitter]) -> Refusals:
    """What the viewer may try to touch after `prefix`, though it cannot be touched then, with the reasons."""
    if v.viewer == SPECTATOR or v.over != RUNNING:
        return ()
    if not v.acting >> v.viewer & 1:
        return refused(_places(v), _others_turn(v, sitters))
    if v.phase == Phase.SCORING:
        return refused(_places(v), _counted(v))
    laid = _laid_rows(v.viewer, v.row, v.columns)
    if v.phase == Phase.SWAP:
        return (*laid, *refused(_row(v), _(SWAP_FIRST)))
    if v.phase == Phase.PLACE:
        return (*laid, *_while_placing(v, prefix), ("draw", _(SWAPPED)))
    mine = v.choice[v.viewer]
    if mine < 0:
        return (*laid, (final_place(v.viewer), _("Touch the end of a column: your Final Card goes there.")))
    return (*laid, (end_place(v.viewer, mine), _("Your Final Card is there already.")))


def who_chooses(v: RevealPosition, sitters: Sequence[Sitter]) -> str:
    """Who is waited for, and what they do: "Mara is placing."."""
    waiting = who(sitters, acting_seats(v), v.viewer)
    if v.phase == Phase.SWAP:
        return _("{who} {who:are|is} choosing what to swap.", who=waiting)
    if v.phase == Phase.PLACE:
        return _("{who} {who:are|is} placing.", who=waiting)
    return _("{who} {who:are|is} choosing a column.", who=waiting)


def what_you_chose(v: RevealPosition) -> str:
    """What the viewer, who waits, has done."""
    if has_confirmed(v, v.viewer):
        return _("You have confirmed {column}.", column=column_word(v.choice[v.viewer]))
    if v.sealed[v.viewer] != OPEN:
        return _("You’ve chosen. Waiting for the other player.")
    return ""


def _others_turn(v: RevealPosition, sitters: Sequence[Sitter]) -> str:
    """Why a seat that waits may touch nothing."""
    waiting = who(sitters, acting_seats(v), v.viewer)
    if v.phase == Phase.SCORING:
        return _("You’re ready for the next hand. {who} {who:are|is} still looking at the cards.", who=waiting)
    if has_confirmed(v, v.viewer):
        text = N_("You have confirmed {column}. {who} {who:are|is} still choosing.")
        return _(text, column=column_word(v.choice[v.viewer]), who=waiting)
    return who_chooses(v, sitters)


def _while_placing(v: RevealPosition, prefix: Path) -> Refusals:
    """The row while its cards are given their places: a card is touched before the place where it goes."""
    if len(prefix) == 2 * (v.columns - 1):
        return ()
    if len(prefix) % 2 == 0:
        return refused((place for place in _row(v) if place not in prefix), _("First touch the card that goes there."))
    touched = card_subject(hand_by_place(v)[prefix[-1]])
    reason = _("Now touch the place where {card} goes.", card=touched)
    return refused((place for place in _hand(v) if place not in prefix), reason)


@cached_in_language
def _laid_rows(seat: int, rows: int, columns: int) -> Refusals:
    """The rows laid already."""
    return refused((side_place(seat, row, column) for row in range(rows) for column in range(columns)), _(LAID))


def _row(v: RevealPosition) -> list[str]:
    """The places of the row that is laid next."""
    return [side_place(v.viewer, v.row, column) for column in range(v.columns)]


def _hand(v: RevealPosition) -> list[str]:
    return [hand_place(place) for place in range(v.columns)]


def _places(v: RevealPosition) -> list[str]:
    """All places on the table now that the viewer touches at some time."""
    rows = range(min(v.row + 1, v.rows))
    laid = [side_place(v.viewer, row, column) for row in rows for column in range(v.columns)]
    if v.row < v.rows:
        return [*_hand(v), *laid]
    ends = [end_place(v.viewer, column) for column in range(v.columns)]
    return [*laid, *([] if v.phase == Phase.SCORING else ends)]
