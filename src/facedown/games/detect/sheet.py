"""The score sheet of a round of Detect with real cards."""

from __future__ import annotations

from collections.abc import Mapping

from facedown.core.sheet import Field, Group, Sheet, names_from, players
from facedown.core.voice import digits, possessive
from facedown.games.detect.cards import STANDARD
from facedown.games.detect.rules import COLUMNS, ROWS
from facedown.games.detect.texts import _
from facedown.games.detect.view import where


def sheet(seats: int, parts: int, answers: Mapping[str, str]) -> Sheet:
    """The questions for a round of so many players."""
    names = names_from(answers, seats)
    enders = (*((str(seat), name, seat) for seat, name in enumerate(names)), ("nobody", _("Nobody"), None))
    totals = (Field(("totals", s), name, default="0", low=-9999, keep="total") for s, name in enumerate(names))
    return Sheet(
        (
            players(seats),
            Group(_("Totals before this round"), tuple(totals), columns=2),
            Group(_("The round"), (Field(("ender",), _("Who ended the round?"), "choice", choices=enders),)),
            *(_grid(seat, name) for seat, name in enumerate(names)),
        ),
        options=("set_on_final_reveal", "ender_tie", "double_scope", "tie"),
        again=_("The next round"),
    )


def _grid(seat: int, name: str) -> Group:
    # The printed deck's numbers; other decks are scored by the JSON interface.
    cards = (*((str(number), digits(number), number) for number in STANDARD), ("gone", _("gone"), None))
    cells = (
        Field(("grids", seat, row, column), where(ROWS * column + row), "faces", choices=cards)
        for row in range(ROWS)
        for column in range(COLUMNS)
    )
    note = _("All cards face up, row by row; “gone” where a column was removed.")
    return Group(_("{owner} cards", owner=possessive(name)), tuple(cells), columns=COLUMNS, note=note)
