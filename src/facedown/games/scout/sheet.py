"""The score sheet of a round of SCOUT with real cards: piles, coins and hands."""

from __future__ import annotations

from collections.abc import Mapping

from facedown.core.sheet import Field, Group, Keep, Sheet, names_from, players
from facedown.games.scout.cards import TWO_PLAYERS


def sheet(seats: int, parts: int, answers: Mapping[str, str]) -> Sheet:
    """The questions for a round of so many players."""
    names = names_from(answers, seats)

    def each(what: str, low: int = 0, default: str = "", keep: Keep = "") -> tuple[Field, ...]:
        return tuple(Field((what, seat), name, low=low, default=default, keep=keep) for seat, name in enumerate(names))

    enders = (*((str(seat), name, seat) for seat, name in enumerate(names)), ("nobody", "Nobody’s", None))
    this_round = (
        Field(("round",), "Number of the round", default="1", low=1, high=seats, keep="next"),
        Field(("ender",), "With whose set did the round end?", "choice", choices=enders),
    )
    coins = "Chips left" if seats == TWO_PLAYERS else "Coins"
    counted = {"piles": "Cards won", "coins": coins, "hands": "Cards left in hand"}
    return Sheet(
        (
            players([""] * seats),
            Group("Totals before this round", each("totals", -9999, "0", "total"), columns=2),
            Group("The round", this_round),
            *(Group(title, each(what), columns=2) for what, title in counted.items()),
        ),
        again="The next round",
    )
