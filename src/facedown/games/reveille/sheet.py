"""The score sheet of a match of Reveille with real bones, hand by hand."""

from __future__ import annotations

import re
from collections.abc import Mapping

from facedown.core.sheet import Field, Group, Sheet, names_from, players
from facedown.games.reveille.cards import NUMBERS, POINTS
from facedown.games.reveille.state import HIGHEST_BID, LOWEST_BID, TRICKS
from facedown.games.reveille.texts import N_, _
from facedown.games.reveille.words import Suit

#: What both won: (entry, what is asked, the most).
_COUNTS = (
    ("points", N_("Points {name} won"), POINTS),
    ("tricks_won", N_("Tricks {name} won (nello only)"), TRICKS),
)
_BONE = re.compile(r"\d\s*[·.:|/-]?\s*\d")


def sheet(seats: int, parts: int, answers: Mapping[str, str]) -> Sheet:
    """The questions for so many hands."""
    names = names_from(answers, seats)
    groups = (players([""] * seats), *(_hand(number, names) for number in range(parts)))
    return Sheet(groups, options=("bid42", "must_ruff"), parts=parts, more=_("Another hand"))


def _hand(number: int, names: list[str]) -> Group:
    at = ("hands", number)
    bidders = tuple((str(seat), name, seat) for seat, name in enumerate(names))
    contracts = (*((str(n), str(Suit(n)), str(n)) for n in range(NUMBERS)), ("nello", _("nello"), "nello"))
    all_tricks = _("Or all tricks, each the lead and the reply")
    fields = (
        Field((*at, "declarer"), _("Who bid highest?"), "choice", choices=bidders, optional=True),
        Field((*at, "bid"), _("The bid"), low=LOWEST_BID, high=HIGHEST_BID, optional=True),
        Field((*at, "contract"), _("Trumps"), "choice", choices=contracts, optional=True),
        *(
            Field((*at, entry, seat), _(asked, name=name), high=most, optional=True)
            for entry, asked, most in _COUNTS
            for seat, name in enumerate(names)
        ),
        Field((*at, "tricks"), all_tricks, "text", read=tricks, hint="66 62, 64 22, 55 51 …", optional=True),
        Field((*at, "claim"), _("The bidder claimed"), "switch"),
        Field((*at, "thrown_in"), _("Both passed: thrown in"), "switch"),
    )
    note = _("Give the points that both won in stage two, or its tricks.")
    return Group(_("Hand {number}", number=number + 1), fields, columns=2, note=note)


def tricks(text: str) -> list[list[str]]:
    """Tricks from their bones, in order; each bone is two digits.

    >>> tricks("66 62, 6·4 2-2")
    [['66', '62'], ['64', '22']]
    """
    bones = _BONE.findall(text)
    if _BONE.sub("", text).strip(" ,;\n\r\t") or len(bones) % 2:
        raise ValueError(_("bones are expected two by two, such as 66 62, 64 22; not {text}", text=text))
    plain = [re.sub(r"\D", "", bone) for bone in bones]
    return [plain[i : i + 2] for i in range(0, len(plain), 2)]
