"""The score sheet of a match of Reveille with real bones, hand by hand."""

from __future__ import annotations

from collections.abc import Mapping

from facedown.core.sheet import Field, Group, Sheet, names_from, players
from facedown.games.reveille.cards import BONES, NUMBERS, POINTS, bone_name
from facedown.games.reveille.state import HIGHEST_BID, LOWEST_BID, TRICKS
from facedown.games.reveille.texts import N_, _
from facedown.games.reveille.words import Suit, dotted

#: What both won: (entry, what is asked, the most).
_COUNTS = (("points", N_("Points {name} won"), POINTS), ("tricks_won", N_("Tricks {name} won (nello only)"), TRICKS))


def sheet(seats: int, parts: int, answers: Mapping[str, str]) -> Sheet:
    """The questions for so many hands."""
    names = names_from(answers, seats)
    groups = (players(seats), *(group for number in range(parts) for group in _hand(number, names)))
    return Sheet(groups, options=("bid42", "must_ruff"), parts=parts, more=_("Another hand"))


def _hand(number: int, names: list[str]) -> tuple[Group, Group]:
    """What was bid and won in a hand, and its tricks, which may be given in place of the points."""
    at = ("hands", number)
    bidders = tuple((str(seat), name, seat) for seat, name in enumerate(names))
    contracts = (*((str(n), str(Suit(n)), str(n)) for n in range(NUMBERS)), ("nello", _("nello"), "nello"))
    fields = (
        Field((*at, "declarer"), _("Who bid highest?"), "choice", choices=bidders, optional=True),
        Field((*at, "bid"), _("The bid"), low=LOWEST_BID, high=HIGHEST_BID, optional=True),
        Field((*at, "contract"), _("Trumps"), "faces", choices=contracts, face="half-{}", optional=True),
        *(
            Field((*at, entry, seat), _(asked, name=name), high=most, optional=True)
            for entry, asked, most in _COUNTS
            for seat, name in enumerate(names)
        ),
        Field((*at, "claim"), _("The bidder claimed"), "switch"),
        Field((*at, "thrown_in"), _("Both passed: thrown in"), "switch"),
    )
    note = _("Give the points that both won in stage two, or its tricks.")
    bones = tuple((bone_name(bone), dotted(bone), bone_name(bone)) for bone in reversed(range(BONES)))
    laid = (
        Field((*at, "tricks", trick, turn), _(asked, number=trick + 1), "faces", choices=bones, optional=True)
        for trick in range(TRICKS)
        for turn, asked in enumerate((N_("trick {number}, lead"), N_("trick {number}, reply")))
    )
    by_tricks = _("The tricks of hand {number}", number=number + 1)
    order = _("Instead of the points: each trick’s lead, then its reply.")
    return (
        Group(_("Hand {number}", number=number + 1), fields, columns=2, note=note),
        Group(by_tricks, tuple(laid), columns=4, optional=True, note=order),
    )
