"""Measurements of each deal: the figures (numbers in the table of findings), and the numbers behind the shares of luck.

Every figure is the ratio of two means over deals. Each deal has a row of numbers under each rule set, which contains
the numerator and the denominator of every figure. The sums of these rows (`moments`) give the figures and their
intervals.
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
#: Lengths of a match whose distribution is recorded: name of the column, and label.
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
    """Sums of measurements over a range of deals. The sums of consecutive ranges can be added."""

    moments: Moments
    """Moments of the numbers measured on each deal: first those under rule set A, then those under B. For each rule set
    these are two numbers per figure (`Ratio`), followed by the numbers from which the shares of luck are computed."""
    lengths: tuple[NDArray[np.int64], ...]
    """Frequency of each number, one array per rule set and length (A decisions, A rounds, B decisions, B rounds)."""
    abandoned: tuple[int, ...]
    """Number of matches that the engine's limit against endless play ended, by rule set."""

    def __add__(self, other: Sums) -> Sums:
        """Return the sums over the deals of both operands."""
        return Sums(
            self.moments + other.moments,
            tuple(
                np.array([x + y for x, y in zip_longest(a, b, fillvalue=0)], np.int64)
                for a, b in zip(self.lengths, other.lengths, strict=True)
            ),
            tuple(a + b for a, b in zip(self.abandoned, other.abandoned, strict=True)),
        )


def sums_of(setup: Setup, columns: Columns) -> Sums:
    """Return the sums over the deals of a chunk, given its rows."""
    rows, lengths, abandoned = [], [], []
    for side in range(len(setup.rule_sets)):
        mine = {name: column[columns["side"] == side] for name, column in columns.items()}
        figures, luck = measure_deals(setup, mine)
        rows += [row for figure in figures for row in (figure.numerator, figure.denominator)] + luck
        lengths += [np.bincount(mine[name].astype(np.int64)) for name in _LENGTHS]
        abandoned.append(int(np.count_nonzero(mine["over"] == ABANDONED)))
    return Sums(moments_of(np.stack(rows, axis=1)), tuple(lengths), tuple(abandoned))


def ratios_of(setup: Setup) -> list[Ratio]:
    """Return the figures of an experiment in the order of the table, with zeros instead of measurements, for their
    labels.
    """
    blank = {name: np.zeros(setup.games_per_deal, kind) for name, kind in columns_of(setup).items()}
    return measure_deals(setup, blank)[0]


def measured_lengths(setup: Setup) -> tuple[str, ...]:
    """Return the lengths to measure. "rounds" is left out if a single round is played or the game has no rounds."""
    names = tuple(_LENGTHS)
    return names if setup.rounds != 1 and setup.module.rules.pause >= 0 else names[:1]


# --- the figures ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Ratio:
    """A figure under one rule set: the mean of `numerator` divided by the mean of `denominator`. Both are arrays with
    one number per deal.
    """

    key: str
    group: str
    label: str
    note: str
    unit: str
    numerator: Rows
    denominator: Rows
    even: float | None = None


def measure_deals(setup: Setup, columns: Mapping[str, NDArray[np.generic]]) -> tuple[list[Ratio], list[Rows]]:
    """Return the figures under one rule set, and the numbers of each deal from which the shares of luck are computed.

    The figures are in the order of the table. `columns` are the columns of a chunk's rows under that rule set
    (`experiment_chunks.columns_of`), ordered by deal. Each number of a deal is a mean over the matches on that deal.
    """

    def by_deal(name: str) -> Rows:
        return columns[name].astype(np.float64).reshape(-1, setup.games_per_deal)

    # Axes: deal, match, seat.
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
    # After the lengths, figures of the group `RULES` come first. The sort is stable, so all others keep their order.
    return [*found, *sorted([*counted, *rest], key=lambda each: each.group != RULES)], luck


def _counter_ratio(setup: Setup, counter: Counter, above: Rows, below: Rows) -> Ratio:
    """Return the figure of one of the game's own counters: `above` divided by `below`, with label and note."""
    said = Texts(package_of(setup.game))
    key, group = (f"answer.{counter.key}", ANSWERS) if counter.answer else (f"rule.{counter.key}", RULES)
    note = said(counter.note) if counter.note else ""
    return Ratio(key, group, said(counter.label), note, counter.unit, above, below)


def _measure_cooperative(setup: Setup, scores: Rows, teams: NDArray[np.int64]) -> tuple[list[Ratio], list[Rows]]:
    """Return what `measure_deals` returns, for a cooperative game. `scores` has the axes deal and match; `teams` has
    the index of the team in each match.
    """
    lost, one = setup.module.rules.loss_return, np.ones(len(scores))
    won = np.ones_like(scores) if lost is None else (scores > lost).astype(np.float64)
    perfect, of_games = (won * (scores == 0.0)).mean(axis=1), _("of the games")
    found = [Ratio("rule.perfect", RULES, _("Won without a wasted swap"), of_games, SHARE, perfect, one)]
    for team, who in enumerate(setup.entrants):
        wins, points = (rows[:, teams == team].mean(axis=1) for rows in (won, won * scores))
        label, key = _("{who}: score in games won", who=who), f"bot.{team}"
        found.append(Ratio(f"{key}.score", SCORES, label, _("on average"), POINTS, points, wins))
        found.append(Ratio(f"{key}.first", SCORES, _("{who}: games won", who=who), of_games, SHARE, wins, one))
    return found, _luck_numbers(setup, scores[:, :, None], scores[:, :, None], teams[:, None], [])


def _measure_competitive(
    setup: Setup, scores: Rows, bots: NDArray[np.int64], first: NDArray[np.int64]
) -> tuple[list[Ratio], list[Rows]]:
    """Return what `measure_deals` returns, for a competitive game.

    `scores` has the axes deal, match and seat. `bots` is the index of the bot, with the axes match and seat. `first` is
    the starting seat, with the axes deal and match; a seat's place in the order of play is counted from it.
    """
    n, one = setup.places, np.ones(len(scores))
    best = scores == scores.max(axis=2, keepdims=True)
    firsts = best / best.sum(axis=2, keepdims=True)
    leads = scores - scores.mean(axis=2, keepdims=True)
    even = _("an even share is {share} %", share=decimal(round(100 / n, 1)))
    shared = (best.sum(axis=2) > 1).mean(axis=1)
    found, by_place = [Ratio("shared", SEATS, _("First place shared"), _("of all results"), SHARE, shared, one)], []
    for place in range(n):
        who, key, there = seat_name(setup, place), f"seat.{place}", ((first + place) % n)[:, :, None]
        points, lead, wins = (
            np.take_along_axis(rows, there, 2)[:, :, 0].mean(axis=1) for rows in (scores, leads, firsts)
        )
        by_place.append(lead)
        label, note = _("{who}: advantage", who=who), _("points above the table average")
        found += [
            Ratio(f"{key}.score", SCORES, _("{who}: points", who=who), _("on average"), POINTS, points, one),
            Ratio(f"{key}.advantage", SEATS, label, note, POINTS, lead, one, even=0.0),
            Ratio(f"{key}.first", SEATS, _("{who}: first places", who=who), even, SHARE, wins, one, even=1.0 / n),
        ]
    for i, who in enumerate(setup.entrants):
        key, (points, wins) = f"bot.{i}", (rows[:, bots == i].mean(axis=1) for rows in (scores, firsts))
        found.append(Ratio(f"{key}.score", SCORES, _("{who}: points", who=who), _("on average"), POINTS, points, one))
        # If the same bot plays all seats, it always has all first places, so the share is not measured.
        if len(setup.entrants) > 1:
            label = _("{who}: first places", who=who)
            found.append(Ratio(f"{key}.first", SCORES, label, even, SHARE, wins, one, even=1.0 / n))
    return found, _luck_numbers(setup, scores, leads, bots, by_place)


def seat_name(setup: Setup, place: int) -> str:
    """Return the name of a seat: its place in the order of play, or its number in a game without an order of play."""
    if setup.module.counts.first is seat_zero_first or place >= len(_ORDER):
        return _("Seat {number}", number=place + 1)
    return _(_ORDER[place])


# --- luck -------------------------------------------------------------------------------------------------------------
# Luck is measured by an analysis of variance. The result of a seat is its points above the mean of the table (its
# lead); in a cooperative game it is the score. Every seat of every deal has several results: with each bot at the seat,
# and with different random choices of the same bots. A two-way analysis of variance separates their causes (deals are a
# random factor, places and bots are fixed factors). The estimated shares have no bias except terms that vanish as the
# number of deals grows. The sample of their intervals is the deal, as for all other figures.

#: Part of the variance due to the dealt cards and the order of the cards still to come.
DEAL = "deal"
#: Part of the variance due to the place in the order of play, on average over all deals.
SEAT = "seat"
#: Part of the variance due to the bot, on average over all deals.
BOTS = "bots"
#: Rest of the variance, with deal, seat and bot fixed: other random choices, and interactions such as bot with deal.
REST = "rest"
#: A total variance below this counts as zero: all results are equal.
NO_VARIANCE = 1e-12


def variance_parts(setup: Setup) -> tuple[str, ...]:
    """Return the parts of the variance that an experiment can tell apart; empty if each deal is played only once."""
    if setup.games_per_deal < 2:
        return ()
    seat = () if setup.info.together else (SEAT,)
    bots = (BOTS,) if len(setup.entrants) > 1 else ()
    return (DEAL, *seat, *bots, REST)


def _luck_numbers(
    setup: Setup, scores: Rows, results: Rows, bots: NDArray[np.int64], by_place: list[Rows]
) -> list[Rows]:
    """Return the numbers of each deal from which `variance_shares` computes the shares of luck; empty if deals are
    played once.

    `scores` and `results` have the axes deal, match and seat; `bots` has the axes match and seat; `by_place` lists the
    mean lead of each place, by deal.
    """
    if setup.games_per_deal < 2:
        return []
    # The axes of `repeats` are deal, repeat, seating and seat. A deal counts as alike if all its repeats have equal
    # scores.
    repeats = scores.reshape(len(scores), setup.repeats, len(setup.seatings), -1)
    alike = (repeats == repeats[:, :1]).all(axis=(1, 2, 3)).astype(np.float64)
    cells = (results.mean(axis=1) ** 2).mean(axis=1)
    by_bot = [results[:, bots == bot].mean(axis=1) for bot in range(len(setup.entrants))]
    return [alike, results.mean(axis=(1, 2)), (results**2).mean(axis=(1, 2)), cells, *by_bot, *by_place]


def variance_shares(setup: Setup, luck: NDArray[np.float64]) -> dict[str, float]:
    """Return the share of each part of the variance; NaN if the variance is zero.

    `luck` has the means, over all deals, of the numbers that `_luck_numbers` returns.
    """
    games, entrants = setup.games_per_deal, len(setup.entrants)
    _alike, grand, squares, cells_mean, *leads = luck
    seats = np.array(setup.seatings)
    weight = [float((seats == bot).mean()) for bot in range(entrants)]
    bots = sum(w * (lead - grand) ** 2 for w, lead in zip(weight, leads, strict=False))
    by_place = leads[entrants:]
    seat = sum((lead - grand) ** 2 for lead in by_place) / max(1, len(by_place))
    # The variance of the results of a seat on the same deal, minus the part that is due to the bots. The factor
    # corrects for the use of an estimated mean.
    rest = max(0.0, squares - cells_mean - bots) * games / (games - 1)
    # A cell is a seat on one deal. The means of the cells also vary by chance; that part of their variance is
    # subtracted.
    cells = max(0.0, cells_mean - grand**2 - rest / games)
    deal = max(0.0, cells - seat)
    total = deal + seat + bots + rest
    found = {DEAL: deal, SEAT: seat, BOTS: bots, REST: rest}
    return {part: found[part] / total if total > NO_VARIANCE else np.nan for part in variance_parts(setup)}
