"""What a view of Reveal says: what lies where, in words and place ids, and how a hand is counted."""

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
#: As data has them; people read `naming.column_name`.
COLUMN_NAMES = ("left", "middle", "right")


def kind_at(v: RevealPosition, slot: int) -> int | None:
    """The kind of the card in a slot, or None for no card or one the viewer may not look at."""
    kind = v.card[slot]
    return None if kind in (EMPTY, UNKNOWN) else kind


def hand_kinds(v: RevealPosition) -> list[int]:
    """The kinds of the viewer's hand cards."""
    return [kind_at(v, side_slot(v.viewer, v.row, place)) or 0 for place in range(v.columns)]


def hand_by_place(v: RevealPosition) -> dict[str, int]:
    """The kinds of the viewer's hand cards, by where they lie."""
    return {hand_place(place): kind for place, kind in enumerate(hand_kinds(v))}


def bottom_seat(v: RevealPosition) -> int:
    """Whose side lies at the lower edge: the viewer's own, for a spectator the first seat's."""
    return 0 if v.viewer == SPECTATOR else v.viewer


def seats_own_first(v: RevealPosition) -> list[int]:
    """Both seats, the viewer's own first."""
    return sorted(range(SEATS), key=lambda seat: seat != v.viewer)


def has_confirmed(v: RevealPosition, seat: int) -> bool:
    """Has this seat confirmed its column?"""
    return v.confirmed >> seat & 1 == 1


def winners_of(v: RevealPosition) -> list[int]:
    """The seats with the higher total, when the match is over; none when it was given up or is drawn."""
    return leaders(v.total) if v.over == DECIDED else []


def leaders(points: Ints) -> list[int]:
    """The seat with more points; none when both have as many."""
    return [] if points[0] == points[1] else [0 if points[0] > points[1] else 1]


# --- places -----------------------------------------------------------------------------------------------------------


def base_place(row: int, column: int) -> str:
    """The place of a base card: "base-L1"."""
    return f"base-{COLUMN_LETTERS[column]}{row + 1}"


def side_place(seat: int, row: int, column: int) -> str:
    """The place of a card laid on a seat's side: "p0-L1"."""
    return f"p{seat}-{COLUMN_LETTERS[column]}{row + 1}"


def end_place(seat: int, column: int) -> str:
    """The place at a column's end where a seat lays the Final Card: "end0-L"."""
    return f"end{seat}-{COLUMN_LETTERS[column]}"


def hand_place(place: int) -> str:
    """The place of one of your hand cards: "hand-1"."""
    return f"hand-{place + 1}"


def final_place(seat: int) -> str:
    """The place of a Final Card that no column has yet: "final-0"."""
    return f"final-{seat}"


# --- words ------------------------------------------------------------------------------------------------------------


def bold_cards(v: RevealPosition, slots: Iterable[int]) -> str:
    """The cards in some slots for the log: "**red, blue, wild**"."""
    return f"**{', '.join(card_name(kind) for slot in slots if (kind := kind_at(v, slot)) is not None)}**"


# --- how a hand is counted --------------------------------------------------------------------------------------------

#: The parts of a count, in the order in which a slip has them.
BASE_PART, OWN_PART, OTHER_PART, FINAL_PART = range(4)


class CountedCard(NamedTuple):
    """A card of a column as it is counted."""

    place: str
    kind: int
    counts: bool


@dataclass(frozen=True)
class ColumnCount:
    """How one seat's column is counted, card by card."""

    seat: int
    column: int
    root: int | None
    """The colour that counts best; None if the base has no natural card."""
    root_row: int
    parts: tuple[tuple[CountedCard, ...], ...]
    """The base cards, the own side, the other side, and the Final Card."""
    opened: bool
    """Does the other side count?"""

    def subtotal(self, part: int) -> int:
        """How many cards count: of the base (0), the own side (1), the other side (2), the Final Card (3)."""
        return sum(card.counts for card in self.parts[part])

    @property
    def cards(self) -> list[CountedCard]:
        """The cards that count, in the order in which a slip counts them."""
        return [card for part in self.parts for card in part if card.counts]

    @property
    def counted(self) -> int:
        """How many cards count in all."""
        return len(self.cards)

    @property
    def points(self) -> int:
        """What the column brings."""
        return self.counted if self.counted >= MINIMUM else 0


def count_seat(v: RevealPosition, seat: int, face_down: Collection[int] = ()) -> ColumnCount:
    """The count of a seat's column with its best root, all cards open but those in the slots `face_down`."""
    roots = [(row, v.card[base_slot(row, v.choice[seat])]) for row in range(v.rows)]
    found = [_count_with(v, seat, root, row, face_down) for row, root in roots if root != WILD]
    return max(found, key=lambda count: count.counted) if found else _count_with(v, seat, None, -1, face_down)


def _count_with(
    v: RevealPosition, seat: int, root: int | None, root_row: int, face_down: Collection[int]
) -> ColumnCount:
    """The count of a seat's column with the root in a row of its base; None: no card can be one."""
    column = v.choice[seat]

    def cards(places: Iterable[tuple[str, int]], shut: bool = False) -> tuple[CountedCard, ...]:
        kinds = [(place, v.card[slot], slot in face_down or shut) for place, slot in places]
        return tuple(
            CountedCard(place, kind, root is not None and not out and kind in (root, WILD))
            for place, kind, out in kinds
        )

    base = cards((base_place(row, column), base_slot(row, column)) for row in range(v.rows))
    own, final = cards(_side_places_and_slots(v, seat, column)), cards([(final_place(seat), FINALS + seat)])
    opening = own + final if v.opt.final_unlocks == FinalUnlocks.YES else own
    opened = any(card.counts for card in opening)
    other = cards(_side_places_and_slots(v, 1 - seat, column), shut=not opened)
    return ColumnCount(seat, column, root, root_row, (base, own, other, final), opened)


def _side_places_and_slots(v: RevealPosition, seat: int, column: int) -> list[tuple[str, int]]:
    """The places and slots of a seat's side of a column."""
    return [(side_place(seat, row, column), side_slot(seat, row, column)) for row in range(v.rows)]


# --- the Grand Reveal -------------------------------------------------------------------------------------------------

GRAND_REVEAL_TITLES = (
    N_("The columns nobody chose"),
    N_("Each side of its own column"),
    N_("Each side of the other’s column"),
    N_("The Final Cards"),
)


def grand_reveal_steps(v: RevealPosition) -> list[tuple[list[str], list[ColumnCount]]]:
    """The Grand Reveal as it begins, with the base alone open, then its four steps.

    Of each the places that it turns (a step may turn none), and both counts after it, the viewer's own first: what is
    face down still counts for nothing.
    """
    _start, unchosen, own, other, finals = turned = [dict[str, int]() for _step in range(5)]
    for seat in (1 - bottom_seat(v), bottom_seat(v)):
        for column in range(v.columns):
            step = own if column == v.choice[seat] else other if column == v.choice[1 - seat] else unchosen
            step |= _side_places_and_slots(v, seat, column)
        finals[final_place(seat)] = FINALS + seat
    hidden = [{slot for later in turned[at:] for slot in later.values()} for at in range(1, 6)]
    counts = [[count_seat(v, seat, face_down) for seat in seats_own_first(v)] for face_down in hidden]
    return [(list(places), after) for places, after in zip(turned, counts, strict=True)]
