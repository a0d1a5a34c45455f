"""The score sheet of a hand of Reveal with real cards."""

from __future__ import annotations

from collections.abc import Mapping

from facedown.core.sheet import Field, Group, Sheet, names_from, players
from facedown.core.voice import capital, possessive
from facedown.games.reveal.cards import NAMES
from facedown.games.reveal.naming import card_name, column_name, column_title
from facedown.games.reveal.rules import ROWS
from facedown.games.reveal.texts import _
from facedown.games.reveal.view import COLUMN_LETTERS


def sheet(seats: int, parts: int, answers: Mapping[str, str]) -> Sheet:
    """The questions for a hand."""
    names = names_from(answers, seats)
    faces = tuple((name, card_name(kind), name) for kind, name in enumerate(NAMES))
    totals = (Field(("totals", s), name, default="0", keep="total") for s, name in enumerate(names))
    hand = Field(("hand",), _("Number of the hand"), default="1", low=1, high=1000, keep="next")
    letters = tuple((letter, capital(column_name(at)), letter) for at, letter in enumerate(COLUMN_LETTERS))
    choices = (Field(("choices", s), name, "choice", choices=letters) for s, name in enumerate(names))
    finals = (
        Field(("finals", s), _("{owner} Final Card", owner=possessive(name)), "faces", choices=faces)
        for s, name in enumerate(names)
    )
    return Sheet(
        (
            players(seats),
            Group(_("Before this hand"), (*totals, hand), columns=3, note=_("The totals so far.")),
            Group(_("Which column did each choose?"), tuple(choices), columns=2),
            Group(_("Final Cards"), tuple(finals)),
            *(_column(column, names, faces) for column in range(len(COLUMN_LETTERS))),
        ),
        options=("deck", "final_unlocks", "end", "tie"),
        again=_("The next hand"),
    )


def _column(column: int, names: list[str], faces: tuple[tuple[str, str, str], ...]) -> Group:
    letter = COLUMN_LETTERS[column]

    def card(label: str, *where: str | int) -> Field:
        return Field(("columns", letter, *where), label, "faces", choices=faces)

    base = (card(_("Base, card {number}", number=row + 1), "base", row) for row in range(ROWS))
    sides = (
        card(_("{owner} side, card {number}", owner=possessive(name), number=row + 1), "sides", seat, row)
        for seat, name in enumerate(names)
        for row in range(ROWS)
    )
    note = _("Only if somebody chose it. The order of the three rows does not matter for the points.")
    return Group(capital(column_title(column)), (*base, *sides), optional=True, note=note)
