"""The score sheet of a round of SCOUT with real cards: piles, coins and hands."""

from __future__ import annotations

from collections.abc import Mapping

from facedown.core.sheet import Field, Group, Keep, Sheet, names_from, players
from facedown.games.scout.cards import TWO_PLAYERS
from facedown.games.scout.texts import _


def sheet(seats: int, parts: int, answers: Mapping[str, str]) -> Sheet:
    """The questions for a round of so many players."""
    names = names_from(answers, seats)

    def each(what: str, low: int = 0, default: str = "", keep: Keep = "") -> tuple[Field, ...]:
        return tuple(Field((what, seat), name, low=low, default=default, keep=keep) for seat, name in enumerate(names))

    enders = (*((str(seat), name, seat) for seat, name in enumerate(names)), ("nobody", _("Nobody’s"), None))
    this_round = (
        Field(("round",), _("Number of the round"), default="1", low=1, high=seats, keep="next"),
        Field(("ender",), _("With whose set did the round end?"), "choice", choices=enders),
    )
    coins = _("Chips left") if seats == TWO_PLAYERS else _("Coins")
    counted = {"piles": _("Cards won"), "coins": coins, "hands": _("Cards left in hand")}
    return Sheet(
        (
            players(seats),
            Group(_("Totals before this round"), each("totals", -9999, "0", "total"), columns=2),
            Group(_("The round"), this_round),
            *(Group(title, each(what), columns=2) for what, title in counted.items()),
        ),
        again=_("The next round"),
    )
