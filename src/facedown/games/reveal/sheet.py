"""The score sheet of a hand of Reveal with real cards."""

from __future__ import annotations

from collections.abc import Mapping

from facedown.core.sheet import Field, Group, Sheet, names_from, players
from facedown.core.voice import capital
from facedown.games.reveal.cards import NAMES
from facedown.games.reveal.rules import ROWS
from facedown.games.reveal.view import COLUMN_LETTERS, COLUMN_NAMES

_FACES = tuple((name, name, name) for name in NAMES)
_LETTERS = tuple((letter, capital(name), letter) for letter, name in zip(COLUMN_LETTERS, COLUMN_NAMES, strict=True))


def sheet(seats: int, parts: int, answers: Mapping[str, str]) -> Sheet:
    """The questions for a hand."""
    names = names_from(answers, seats)
    totals = (Field(("totals", s), name, default="0", keep="total") for s, name in enumerate(names))
    hand = Field(("hand",), "Number of the hand", default="1", low=1, high=1000, keep="next")
    choices = (Field(("choices", s), name, "choice", choices=_LETTERS) for s, name in enumerate(names))
    finals = (Field(("finals", s), f"{name}’s Final Card", "faces", choices=_FACES) for s, name in enumerate(names))
    return Sheet(
        (
            players([""] * seats),
            Group("Before this hand", (*totals, hand), columns=3, note="The totals so far."),
            Group("Which column did each choose?", tuple(choices), columns=2),
            Group("Final Cards", tuple(finals)),
            *(_column(column, names) for column in range(len(COLUMN_LETTERS))),
        ),
        options=("deck", "final_unlocks", "end", "tie"),
        again="The next hand",
    )


def _column(column: int, names: list[str]) -> Group:
    letter = COLUMN_LETTERS[column]
    sides = ((("sides", seat), f"{name}’s side") for seat, name in enumerate(names))
    fields = (
        Field(("columns", letter, *path, row), f"{label}, card {row + 1}", "faces", choices=_FACES)
        for path, label in ((("base",), "Base"), *sides)
        for row in range(ROWS)
    )
    note = "Only if somebody chose it. The order of the three rows does not matter for the points."
    return Group(f"{capital(COLUMN_NAMES[column])} column", tuple(fields), optional=True, note=note)
