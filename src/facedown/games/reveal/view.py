"""Functions that read a view of Reveal, the position as one viewer sees it.

They return the cards that the viewer sees, the ids of places on the page, the breakdown of a column's points, and the
steps of the Grand Reveal (the flipping at the end of a hand).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import NamedTuple

from facedown.core.state import DECIDED, EMPTY, SPECTATOR, UNKNOWN, Ints
from facedown.games.reveal.cards import WILD, card_name
from facedown.games.reveal.i18n import N_
from facedown.games.reveal.info import FinalUnlocks
from facedown.games.reveal.rules import FINALS, MINIMUM, SEATS, RevealPosition, base_slot, side_slot

COLUMN_LETTERS = "LCR"
#: Names of the columns in data such as JSON. Texts for players use `cards.column_position_word`.
COLUMN_NAMES = ("left", "middle", "right")


def kind_at(v: RevealPosition, slot: int) -> int | None:
    """Return the kind (index of the colour, or `WILD`) of the card in a slot (index in `v.card`).

    Return None if the slot is empty or the card is hidden from the viewer.
    """
    kind = v.card[slot]
    return None if kind in (EMPTY, UNKNOWN) else kind


def hand_kinds(v: RevealPosition) -> list[int]:
    """Return the kinds (indices of colours, or `WILD`) of the viewer's hand cards, from left to right."""
    return [kind_at(v, side_slot(v.viewer, v.row, place)) or 0 for place in range(v.columns)]


def hand_kinds_by_place_id(v: RevealPosition) -> dict[str, int]:
    """Return the kinds (indices of colours, or `WILD`) of the viewer's hand cards as a dictionary.

    The keys are the ids that the page uses for the places of the cards, such as "hand-1".
    """
    return {hand_place_id(place): kind for place, kind in enumerate(hand_kinds(v))}


def bottom_seat(v: RevealPosition) -> int:
    """Return the seat whose side the page shows at the bottom: the viewer's own, or seat 0 for a spectator."""
    return 0 if v.viewer == SPECTATOR else v.viewer


def seats_own_first(v: RevealPosition) -> list[int]:
    """Return both seats, the viewer's own first (seat 0 for a spectator)."""
    return sorted(range(SEATS), key=lambda seat: seat != v.viewer)


def has_confirmed(v: RevealPosition, seat: int) -> bool:
    """Return whether a seat has confirmed the column that it chose for its Final Card."""
    return v.confirmed >> seat & 1 == 1


def winners_of(v: RevealPosition) -> list[int]:
    """Return the seat with the higher total of a finished match, as a list of one element.

    The list is empty for a draw, and if the match was abandoned or is still running.
    """
    return leader_unless_tied(v.total) if v.over == DECIDED else []


def leader_unless_tied(points: Ints) -> list[int]:
    """Return the seat with more points, as a list. It is empty if both have the same number. `points` is indexed by
    seat.
    """
    return [] if points[0] == points[1] else [0 if points[0] > points[1] else 1]


# --- ids of places ----------------------------------------------------------------------------------------------------


def base_place_id(row: int, column: int) -> str:
    """Return the id that the page uses for the place of a base card: "base-L1" for the left column and first row."""
    return f"base-{COLUMN_LETTERS[column]}{row + 1}"


def side_place_id(seat: int, row: int, column: int) -> str:
    """Return the id that the page uses for a place on a seat's side: "p0-L1" for seat 0, left column, first row."""
    return f"p{seat}-{COLUMN_LETTERS[column]}{row + 1}"


def end_place_id(seat: int, column: int) -> str:
    """Return the id that the page uses for a place at the end of a column: "end0-L" for seat 0 and the left column.

    The seat's Final Card is put there when the seat chooses the column.
    """
    return f"end{seat}-{COLUMN_LETTERS[column]}"


def hand_place_id(place: int) -> str:
    """Return the id that the page uses for a place in the viewer's hand: "hand-1" for place 0."""
    return f"hand-{place + 1}"


def final_place_id(seat: int) -> str:
    """Return the id that the page uses for the place of a seat's Final Card outside the columns: "final-0" for seat 0.

    The card lies there until the seat chooses a column, and again after the scoring.
    """
    return f"final-{seat}"


# --- texts ------------------------------------------------------------------------------------------------------------


def bold_card_names(v: RevealPosition, slots: Iterable[int]) -> str:
    """Return the names of the cards in some slots (indices in `v.card`) as bold text for the log: "**red, blue,
    wild**".

    Cards that are hidden from the viewer are left out.
    """
    return f"**{', '.join(card_name(kind) for slot in slots if (kind := kind_at(v, slot)) is not None)}**"


# --- the count of a hand's points -------------------------------------------------------------------------------------

#: Indices of the four groups of cards in `ColumnCount.parts`: base, the player's own side, the other player's side,
#: Final Card. The score slip (breakdown of the points) lists them in this order.
BASE_PART, OWN_PART, OTHER_PART, FINAL_PART = range(4)


class CountedCard(NamedTuple):
    """Card in the breakdown of a column's points.

    * `place`: the id that the page uses for the place of the card.
    * `kind`: the index of its colour, or `WILD`.
    * `counts`: whether the card counts.
    """

    place: str
    kind: int
    counts: bool


@dataclass(frozen=True)
class ColumnCount:
    """Breakdown of a player's points in one column, card by card.

    A column has base cards, which belong to neither player, and cards on both players' sides. Each player also has a
    Final Card. One of the base cards is the *root*: the column is scored in its colour. Only cards of this colour and
    wild cards can count:

    * They count in the base, on the player's own side, and as the player's Final Card.
    * On the other player's side, they count only if this side is open. It is open if a card on the player's own side
      counts. With ``final_unlocks=yes`` a Final Card that counts opens it as well (`opened`).
    """

    seat: int
    column: int
    root: int | None
    """Colour in which the column is scored, as its index in the list of colours; None if the base has only wild
    cards."""
    root_row: int
    """Row of the root, from 0; -1 if `root` is None."""
    parts: tuple[tuple[CountedCard, ...], ...]
    """Four groups of cards: the base, the seat's own side, the other player's side, and the Final Card."""
    opened: bool
    """Whether cards on the other player's side can count. They can if a card on the seat's own side counts. With
    ``final_unlocks=yes``, it is also enough if the seat's Final Card counts."""

    def subtotal(self, part: int) -> int:
        """Return the number of cards that one of the four groups in `parts` adds to the player's count.

        `part` is the index of the group: 0 for the base cards, 1 for the cards on the player's own side, 2 for those on
        the other player's side, 3 for the player's Final Card.
        """
        return sum(card.counts for card in self.parts[part])

    @property
    def cards(self) -> list[CountedCard]:
        """Return the cards that count, in the order in which the score slip (breakdown of the points) numbers them."""
        return [card for part in self.parts for card in part if card.counts]

    @property
    def total_count(self) -> int:
        """Return the total number of cards that count: base cards, cards on both sides, and the Final Card."""
        return len(self.cards)

    @property
    def points(self) -> int:
        """Return the player's points in the column: 1 for each card that counts, but 0 if fewer than `MINIMUM` count.

        Cards of the colour `root` and wild cards count. Those on the other player's side count only if `opened` is
        true.
        """
        return self.total_count if self.total_count >= MINIMUM else 0


def column_count(v: RevealPosition, seat: int, face_down: Collection[int] = ()) -> ColumnCount:
    """Return the breakdown of a seat's points in the column that it has chosen.

    The column is scored in the colour of one of its base cards. This card is called the root. Only cards of this colour
    and wild cards can count, each for 1 point. Of the base cards that are not wild, the root is the one whose colour
    gives the highest number of counting cards. If all base cards are wild, no card counts.

    `face_down` are the slots (indices in `v.card`) of cards that are not flipped yet. These cards do not count.
    """
    roots = [(row, v.card[base_slot(row, v.choice[seat])]) for row in range(v.rows)]
    found = [_column_count_for_root(v, seat, root, row, face_down) for row, root in roots if root != WILD]
    return (
        max(found, key=lambda count: count.total_count)
        if found
        else _column_count_for_root(v, seat, None, -1, face_down)
    )


def _column_count_for_root(
    v: RevealPosition, seat: int, root: int | None, root_row: int, face_down: Collection[int]
) -> ColumnCount:
    """Return the breakdown of a seat's points in the column that it has chosen, for a given root.

    The root is the base card in whose colour the column is scored.

    * `root`: the index of the root's colour. If it is None, no card counts.
    * `root_row`: the row of the root, from 0; -1 if `root` is None.
    * `face_down`: the slots (indices in `v.card`) of cards that are not flipped yet. These cards do not count.
    """
    column = v.choice[seat]

    def cards(places: Iterable[tuple[str, int]], shut: bool = False) -> tuple[CountedCard, ...]:
        kinds = [(place, v.card[slot], slot in face_down or shut) for place, slot in places]
        return tuple(
            CountedCard(place, kind, root is not None and not out and kind in (root, WILD))
            for place, kind, out in kinds
        )

    base = cards((base_place_id(row, column), base_slot(row, column)) for row in range(v.rows))
    own, final = cards(_side_places_and_slots(v, seat, column)), cards([(final_place_id(seat), FINALS + seat)])
    opening = own + final if v.opt.final_unlocks == FinalUnlocks.YES else own
    opened = any(card.counts for card in opening)
    other = cards(_side_places_and_slots(v, 1 - seat, column), shut=not opened)
    return ColumnCount(seat, column, root, root_row, (base, own, other, final), opened)


def _side_places_and_slots(v: RevealPosition, seat: int, column: int) -> list[tuple[str, int]]:
    """Return one pair (place id, slot) for each card on a seat's side of a column, from the first row to the last.

    The place id is the id that the page uses for the card's place. The slot is the index of the card in `v.card`.
    """
    return [(side_place_id(seat, row, column), side_slot(seat, row, column)) for row in range(v.rows)]


# --- the Grand Reveal -------------------------------------------------------------------------------------------------

GRAND_REVEAL_TITLES = (
    N_("The columns nobody chose"),
    N_("Each player’s own column"),
    N_("The other player’s column"),
    N_("The Final Cards"),
)


def grand_reveal_steps(v: RevealPosition) -> list[tuple[list[str], list[ColumnCount]]]:
    """Return the Grand Reveal (the flipping at the end of a hand) as five pairs: its start, then its four steps.

    Each pair has these elements:

    * The ids of the places whose cards are flipped in this step. At the start, and in a step without cards, this list
      is empty.
    * The breakdowns of both players' points after this step. The viewer's own comes first; for a spectator, that of
      seat 0.

    At the start only the base is face up. Cards that are still face down do not count.
    """
    _start, unchosen, own, other, finals = turned = [dict[str, int]() for _step in range(5)]
    for seat in (1 - bottom_seat(v), bottom_seat(v)):
        for column in range(v.columns):
            step = own if column == v.choice[seat] else other if column == v.choice[1 - seat] else unchosen
            step |= _side_places_and_slots(v, seat, column)
        finals[final_place_id(seat)] = FINALS + seat
    hidden = [{slot for later in turned[at:] for slot in later.values()} for at in range(1, 6)]
    counts = [[column_count(v, seat, face_down) for seat in seats_own_first(v)] for face_down in hidden]
    return [(list(places), after) for places, after in zip(turned, counts, strict=True)]
