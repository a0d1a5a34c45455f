"""What experiments count of SCOUT. Rulings: ``docs/rules/scout.md``."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from facedown.core.counting import COUNT, Counter, Counts
from facedown.core.rule import rule
from facedown.games.scout.offers import Act
from facedown.games.scout.state import MAX_SET, ScoutPosition
from facedown.games.scout.texts import N_

COUNTERS = (
    Counter("turns", N_("Turns in a round"), N_("of all players"), unit=COUNT),
    Counter("shows", N_("Shows"), N_("a round"), unit=COUNT),
    Counter("scouts", N_("Scouts"), N_("a round"), unit=COUNT),
    Counter("scout_and_shows", N_("Scout and Show used"), N_("a round"), unit=COUNT),
    Counter("cards_shown", N_("Cards in a Show"), N_("on average"), per="shows", unit=COUNT),
    Counter("flips", N_("Hands turned round"), N_("a round"), unit=COUNT),
    Counter("emptied", N_("Ended by an empty hand"), N_("of the rounds")),
    Counter("all_scouted", N_("Ended as all others scouted"), N_("of the rounds")),
    Counter("stuck", N_("Ended as a player could do nothing"), N_("of the rounds")),
    Counter("cards_left", N_("Cards left in hands"), N_("at the end of a round"), unit=COUNT),
    Counter("ender_seat", recorded=True),
)
#: The places of the counters.
TURNS, SHOWS, SCOUTS, SCOUT_AND_SHOWS, SHOWN, FLIPS, EMPTIED, ALL_SCOUTED, STUCK, LEFT, ENDER = range(len(COUNTERS))


@rule
def step(s: ScoutPosition, seat: int, action: int, out: NDArray[np.int64]) -> None:
    """Count Shows, those of a Scout and Show with them, and Scouts by their actions."""
    if action < Act.SCOUT:
        out[SHOWS] += 1
        out[SHOWN] += action % MAX_SET + 1
    elif action < Act.SCOUT_AND_SHOW:
        out[SCOUTS] += 1
    elif action < Act.KEEP:
        out[SCOUT_AND_SHOWS] += 1
    elif action == Act.FLIP:
        out[FLIPS] += 1


@rule
def round_over(s: ScoutPosition, out: NDArray[np.int64]) -> None:
    """Add how a scored round ended; the seat of the ender is that of the last round."""
    for seat in range(s.seats):
        out[LEFT] += s.hand[seat]
    out[TURNS] += s.turns
    out[ENDER] = s.ender
    if s.stuck >= 0:
        out[STUCK] += 1
    elif s.ender >= 0:
        out[EMPTIED] += s.hand[s.ender] == 0
        out[ALL_SCOUTED] += s.hand[s.ender] > 0


@rule
def first(s: ScoutPosition) -> int:
    """The start player."""
    return s.starter


COUNTS = Counts(COUNTERS, round_over, step, first)
