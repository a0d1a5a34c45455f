"""Costly moves of Detect, which the prompt asks the player to confirm.

A question appears only if the cards that the viewer sees show what the move costs:

* Discarding a drawn card that would complete a column, if removing the column can only lower the viewer's points.
* Completing a column of numbers below 0, if the rules then remove it and its points are better kept.
* Ending the round although another player has fewer points, whatever that player's face-down cards are. The points of
  the player who ends the round are doubled then.

Other moves are not asked about. For example, placing the drawn card outside the column that it would complete can
replace a higher card and so be the better move. The decision to remove or to keep a column is a question of its own.
"""

from __future__ import annotations

from collections.abc import Sequence

from facedown.core.grammar import digits, in_words, player_phrase
from facedown.core.table import Choice, Sitter, add_confirmation
from facedown.games.detect.cards import number_of
from facedown.games.detect.i18n import N_, _
from facedown.games.detect.info import SetOptional
from facedown.games.detect.rules import ALL_CELLS, CELLS, COLUMNS, DRAWN_SLOT, ROWS, Act, DetectPosition
from facedown.games.detect.view import completes_column, is_face_down, known_number, number_at, top_discard_number

#: Sentences about the column that a discarded card would complete, from the left column to the right one.
_WOULD_COMPLETE = (
    N_("It would complete {count} {card}s in your first column."),
    N_("It would complete {count} {card}s in your second column."),
    N_("It would complete {count} {card}s in your third column."),
    N_("It would complete {count} {card}s in your fourth column."),
)


def confirm_if_costly(v: DetectPosition, choice: Choice, sitters: Sequence[Sitter]) -> Choice:
    """Return `choice`; if it completes a costly move, return a copy that asks the viewer to confirm the move."""
    if choice.action is None or choice.action == Act.DRAW:
        return choice
    kind, cell = Act.decode(choice.action)
    if kind == Act.THROW:
        number = known_number(v, DRAWN_SLOT)
        column = _column_better_completed(v, number)
        if column >= 0:
            asked = _("Discard the {card} for good?", card=digits(number))
            costs = _(_WOULD_COMPLETE[column], count=in_words(v.rows), card=digits(number))
            return add_confirmation(choice, asked, costs, _("Discard it"), "set")
        return _confirm_if_ending_doubles(v, choice, cell, None, sitters)
    placed = known_number(v, DRAWN_SLOT) if kind == Act.KEEP else top_discard_number(v)
    if placed is not None and placed < 0 and _is_column_better_kept(v, cell, placed):
        asked = _("Complete {count} {card}s?", count=in_words(v.rows), card=digits(placed))
        costs = _("The column is removed at once, so you lose its {points} points.", points=digits(v.rows * placed))
        return add_confirmation(choice, asked, costs, _("Complete it"), "set")
    return _confirm_if_ending_doubles(v, choice, cell, placed, sitters)


def _numbers_in_deck(v: DetectPosition) -> list[int]:
    """Return the numbers of the deck in ascending order, each once."""
    return [number_of(kind) for kind, copies in enumerate(v.opt.copies) if copies]


# --- columns ----------------------------------------------------------------------------------------------------------


def _column_better_completed(v: DetectPosition, number: int) -> int:
    """Return the first of the viewer's columns that the drawn card `number` completes at no risk; -1 if there is none.

    Completing the column removes it. There is no risk if the column now counts at least 0 points, and may count more.
    If the cell for the drawn card is face down, this must be so for every number of the deck.
    """
    for cell in range(CELLS):
        if v.gone[v.viewer] >> cell & 1 or not completes_column(v, v.viewer, cell, number):
            continue
        replaced = number_at(v, v.viewer * CELLS + cell)
        possible = _numbers_in_deck(v) if replaced is None else [replaced]
        others = (v.rows - 1) * number
        if replaced != number and others + possible[0] >= 0 < others + possible[-1]:
            return cell // ROWS
    return -1


def _is_column_better_kept(v: DetectPosition, cell: int, number: int) -> bool:
    """Return whether placing a card with a number below 0 in a cell costs points, because it completes a column.

    The rules remove the column at once, unless its owner decides (`set_optional`).

    * If the replaced card is face up, the column must count less than 0 now, so that removing it costs points.
    * If it is face down, there must be another face-down card that can be replaced without completing a column. Both
      cards are unknown, so that place is better: replacing either of them saves the same number of points on average.
    """
    if v.opt.set_optional == SetOptional.YES or not completes_column(v, v.viewer, cell, number):
        return False
    replaced = number_at(v, v.viewer * CELLS + cell)
    if replaced is not None:
        return replaced + (v.rows - 1) * number < 0
    down = [other for other in range(CELLS) if is_face_down(v, v.viewer, other)]
    return not all(completes_column(v, v.viewer, other, number) for other in down)


# --- the end of a round -----------------------------------------------------------------------------------------------


def _confirm_if_ending_doubles(
    v: DetectPosition, choice: Choice, cell: int, placed: int | None, sitters: Sequence[Sitter]
) -> Choice:
    """Return `choice`; if it ends the round and another player has fewer points, return a copy that asks to confirm.

    `cell` is the cell in which a card is placed or flipped. `placed` is the number on a card that is placed there, or
    None if the face-down card there is flipped. A player without face-up cards is not asked, because every move ends
    the round then.
    """
    down = ALL_CELLS & ~(v.up[v.viewer] | v.gone[v.viewer])
    if v.ender >= 0 or down != 1 << cell or not v.up[v.viewer]:
        return choice
    own = lowest_points_after(v, cell, placed)
    highest = {seat: highest_points(v, seat) for seat in range(v.seats) if seat != v.viewer}
    other = min(highest, key=lambda seat: highest[seat])
    if own <= 0 or highest[other] >= own:
        return choice
    fewer = N_(
        "Even with a {card} in every face-down place, {who:you} {who:have|has} fewer points. Yours may be doubled."
    )
    card, who = digits(_numbers_in_deck(v)[-1]), player_phrase(sitters, other, v.viewer)
    return add_confirmation(choice, _("End the round now?"), _(fewer, card=card, who=who), _("End it"), "score")


def _columns(v: DetectPosition, seat: int) -> list[list[int]]:
    """Return the cells (0 to 11) of a seat's grid that have cards, column by column."""
    cells = [[ROWS * column + row for row in range(ROWS)] for column in range(COLUMNS)]
    return [[cell for cell in column if not v.gone[seat] >> cell & 1] for column in cells]


def lowest_points_after(v: DetectPosition, cell: int, placed: int | None) -> int:
    """Return the lowest number of points that the viewer can have after filling the last cell with a face-down card.

    `placed` is the number on the card that is placed in the cell, or None if the card there is flipped. Its number is
    not known then. Columns of equal numbers count 0 if they are removed, or if the viewer may still remove them.
    """
    points = 0
    for column in _columns(v, v.viewer):
        numbers = [number_at(v, v.viewer * CELLS + other) for other in column if other != cell]
        known = [number for number in numbers if number is not None]
        last = [placed if placed is not None else _numbers_in_deck(v)[0]] if cell in column else []
        equal = len({*known, *([] if placed is None else last)}) == 1
        total = sum(known) + sum(last)
        removed_at_once = placed is not None and cell in column and v.opt.set_optional == SetOptional.NO
        points += (0 if removed_at_once else min(total, 0)) if equal else total
    return points


def highest_points(v: DetectPosition, seat: int) -> int:
    """Return the highest number of points that a seat's grid can count now, whatever its face-down cards are.

    A column of equal numbers, or with a face-down card, counts at least 0, because it may be removed.
    """
    points = 0
    for column in _columns(v, seat):
        numbers = [number_at(v, seat * CELLS + cell) for cell in column]
        total = sum(_numbers_in_deck(v)[-1] if number is None else number for number in numbers)
        points += max(total, 0) if None in numbers or len({*numbers}) == 1 else total
    return points
