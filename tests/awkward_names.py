"""Names that are hard to display: long, wide, in other scripts, and one made of four emoji.

`awkward_sitters` rotates them, so that each name comes to each seat.
"""

from __future__ import annotations

from facedown.core.table import Sitter

AWKWARD = (
    "W" * 24,
    "\u05e0\u05d5\u05e2\u05d4 7",
    "Bartholomew-James",
    "\u0645\u0631\u064a\u0645 \u0627\u0644\u0632\u0647\u0631\u0627\u0621",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466",
    "小林さくら",
    "Ann 2",
    "Maximiliane Förster-Böhm",
)
#: The names in right-to-left scripts: Hebrew with a digit, Arabic.
RIGHT_TO_LEFT = (AWKWARD[1], AWKWARD[3])


def awkward_sitters(seats: int, turn: int = 0) -> tuple[Sitter, ...]:
    """Return players with these names, one for each seat; `turn` rotates the names."""
    return tuple(Sitter(AWKWARD[(seat + turn) % len(AWKWARD)]) for seat in range(seats))
