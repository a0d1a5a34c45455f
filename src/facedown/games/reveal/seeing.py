"""Reading a view of Reveal: what lies where, in words and place ids, and how a hand is counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from facedown.core.state import EMPTY, SPECTATOR, UNKNOWN, copy
from facedown.core.voice import in_words, listing
from facedown.games.reveal.deck import NAMES, WILD
from facedown.games.reveal.rules import COLUMNS, FINALS, MINIMUM, ROWS, counted_with, side
from facedown.games.reveal.words import COLUMN_LETTERS

COLUMN_NAMES = ("left", "middle", "right")


def kind_at(view: Any, slot: int) -> int | None:
    """The kind of the card in a slot, or None for no card or one the viewer may not look at."""
    kind = int(view.card[slot])
    return None if kind in (EMPTY, UNKNOWN) else kind


def bottom_seat(view: Any) -> int:
    """Whose side lies at the lower edge: the viewer's own, for a spectator the first seat's."""
    viewer = int(view.viewer)
    return 0 if viewer == SPECTATOR else viewer


def base_slot(row: int, column: int) -> int:
    """The slot of a base card."""
    return ROWS * row + column


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
        article = "an" if NAMES[kind][0] in "aeiou" else "a"
        parts.append(f"{article} {NAMES[kind]}" if count == 1 else f"{in_words(count)} {NAMES[kind]}s")
    return listing(parts)


def bold_cards(kinds: Sequence[int | None]) -> str:
    """Cards in a row for the log: "**red, blue, wild**"."""
    return f"**{', '.join(NAMES[k] for k in kinds if k is not None)}**"


@dataclass(frozen=True)
class Count:
    """How one seat's column was counted, card by card."""

    seat: int
    column: int
    root: int | None
    """The colour that counts best; None if the base has no natural card."""
    root_row: int
    parts: tuple[tuple[tuple[int, bool], ...], ...]
    """(kind, does it count?) of the three base cards, the own side, the other side, and the Final Card."""
    opened: bool
    """Does the other side count?"""
    points: int

    def subtotal(self, part: int) -> int:
        """How many cards count: of the base (0), the own side (1), the other side (2), the Final Card (3)."""
        return sum(counts for _, counts in self.parts[part])

    @property
    def counted(self) -> int:
        """How many cards count in all."""
        return sum(self.subtotal(part) for part in range(len(self.parts)))


def count_seat(view: Any, seat: int) -> Count:
    """The count of a seat's column, all cards open."""
    column = int(view.choice[seat])
    best = -1
    root: int | None = None
    root_row = -1
    for row in range(ROWS):
        kind = int(view.card[base_slot(row, column)])
        if kind != WILD:
            counted = int(counted_with(view, seat, column, kind))
            if counted > best:
                best, root, root_row = counted, kind, row
    slots = (
        [base_slot(row, column) for row in range(ROWS)],
        [side(seat, row, column) for row in range(ROWS)],
        [side(1 - seat, row, column) for row in range(ROWS)],
        [FINALS + seat],
    )

    def matches(slot: int) -> bool:
        return root is not None and int(view.card[slot]) in (root, WILD)

    opened = any(matches(slot) for slot in slots[1]) or (bool(view.final_unlocks) and matches(FINALS + seat))
    parts = tuple(
        tuple((int(view.card[slot]), matches(slot) and (part != 2 or opened)) for slot in group)
        for part, group in enumerate(slots)
    )
    return Count(seat, column, root, root_row, parts, opened, best if best >= MINIMUM else 0)


def grand_steps(view: Any) -> list[tuple[str, list[str]]]:
    """The four steps of the Grand Reveal: what each shows, and the places turned (a step may turn none)."""
    turned = [[place for place, _ in step] for step in _turned(view)]
    return list(zip(GRAND_STEPS, turned, strict=True))


def _turned(view: Any) -> list[list[tuple[str, int]]]:
    """The places that each step of the Grand Reveal turns, with their slots."""
    columns = [int(view.choice[seat]) for seat in range(2)]
    bottom = bottom_seat(view)
    steps: list[list[tuple[str, int]]] = [[], [], [], []]
    for seat in (1 - bottom, bottom):
        for column in range(COLUMNS):
            step = 0
            if column == columns[seat]:
                step = 1
            elif column == columns[1 - seat]:
                step = 2
            steps[step] += [(side_place(seat, row, column), side(seat, row, column)) for row in range(ROWS)]
        steps[3].append((final_place(seat), FINALS + seat))
    return steps


def running_counts(view: Any) -> list[tuple[Count, Count]]:
    """Both counts before the Grand Reveal's first step and after each: what is face down still counts for nothing."""
    steps = _turned(view)
    found = []
    for shown in range(len(steps) + 1):
        then = copy(view)
        for step in steps[shown:]:
            for _, slot in step:
                then.card[slot] = UNKNOWN
        found.append((count_seat(then, 0), count_seat(then, 1)))
    return found


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


GRAND_STEPS = (
    "The columns nobody chose",
    "Each side of its own column",
    "Each side of the other’s column",
    "The Final Cards",
)
