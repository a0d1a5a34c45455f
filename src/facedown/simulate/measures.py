"""What is measured of each deal: a row of numbers, whose sums (`moments`) give the figures and the shares of luck."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import zip_longest

import numpy as np
from numpy.typing import NDArray

from facedown.core.state import ABANDONED
from facedown.simulate.chunks import Columns, columns_of
from facedown.simulate.moments import Moments, moments_of
from facedown.simulate.setup import Setup

Rows = NDArray[np.float64]
#: The lengths whose distribution is kept.
LENGTHS = ("decisions", "rounds")


@dataclass(frozen=True)
class Sums:
    """All that is kept of some deals: it adds up, part by part in their order."""

    moments: Moments
    """Of A's numbers, followed by those of B."""
    lengths: tuple[NDArray[np.int64], ...]
    """By rule set, and by `LENGTHS`: how often each number came up."""
    abandoned: tuple[int, ...]
    """By rule set: how many matches the guard ended."""

    def __add__(self, other: Sums) -> Sums:
        """The sums of both."""
        return Sums(
            self.moments + other.moments,
            tuple(
                np.array([x + y for x, y in zip_longest(a, b, fillvalue=0)], np.int64)
                for a, b in zip(self.lengths, other.lengths, strict=True)
            ),
            tuple(a + b for a, b in zip(self.abandoned, other.abandoned, strict=True)),
        )


def places_of(setup: Setup) -> dict[str, int]:
    """The numbers that are measured of a deal under one rule set: the place of each in a row, by name."""
    blank = {name: np.zeros(setup.games, kind) for name, kind in columns_of(setup).items()}
    return {name: place for place, name in enumerate(_measured(setup, blank))}


def sums_of(setup: Setup, columns: Columns) -> Sums:
    """The sums over the deals of a chunk, from its rows."""
    rows, lengths, abandoned = [], [], []
    for side in range(len(setup.rule_sets)):
        mine = {name: column[columns["side"] == side] for name, column in columns.items()}
        rows.append(np.stack(list(_measured(setup, mine).values()), axis=1))
        lengths += [np.bincount(mine[name].astype(np.int64)) for name in LENGTHS]
        abandoned.append(int(np.count_nonzero(mine["over"] == ABANDONED)))
    return Sums(moments_of(np.concatenate(rows, axis=1)), tuple(lengths), tuple(abandoned))


def _measured(setup: Setup, columns: Mapping[str, NDArray[np.generic]]) -> dict[str, Rows]:
    """The numbers of each deal under one rule set, by name: means over the matches of the deal."""
    games = setup.games

    def by_deal(name: str) -> Rows:
        return columns[name].astype(np.float64).reshape(-1, games)

    deals = len(columns["deal"]) // games
    found = {name: by_deal(name).mean(axis=1) for name in LENGTHS}
    for counter in setup.module.counts.counters:
        found[f"rule.{counter.key}"] = by_deal(f"rule_{counter.key}").mean(axis=1)
    # Of each deal: match by match, seat by seat.
    scores = np.stack([by_deal(f"score_{seat}") for seat in range(setup.places)], axis=2)
    bots = np.array([setup.seatings[game % len(setup.seatings)] for game in range(games)])
    if setup.repeats > 1:
        # By deal, repeat, seating and seat: is every repeat as the first one?
        repeats = scores.reshape(deals, setup.repeats, len(setup.seatings), setup.places)
        found["alike"] = (repeats == repeats[:, :1]).all(axis=(1, 2, 3)).astype(np.float64)
    if setup.info.together:
        _together(setup, found, scores[:, :, 0], bots[:, 0])
    else:
        first = np.maximum(by_deal("first"), 0).astype(np.int64)
        _apart(setup, found, scores, bots, first)
    return found


def _together(setup: Setup, found: dict[str, Rows], scores: Rows, teams: NDArray[np.int64]) -> None:
    """Measure a game that is won or lost together: `scores` are by deal and match, `teams` by match."""
    lost = setup.module.rules.lost
    won = np.ones_like(scores) if lost is None else (scores > lost).astype(np.float64)
    for team in range(len(setup.entrants)):
        mine = teams == team
        found[f"won.{team}"] = won[:, mine].mean(axis=1)
        found[f"perfect.{team}"] = (won * (scores == 0.0))[:, mine].mean(axis=1)
        found[f"score.{team}"] = (won * scores)[:, mine].mean(axis=1)
    if setup.games > 1:
        _spread(found, scores[:, :, None], teams[:, None], len(setup.entrants))


def _apart(
    setup: Setup, found: dict[str, Rows], scores: Rows, bots: NDArray[np.int64], first: NDArray[np.int64]
) -> None:
    """Measure a game of each against all: `scores` are by deal, match and seat, `bots` by match and seat.

    `first` is the seat that began, by deal and match; a seat's place is counted from there.
    """
    n = setup.places
    best = scores.max(axis=2, keepdims=True)
    at_best = scores == best
    winners = at_best.sum(axis=2, keepdims=True)
    firsts = at_best / winners
    leads = scores - scores.mean(axis=2, keepdims=True)
    found["shared"] = (winners[:, :, 0] > 1).mean(axis=1)
    for place in range(n):
        there = ((first + place) % n)[:, :, None]
        found[f"place.{place}"] = np.take_along_axis(scores, there, 2)[:, :, 0].mean(axis=1)
        found[f"place_first.{place}"] = np.take_along_axis(firsts, there, 2)[:, :, 0].mean(axis=1)
        if setup.games > 1:
            found[f"place_lead.{place}"] = np.take_along_axis(leads, there, 2)[:, :, 0].mean(axis=1)
    for bot in range(len(setup.entrants)):
        mine = bots == bot
        found[f"bot.{bot}"] = scores[:, mine].mean(axis=1)
        found[f"bot_first.{bot}"] = firsts[:, mine].mean(axis=1)
    if setup.games > 1:
        _spread(found, leads, bots, len(setup.entrants))


def _spread(found: dict[str, Rows], results: Rows, bots: NDArray[np.int64], entrants: int) -> None:
    """What the shares of luck are worked out from: `results` are by deal, match and seat, `bots` by match and seat."""
    found["mean"] = results.mean(axis=(1, 2))
    found["squares"] = (results**2).mean(axis=(1, 2))
    found["cells"] = (results.mean(axis=1) ** 2).mean(axis=1)
    for bot in range(entrants):
        found[f"lead.{bot}"] = results[:, bots == bot].mean(axis=1)


# --- luck -------------------------------------------------------------------------------------------------------------
# The variance of a result, taken apart. The result of a seat is its points above the mean of the table (its lead); if
# all win or lose together, the score. It was measured several times for every seat of every deal: with each bot there,
# and with other choices of the same bots. A two-way analysis of variance takes it apart (deals are drawn at random;
# places and bots are fixed). The shares are estimated without bias up to terms that vanish with the number of deals.
# Their intervals have the deal as the unit, as all others do.

#: What the cards that are dealt, and the order of those to come, do for a seat.
DEAL = "deal"
#: What the place in the order of play does, on average over all deals.
SEAT = "seat"
#: What it does who plays, on average over all deals.
BOTS = "bots"
#: What is left when deal, seat and bot are the same: other choices, and what suits one bot and not another.
REST = "rest"
#: A variance below this is none: all results are the same.
NO_VARIANCE = 1e-12


def parts_of(setup: Setup) -> tuple[str, ...]:
    """The parts that an experiment can tell apart; none where every deal was played only once."""
    if setup.games < 2:
        return ()
    seat = () if setup.info.together else (SEAT,)
    bots = (BOTS,) if len(setup.entrants) > 1 else ()
    return (DEAL, *seat, *bots, REST)


def shares(setup: Setup, at: Mapping[str, int], means: NDArray[np.float64]) -> dict[str, float]:
    """The share of each part, from the means of a deal's numbers, `at` their places; not a number without variance."""
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
