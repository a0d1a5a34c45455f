"""What a view of Reveal says: what lies where, in words and place ids, and how a hand is counted."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from facedown.core.state import ABANDONED, EMPTY, RUNNING, SPECTATOR, UNKNOWN
from facedown.core.voice import in_words, listing
from facedown.games.reveal.cards import NAMES, WILD
from facedown.games.reveal.info import FinalUnlocks
from facedown.games.reveal.rules import COLUMNS, FINALS, MINIMUM, ROWS, SCORING, SEATS, RevealPosition, base_slot, side

COLUMN_LETTERS = "LCR"
COLUMN_NAMES = ("left", "middle", "right")


def kind_at(v: RevealPosition, slot: int) -> int | None:
    """The kind of the card in a slot, or None for no card or one the viewer may not look at."""
    kind = v.card[slot]
    return None if kind in (EMPTY, UNKNOWN) else kind


def hand_names(v: RevealPosition) -> list[str]:
    """The names of the viewer's hand cards."""
    return [NAMES[kind_at(v, side(v.viewer, v.row, place)) or 0] for place in range(COLUMNS)]


def bottom_seat(v: RevealPosition) -> int:
    """Whose side lies at the lower edge: the viewer's own, for a spectator the first seat's."""
    return 0 if v.viewer == SPECTATOR else v.viewer


def own_first(v: RevealPosition) -> list[int]:
    """Both seats, the viewer's own first."""
    return sorted(range(SEATS), key=lambda seat: seat != v.viewer)


def is_acting(v: RevealPosition, seat: int) -> bool:
    """Is this seat to act?"""
    return v.acting >> seat & 1 == 1


def has_confirmed(v: RevealPosition, seat: int) -> bool:
    """Has this seat confirmed its column?"""
    return v.confirmed >> seat & 1 == 1


def is_scored(v: RevealPosition) -> bool:
    """Is the hand scored, all its cards open?"""
    return v.phase == SCORING


def winners_of(v: RevealPosition) -> list[int]:
    """The seats with the higher total, when the match is over; none when it was given up or is drawn."""
    if v.over in (RUNNING, ABANDONED) or v.total[0] == v.total[1]:
        return []
    return [0 if v.total[0] > v.total[1] else 1]


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


def column_word(column: int) -> str:
    """ "the left column"."""
    return f"the {COLUMN_NAMES[column]} column"


def capital(text: str) -> str:
    """A text with a capital first letter."""
    return text[:1].upper() + text[1:]


def several(kinds: Sequence[int]) -> str:
    """Cards counted by colour, the most first and wilds last.

    >>> several([3, 6, 6]), several([8, 3]), several([8, 8, 8])
    ('two reds and a yellow', 'a yellow and a wild', 'three wilds')
    """
    parts = []
    for kind in sorted(dict.fromkeys(kinds), key=lambda k: (k == WILD, -list(kinds).count(k))):
        count = list(kinds).count(kind)
        parts.append(a_card(NAMES[kind]) if count == 1 else f"{in_words(count)} {NAMES[kind]}s")
    return listing(parts)


def a_card(name: str) -> str:
    """A card of a colour: "a red", "an orange"."""
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


def bold_cards(kinds: Sequence[int | None]) -> str:
    """Cards in a row for the log: "**red, blue, wild**"."""
    return f"**{', '.join(NAMES[k] for k in kinds if k is not None)}**"


# --- how a hand is counted --------------------------------------------------------------------------------------------

#: The parts of a count, in the order in which a slip has them.
BASE_PART, OWN_PART, OTHER_PART, FINAL_PART = range(4)


@dataclass(frozen=True)
class Count:
    """How one seat's column is counted, card by card."""

    seat: int
    column: int
    root: int | None
    """The colour that counts best; None if the base has no natural card."""
    root_row: int
    parts: tuple[tuple[tuple[int, bool], ...], ...]
    """(kind, does it count?) of the three base cards, the own side, the other side, and the Final Card."""
    opened: bool
    """Does the other side count?"""

    def subtotal(self, part: int) -> int:
        """How many cards count: of the base (0), the own side (1), the other side (2), the Final Card (3)."""
        return sum(counts for _, counts in self.parts[part])

    @property
    def counted(self) -> int:
        """How many cards count in all."""
        return sum(self.subtotal(part) for part in range(len(self.parts)))

    @property
    def points(self) -> int:
        """What the column brings."""
        return self.counted if self.counted >= MINIMUM else 0


def count_seat(v: RevealPosition, seat: int, face_down: Collection[int] = ()) -> Count:
    """The count of a seat's column with its best root, all cards open but those in the slots `face_down`."""
    column = v.choice[seat]
    roots = [(row, v.card[base_slot(row, column)]) for row in range(ROWS)]
    found = [_count_with(v, seat, root, row, face_down) for row, root in roots if root != WILD]
    return max(found, key=lambda count: count.counted) if found else _count_with(v, seat, None, -1, face_down)


def _count_with(
    v: RevealPosition, seat: int, root: int | None, root_row: int, face_down: Collection[int] = ()
) -> Count:
    """The count of a seat's column with the root in a row of its base; None: no card can be one."""
    column = v.choice[seat]
    slots = (
        [base_slot(row, column) for row in range(ROWS)],
        [side(seat, row, column) for row in range(ROWS)],
        [side(1 - seat, row, column) for row in range(ROWS)],
        [FINALS + seat],
    )

    def matches(slot: int) -> bool:
        return root is not None and slot not in face_down and v.card[slot] in (root, WILD)

    by_final = v.opt.final_unlocks == FinalUnlocks.YES and matches(FINALS + seat)
    opened = any(matches(slot) for slot in slots[OWN_PART]) or by_final
    parts = tuple(
        tuple((v.card[slot], matches(slot) and (part != OTHER_PART or opened)) for slot in group)
        for part, group in enumerate(slots)
    )
    return Count(seat, column, root, root_row, parts, opened)


def counted_places(count: Count) -> list[tuple[str, int]]:
    """The places of the cards that count, with their kinds, in the order in which a slip counts them."""
    places = (
        [base_place(row, count.column) for row in range(ROWS)],
        [side_place(count.seat, row, count.column) for row in range(ROWS)],
        [side_place(1 - count.seat, row, count.column) for row in range(ROWS)],
        [final_place(count.seat)],
    )
    return [
        (place, kind)
        for group, cards in zip(places, count.parts, strict=True)
        for place, (kind, counts) in zip(group, cards, strict=True)
        if counts
    ]


# --- the Grand Reveal -------------------------------------------------------------------------------------------------

GRAND_STEPS = (
    "The columns nobody chose",
    "Each side of its own column",
    "Each side of the other’s column",
    "The Final Cards",
)


def grand_steps(v: RevealPosition) -> list[tuple[str, list[str]]]:
    """The four steps of the Grand Reveal: what each shows, and the places turned (a step may turn none)."""
    turned = [[place for place, _ in step] for step in _turned(v)]
    return list(zip(GRAND_STEPS, turned, strict=True))


def _turned(v: RevealPosition) -> list[list[tuple[str, int]]]:
    """The places that each step of the Grand Reveal turns, with their slots."""
    unchosen, own, other, finals = steps = [list[tuple[str, int]]() for _ in GRAND_STEPS]
    for seat in (1 - bottom_seat(v), bottom_seat(v)):
        for column in range(COLUMNS):
            of = own if column == v.choice[seat] else other if column == v.choice[1 - seat] else unchosen
            of += [(side_place(seat, row, column), side(seat, row, column)) for row in range(ROWS)]
        finals.append((final_place(seat), FINALS + seat))
    return steps


def running_counts(v: RevealPosition) -> list[tuple[Count, Count]]:
    """Both counts before the Grand Reveal's first step and after each: what is face down still counts for nothing."""
    steps = _turned(v)
    found = []
    for shown in range(len(steps) + 1):
        face_down = {slot for step in steps[shown:] for _, slot in step}
        found.append((count_seat(v, 0, face_down), count_seat(v, 1, face_down)))
    return found
