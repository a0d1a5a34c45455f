"""The score sheet of a game of Uncovered! with real cards: the hands as dealt, and the last turn number said."""

from __future__ import annotations

import re
from collections.abc import Mapping

from facedown.core.sheet import Field, Group, Sheet, names_from, players
from facedown.games.uncovered.texts import _


def sheet(seats: int, parts: int, answers: Mapping[str, str]) -> Sheet:
    """The questions for a game of so many players."""
    names = names_from(answers, seats)
    people = tuple((str(seat), name, seat) for seat, name in enumerate(names))
    hands = (
        Field(("hands", seat), name, "text", read=hand, hint="1 3 2 4", numeric=True) for seat, name in enumerate(names)
    )
    note = _("In turn order, place 1 first: four numbers from 1 to 4.")
    ends = (("yes", _("Yes, won"), True), ("no", _("No, lost"), False))
    game = (
        Field(("turns",), _("The last turn number said")),
        Field(("won",), _("Were all hands alike?"), "choice", choices=ends),
        Field(("first",), _("Who had turn 0?"), "choice", default="0", choices=people),
    )
    dealt = Group(_("Hands as they were dealt"), tuple(hands), columns=2, note=note)
    return Sheet((players([""] * seats), dealt, Group(_("The game"), game)), options=("score", "single_colour_win"))


def hand(text: str) -> list[int]:
    """Four cards from digits.

    >>> hand("1 3 2 4"), hand("1324")
    ([1, 3, 2, 4], [1, 3, 2, 4])
    """
    digits = re.sub(r"[\s,.·-]", "", text)
    if not re.fullmatch(r"\d{4}", digits):
        raise ValueError(_("four numbers are expected, such as 1 3 2 4, not {text}", text=text))
    return [int(digit) for digit in digits]
