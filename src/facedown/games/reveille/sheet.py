"""The score sheet of a match of Reveille with real bones, hand by hand."""

from __future__ import annotations

import re
from collections.abc import Mapping

from facedown.core.sheet import Field, Group, Sheet, names_from, players
from facedown.games.reveille.cards import NUMBERS, POINTS
from facedown.games.reveille.rules import HIGHEST_BID, LOWEST_BID, TRICKS
from facedown.games.reveille.words import MANY

_CONTRACTS = (*((str(n), MANY[n], str(n)) for n in range(NUMBERS)), ("nello", "nello", "nello"))
#: What both won: (entry, what is counted, when it is asked for, the most).
_COUNTS = (("points", "Points", "", POINTS), ("tricks_won", "Tricks", " (nello only)", TRICKS))
_BONE = re.compile(r"\d\s*[·.:|/-]?\s*\d")


def sheet(seats: int, parts: int, answers: Mapping[str, str]) -> Sheet:
    """The questions for so many hands."""
    names = names_from(answers, seats)
    groups = (players([""] * seats), *(_hand(number, names) for number in range(parts)))
    return Sheet(groups, options=("bid42", "must_ruff"), parts=parts, more="Another hand")


def _hand(number: int, names: list[str]) -> Group:
    at = ("hands", number)
    bidders = tuple((str(seat), name, seat) for seat, name in enumerate(names))
    all_tricks = "Or all tricks, each the lead and the reply"
    fields = (
        Field((*at, "declarer"), "Who bid highest?", "choice", choices=bidders, optional=True),
        Field((*at, "bid"), "The bid", low=LOWEST_BID, high=HIGHEST_BID, optional=True),
        Field((*at, "contract"), "Trumps", "choice", choices=_CONTRACTS, optional=True),
        *(
            Field((*at, entry, seat), f"{what} {name} won{when}", high=most, optional=True)
            for entry, what, when, most in _COUNTS
            for seat, name in enumerate(names)
        ),
        Field((*at, "tricks"), all_tricks, "text", read=tricks, hint="66 62, 64 22, 55 51 …", optional=True),
        Field((*at, "claim"), "The bidder claimed", "switch"),
        Field((*at, "thrown_in"), "Both passed: thrown in", "switch"),
    )
    note = "Give the points that both won in stage two, or its tricks."
    return Group(f"Hand {number + 1}", fields, columns=2, note=note)


def tricks(text: str) -> list[list[str]]:
    """Tricks from their bones, in order; each bone is two digits.

    >>> tricks("66 62, 6·4 2-2")
    [['66', '62'], ['64', '22']]
    """
    bones = _BONE.findall(text)
    if _BONE.sub("", text).strip(" ,;\n\r\t") or len(bones) % 2:
        raise ValueError(f"bones are expected two by two, such as 66 62, 64 22; not {text}")
    plain = [re.sub(r"\D", "", bone) for bone in bones]
    return [plain[i : i + 2] for i in range(0, len(plain), 2)]
