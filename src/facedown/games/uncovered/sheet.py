"""The score sheet of a game of Uncovered! with real cards: the hands as dealt, and the last turn number said."""

from __future__ import annotations

from collections.abc import Mapping

from facedown.core.sheet import Field, Group, Sheet, names_from, players
from facedown.core.table import possessive
from facedown.games.uncovered.cards import NUMBERS, PLACES
from facedown.games.uncovered.texts import _


def sheet(seats: int, parts: int, answers: Mapping[str, str]) -> Sheet:
    """The questions for a game of so many players."""
    names = names_from(answers, seats)
    people = tuple((str(seat), name, seat) for seat, name in enumerate(names))
    ends = (("yes", _("Yes, won"), True), ("no", _("No, lost"), False))
    game = (
        Field(("turns",), _("The last turn number said")),
        Field(("won",), _("Were all hands alike?"), "choice", choices=ends),
        Field(("first",), _("Who had turn 0?"), "choice", default="0", choices=people),
    )
    hands = (_hand(seat, name) for seat, name in enumerate(names))
    groups = (players(seats), *hands, Group(_("The game"), game))
    return Sheet(groups, options=("score", "single_colour_win"))


def _hand(seat: int, name: str) -> Group:
    cards = tuple((str(number), str(number), number) for number in range(1, NUMBERS + 1))
    places = (
        Field(("hands", seat, place), _("place {number}", number=place + 1), "faces", choices=cards)
        for place in range(PLACES)
    )
    note = "" if seat else _("The players in turn order, and each hand from place 1 on.")
    return Group(_("{whose} hand as it was dealt", whose=possessive(name)), tuple(places), columns=PLACES, note=note)
