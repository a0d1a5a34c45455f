"""Costly moves of Reveal, which the prompt asks the player to confirm.

A question appears only before a player's last choice of a column, and only if the cards that the viewer sees prove that
another column scores more: even if all hidden cards count, the chosen column scores less than the other one does with
none of them. The choice has no effect on what the other player's column scores.

Swaps and placements are not asked about, because hidden cards decide what they are worth.
"""

from __future__ import annotations

from facedown.core.table import Choice, add_confirmation
from facedown.games.reveal.cards import WILD, the_column
from facedown.games.reveal.i18n import N_, _
from facedown.games.reveal.info import FinalUnlocks
from facedown.games.reveal.rules import MINIMUM, RevealPosition, base_slot, side_slot
from facedown.games.reveal.view import kind_at


def confirm_if_costly(v: RevealPosition, choice: Choice, column: int) -> Choice:
    """Return `choice`, the viewer's last choice of a column; if it is costly, return a copy that asks to confirm it."""
    most = most_points(v, column)
    better = max(range(v.columns), key=lambda other: fewest_points(v, other))
    fewest = fewest_points(v, better)
    if fewest <= most:
        return choice
    some = N_("It scores at most {most} points, but {better} scores at least {fewest}.")
    none = N_("It can’t score, but {better} scores at least {fewest} points.")
    costs = _(some if most else none, most=most, better=the_column(better), fewest=fewest)
    return add_confirmation(
        choice, _("Really choose {column}?", column=the_column(column)), costs, choice.button, "scoring"
    )


def fewest_points(v: RevealPosition, column: int) -> int:
    """Return the points that the viewer scores in a column if no hidden card counts."""
    counts = [_matching(v, column, root)[0] for root in _roots(v, column)]
    return _points(max(counts, default=0))


def most_points(v: RevealPosition, column: int) -> int:
    """Return the points that the viewer scores in a column if every hidden card counts that can count at all.

    The cards on the other player's side cannot count if no card on the viewer's own side does. With
    ``final_unlocks=yes``, it is enough if the Final Card counts.
    """
    counts = []
    for root in _roots(v, column):
        seen, own = _matching(v, column, root)
        hidden = sum(kind_at(v, side_slot(v.viewer, row, column)) is None for row in range(v.rows))
        opened = own + hidden > 0 or v.opt.final_unlocks == FinalUnlocks.YES
        counts.append(seen + hidden + (v.rows if opened else 0) + 1)
    return _points(max(counts, default=0))


def _roots(v: RevealPosition, column: int) -> set[int]:
    """Return the colours (indices) in which a column can be scored: those of its base cards that are not wild."""
    return {v.card[base_slot(row, column)] for row in range(v.rows)} - {WILD}


def _matching(v: RevealPosition, column: int, root: int) -> tuple[int, int]:
    """Return how many cards of a column that the viewer sees count in the colour `root`.

    The first number is for the base and the viewer's own side, the second one for the viewer's own side alone.
    """
    base = sum(v.card[base_slot(row, column)] in (root, WILD) for row in range(v.rows))
    own = sum(v.card[side_slot(v.viewer, row, column)] in (root, WILD) for row in range(v.rows))
    return base + own, own


def _points(count: int) -> int:
    """Return the points for a number of cards that count."""
    return count if count >= MINIMUM else 0
