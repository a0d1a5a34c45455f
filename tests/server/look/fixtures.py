"""Tables of real matches for the tests of the look: one of each phase of a golden playthrough."""

from __future__ import annotations

import functools
import random

from tests.browser.drawn import played, sitters

from facedown.check import golden
from facedown.check.driver import SITTERS
from facedown.core.state import SPECTATOR
from facedown.core.table import Table
from facedown.games.detect import rules as detect_rules

#: Moves of each golden playthrough that are searched for phases.
PLIES = 600


@functools.cache
def gallery(game: str) -> dict[str, Table]:
    """Return a table of each phase and of the end, as an acting seat, a waiting seat and a spectator see it."""
    found: dict[str, Table] = {}
    for title, match in golden.matches(game).items():
        chance, names = random.Random(title), SITTERS[: match.seats]
        seen: set[tuple[int, str]] = set()
        while True:
            role = "over" if match.over else "acts" if 0 in match.acting else "waits"
            if (int(match.state.phase), role) not in seen:
                seen.add((int(match.state.phase), role))
                for viewer in (0, SPECTATOR):
                    table = match.table(viewer, names).with_log(match.log(viewer, names)[-12:])
                    found[f"{title}-{table.phase}-{role if viewer == 0 else f'{role}-watched'}"] = table
            if match.over or match.ply == PLIES:
                break
            seat = chance.choice(match.acting)
            match.play(seat, chance.choice(match.legal(seat)))
    return found


@functools.cache
def detect() -> Table:
    """Return a table of four seats at which seat 0 keeps or discards a drawn card."""
    match = played("detect", 4, lambda m: m.acting == [0] and int(m.state.phase) == detect_rules.Phase.DRAWN)
    return match.table(0, sitters(4)).with_log(match.log(0, sitters(4)))


@functools.cache
def scout(cards: int) -> Table:
    """Return seat 0's table of SCOUT on its turn, with a hand of this size."""

    def hand(table: Table) -> int:
        return sum(piece.kind == "face" for zone in table.zones if zone.area == "hand" for piece in zone.pieces)

    match = played("scout", 4, lambda m: m.acting == [0] and hand(m.table(0, sitters(4))) == cards)
    return match.table(0, sitters(4))
