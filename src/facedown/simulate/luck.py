"""How much of a result is luck: the variance of it, taken apart.

The result of a seat is its points above the mean of the table (its lead); where all win or lose together, the score. It
was measured several times for every seat of every deal: with each bot there, and with other choices of the same bots.
A two-way analysis of variance takes it apart (deals are drawn at random; places and bots are what they are):

* ``deal``: what the cards that are dealt, and the order of those to come, do for a seat,
* ``seat``: what the place in the order of play does, on average over all deals,
* ``bots``: what it does who plays, on average over all deals,
* ``rest``: what is left when deal, seat and bot are the same: other choices, and what suits one bot and not another.

The shares are estimated without bias up to terms that vanish with the number of deals. Their intervals have the deal as
the unit, as all others do.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from facedown.simulate.measures import Names
from facedown.simulate.setup import Setup

#: The parts, in the order in which they are told.
DEAL, SEAT, BOTS, REST = "deal", "seat", "bots", "rest"
#: A variance below this is none: all results are the same.
NO_VARIANCE = 1e-12


def parts_of(setup: Setup) -> tuple[str, ...]:
    """The parts that an experiment can tell apart; none where every deal was played only once."""
    if setup.games < 2:
        return ()
    seat = () if setup.info.together else (SEAT,)
    bots = (BOTS,) if len(setup.entrants) > 1 else ()
    return (DEAL, *seat, *bots, REST)


def shares(setup: Setup, means: NDArray[np.float64], offset: int = 0) -> dict[str, float]:
    """The share of each part, from the means of a deal's numbers, which begin at `offset`; not a number without any
    variance.
    """
    at = {name: offset + place for name, place in Names(setup).places.items()}
    games = setup.games
    grand = means[at["mean"]]
    seats = np.array(setup.seatings)
    weight = [float((seats == bot).mean()) for bot in range(len(setup.entrants))]
    bots = sum(w * (means[at[f"lead.{bot}"]] - grand) ** 2 for bot, w in enumerate(weight))
    seat = 0.0
    if not setup.info.together:
        seat = sum((means[at[f"place_lead.{place}"]] - grand) ** 2 for place in range(setup.places)) / setup.places
    # Within a seat of a deal, less what the bots explain there: of so many matches one mean was taken.
    rest = max(0.0, means[at["squares"]] - means[at["cells"]] - bots) * games / (games - 1)
    # The means of the matches differ by chance, too.
    cells = max(0.0, means[at["cells"]] - grand**2 - rest / games)
    deal = max(0.0, cells - seat)
    total = deal + seat + bots + rest
    found = {DEAL: deal, SEAT: seat, BOTS: bots, REST: rest}
    return {part: found[part] / total if total > NO_VARIANCE else np.nan for part in parts_of(setup)}
