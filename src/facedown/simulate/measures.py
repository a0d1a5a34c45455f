"""What is measured of each deal: the figures of the table, and the numbers that the shares of luck follow from.

Every figure is a ratio of two means over deals. Both are numbers of a row that each deal has under each rule set; the
sums of these rows (`moments`) give the figures and their intervals.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import zip_longest

import numpy as np
from numpy.typing import NDArray

from facedown.core.counters import PER_MATCH, PER_ROUND, Counter, seat_zero_first
from facedown.core.game_registry import package_of
from facedown.core.language import Texts, decimal
from facedown.core.state import ABANDONED
from facedown.simulate.experiment_chunks import Columns, columns_of
from facedown.simulate.experiment_setup import Setup
from facedown.simulate.findings import ANSWERS, COUNT, LENGTHS, POINTS, RULES, SCORES, SEATS, SHARE
from facedown.simulate.i18n import N_, _
from facedown.simulate.moments import Moments, moments_of

Rows = NDArray[np.float64]
#: The lengths whose distribution is kept, and their labels.
_LENGTHS = {"decisions": N_("Decisions"), "rounds": N_("Rounds")}
_ORDER = (
    N_("First to play"),
    N_("Second to play"),
    N_("Third to play"),
    N_("Fourth to play"),
    N_("Fifth to play"),
    N_("Sixth to play"),
    N_("Seventh to play"),
    N_("Eighth to play"),
)


@dataclass(frozen=True)
class Sums:
    """All that is kept of some deals: it adds up, part by part in their order."""

    moments: Moments
    """Of A's numbers, followed by those of B: two for each figure (`Ratio`), then those of luck."""
    lengths: tuple[NDArray[np.int64], ...]
    """By rule set, and by length (decisions, rounds): how often each number came up."""
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


def sums_of(setup: Setup, columns: Columns) -> Sums:
    """The sums over the deals of a chunk, from its rows."""
    rows, lengths, abandoned = [], [], []
    for side in range(len(setup.rule_sets)):
        mine = {name: column[columns["side"] == side] for name, column in columns.items()}
        figures, luck = measure_deals(setup, mine)
        rows += [row for figure in figures for row in (figure.numerator, figure.denominator)] + luck
        lengths += [np.bincount(mine[name].astype(np.int64)) for name in _LENGTHS]
        abandoned.append(int(np.count_nonzero(mine["over"] == ABANDONED)))
    return Sums(moments_of(np.stack(rows, axis=1)), tuple(lengths), tuple(abandoned))


def ratios_of(setup: Setup) -> list[Ratio]:
    """The figures of an experiment, in the order of the table, with no deals measured."""
    blank = {name: np.zeros(setup.games_per_deal, kind) for name, kind in columns_of(setup).items()}
    return measure_deals(setup, blank)[0]


def measured_lengths(setup: Setup) -> tuple[str, ...]:
    """The lengths that say something: of single rounds there is always one, and of games without any."""
    names = tuple(_LENGTHS)
    return names if setup.rounds != 1 and setup.module.rules.pause >= 0 else names[:1]


# --- the figures ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Ratio:
    """Figure under one rule set: the mean of `numerator` over the mean of `denominator`, both by deal."""

    key: str
    group: str
    label: str
    note: str
    unit: str
    numerator: Rows
    denominator: Rows
    even: float | None = None


def measure_deals(setup: Setup, columns: Mapping[str, NDArray[np.generic]]) -> tuple[list[Ratio], list[Rows]]:
    """The figures under one rule set in the order of the table, and the numbers that the shares of luck follow from.

    `columns` are the rows of a chunk under that rule set (`chunks.columns_of`), deal by deal. Each number of a deal is
    a mean over the matches of the deal.
    """

    def by_deal(name: str) -> Rows:
        return columns[name].astype(np.float64).reshape(-1, setup.games_per_deal)

    # By deal, match and seat.
    scores = np.stack([by_deal(f"score_{seat}") for seat in range(setup.places)], axis=2)
    bots = np.array([setup.seatings[game % len(setup.seatings)] for game in range(setup.games_per_deal)])
    one, rounds = np.ones(len(scores)), by_deal("rounds").mean(axis=1)
    counts = {each.key: by_deal(f"rule_{each.key}").mean(axis=1) for each in setup.module.counts.counters}
    found = [
        Ratio(f"length.{name}", LENGTHS, _(_LENGTHS[name]), "", COUNT, by_deal(name).mean(axis=1), one)
        for name in measured_lengths(setup)
    ]
    if setup.info.together:
        rest, luck = _measure_cooperative(setup, scores[:, :, 0], bots[:, 0])
    else:
        rest, luck = _measure_competitive(setup, scores, bots, np.maximum(by_deal("first"), 0).astype(np.int64))
    counted = [
        _counter_ratio(setup, each, counts[each.key], {**counts, PER_MATCH: one, PER_ROUND: rounds}[each.per])
        for each in setup.module.counts.counters
        if not each.recorded
    ]
    # The rules of the game come first, then its own answers beside the figures of seats and bots.
    return [*found, *sorted([*counted, *rest], key=lambda each: each.group != RULES)], luck


def _counter_ratio(setup: Setup, counter: Counter, above: Rows, below: Rows) -> Ratio:
    """The figure of one of the game's own counters, in the game's own words."""
    said = Texts(package_of(setup.game))
    key, group = (f"answer.{counter.key}", ANSWERS) if counter.answer else (f"rule.{counter.key}", RULES)
    note = said(counter.note) if counter.note else ""
    return Ratio(key, group, said(counter.label), note, counter.unit, above, below)


def _measure_cooperative(setup: Setup, scores: Rows, teams: NDArray[np.int64]) -> tuple[list[Ratio], list[Rows]]:
    """Measure a game that is won or lost together: `scores` are by deal and match, `teams` by match."""
    lost, one = setup.module.rules.loss_return, np.ones(len(scores))
    won = np.ones_like(scores) if lost is None else (scores > lost).astype(np.float64)
    perfect, of_games = (won * (scores == 0.0)).mean(axis=1), _("of the games")
    found = [Ratio("rule.perfect", RULES, _("Won without a swap too many"), of_games, SHARE, perfect, one)]
    for team, who in enumerate(setup.entrants):
        wins, points = (rows[:, teams == team].mean(axis=1) for rows in (won, won * scores))
        label, key = _("{who}: score of games won", who=who), f"bot.{team}"
        found.append(Ratio(f"{key}.score", SCORES, label, _("on average"), POINTS, points, wins))
        found.append(Ratio(f"{key}.first", SCORES, _("{who}: games won", who=who), of_games, SHARE, wins, one))
    return found, _luck_numbers(setup, scores[:, :, None], scores[:, :, None], teams[:, None], [])


def _measure_competitive(
    setup: Setup, scores: Rows, bots: NDArray[np.int64], first: NDArray[np.int64]
) -> tuple[list[Ratio], list[Rows]]:
    """Measure a game of each against all: `scores` are by deal, match and seat, `bots` by match and seat.

    `first` is the seat that began, by deal and match; a seat's place is counted from there.
    """
    n, one = setup.places, np.ones(len(scores))
    best = scores == scores.max(axis=2, keepdims=True)
    firsts = best / best.sum(axis=2, keepdims=True)
    leads = scores - scores.mean(axis=2, keepdims=True)
    even = _("{share} % is even", share=decimal(round(100 / n, 1)))
    shared = (best.sum(axis=2) > 1).mean(axis=1)
    found, by_place = [Ratio("shared", SEATS, _("First place shared"), _("of all results"), SHARE, shared, one)], []
    for place in range(n):
        who, key, there = seat_name(setup, place), f"seat.{place}", ((first + place) % n)[:, :, None]
        points, lead, wins = (
            np.take_along_axis(rows, there, 2)[:, :, 0].mean(axis=1) for rows in (scores, leads, firsts)
        )
        by_place.append(lead)
        label, note = _("{who}: advantage", who=who), _("points above the mean of the table")
        found += [
            Ratio(f"{key}.score", SCORES, _("{who}: points", who=who), _("on average"), POINTS, points, one),
            Ratio(f"{key}.advantage", SEATS, label, note, POINTS, lead, one, even=0.0),
            Ratio(f"{key}.first", SEATS, _("{who}: first places", who=who), even, SHARE, wins, one, even=1.0 / n),
        ]
    for i, who in enumerate(setup.entrants):
        key, (points, wins) = f"bot.{i}", (rows[:, bots == i].mean(axis=1) for rows in (scores, firsts))
        found.append(Ratio(f"{key}.score", SCORES, _("{who}: points", who=who), _("on average"), POINTS, points, one))
        # Where all seats are one bot's, its share of first places is no figure.
        if len(setup.entrants) > 1:
            label = _("{who}: first places", who=who)
            found.append(Ratio(f"{key}.first", SCORES, label, even, SHARE, wins, one, even=1.0 / n))
    return found, _luck_numbers(setup, scores, leads, bots, by_place)


def seat_name(setup: Setup, place: int) -> str:
    """What a seat is called: by its place in the order of play, or in a game without one by its number."""
    if setup.module.counts.first is seat_zero_first or place >= len(_ORDER):
        return _("Seat {number}", number=place + 1)
    return _(_ORDER[place])


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


def variance_parts(setup: Setup) -> tuple[str, ...]:
    """The parts that an experiment can tell apart; none where every deal was played only once."""
    if setup.games_per_deal < 2:
        return ()
    seat = () if setup.info.together else (SEAT,)
    bots = (BOTS,) if len(setup.entrants) > 1 else ()
    return (DEAL, *seat, *bots, REST)


def _luck_numbers(
    setup: Setup, scores: Rows, results: Rows, bots: NDArray[np.int64], by_place: list[Rows]
) -> list[Rows]:
    """Numbers of each deal from which `variance_shares` computes the shares of luck; empty if deals are played once.

    `scores` and `results` are by deal, match and seat, `bots` by match and seat, `by_place` are the mean leads.
    """
    if setup.games_per_deal < 2:
        return []
    # By deal, repeat, seating and seat: is every repeat as the first one?
    repeats = scores.reshape(len(scores), setup.repeats, len(setup.seatings), -1)
    alike = (repeats == repeats[:, :1]).all(axis=(1, 2, 3)).astype(np.float64)
    cells = (results.mean(axis=1) ** 2).mean(axis=1)
    by_bot = [results[:, bots == bot].mean(axis=1) for bot in range(len(setup.entrants))]
    return [alike, results.mean(axis=(1, 2)), (results**2).mean(axis=(1, 2)), cells, *by_bot, *by_place]


def variance_shares(setup: Setup, luck: NDArray[np.float64]) -> dict[str, float]:
    """The share of each part, from the means of a deal's numbers of luck; not a number without variance."""
    games, entrants = setup.games_per_deal, len(setup.entrants)
    _alike, grand, squares, cells_mean, *leads = luck
    seats = np.array(setup.seatings)
    weight = [float((seats == bot).mean()) for bot in range(entrants)]
    bots = sum(w * (lead - grand) ** 2 for w, lead in zip(weight, leads, strict=False))
    by_place = leads[entrants:]
    seat = sum((lead - grand) ** 2 for lead in by_place) / max(1, len(by_place))
    # Within a seat of a deal, less what the bots explain there: of so many matches one mean was taken.
    rest = max(0.0, squares - cells_mean - bots) * games / (games - 1)
    # The means of the matches differ by chance, too.
    cells = max(0.0, cells_mean - grand**2 - rest / games)
    deal = max(0.0, cells - seat)
    total = deal + seat + bots + rest
    found = {DEAL: deal, SEAT: seat, BOTS: bots, REST: rest}
    return {part: found[part] / total if total > NO_VARIANCE else np.nan for part in variance_parts(setup)}
