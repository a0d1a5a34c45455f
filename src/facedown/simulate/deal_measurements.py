"""Measurements on each deal of an experiment, from which its statistics are computed.

Every statistic is the ratio of two means over deals. So these numbers are computed for each deal and each rule set:

* the numerator and the denominator of every statistic;
* the numbers from which the variance shares are computed. A variance share says how much of the variance of results
  is due to one cause: the deal, the seat, the bots, or everything else.

All statistics, variance shares and their confidence intervals are computed from the means and covariances of these
numbers over the deals (`simulate.moments`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import zip_longest

import numpy as np
from numpy.typing import NDArray

from facedown.core.counters import PER_MATCH, PER_ROUND, Counter, seat_zero_first
from facedown.core.game_registry import package_of
from facedown.core.state import ABANDONED
from facedown.core.translation import Texts, decimal
from facedown.simulate.experiment_chunks import Columns, column_types_of
from facedown.simulate.experiment_setup import Setup
from facedown.simulate.findings import ANSWERS, COUNT, LENGTHS, POINTS, RULES, SCORES, SEATS, SHARE
from facedown.simulate.i18n import N_, _
from facedown.simulate.moments import Moments, moments_of

Rows = NDArray[np.float64]
#: Units in which the length of a match is measured: name of the column with the number of such units, and label.
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
    """Sums of the measurements on a range of deals. `Sums` of consecutive ranges can be added."""

    moments: Moments
    """Moments of the row of numbers of each deal: first the numbers under rule set A, then those under B. Under each
    rule set, these are two numbers per statistic (`Ratio`), followed by the numbers that `variance_shares` needs (see
    `_variance_measurements`)."""
    lengths: tuple[NDArray[np.int64], ...]
    """Histograms of the match lengths: ``histogram[n]`` is the number of matches of length n. There is one per rule set
    and unit of length: decisions under A, rounds under A, decisions under B, rounds under B."""
    abandoned: tuple[int, ...]
    """Number of matches under each rule set that the engine ended by its limit against endless play."""

    def __add__(self, other: Sums) -> Sums:
        """Return the sums over the deals of `self` and the deals of `other` together."""
        return Sums(
            self.moments + other.moments,
            tuple(
                np.array([x + y for x, y in zip_longest(a, b, fillvalue=0)], np.int64)
                for a, b in zip(self.lengths, other.lengths, strict=True)
            ),
            tuple(a + b for a, b in zip(self.abandoned, other.abandoned, strict=True)),
        )


def sums_of(setup: Setup, columns: Columns) -> Sums:
    """Measure each deal for which `columns` has results, and return the sums of the measurements (see `Sums`).

    `columns` is a table of results as `experiment_chunks.play_chunk` returns it: name of a column → one value per
    match. It must contain all matches on each deal, under every rule set.
    """
    rows, lengths, abandoned = [], [], []
    for side in range(len(setup.rule_sets)):
        mine = {name: column[columns["side"] == side] for name, column in columns.items()}
        figures, luck = measure_deals(setup, mine)
        rows += [row for figure in figures for row in (figure.numerator, figure.denominator)] + luck
        lengths += [np.bincount(mine[name].astype(np.int64)) for name in _LENGTHS]
        abandoned.append(int(np.count_nonzero(mine["over"] == ABANDONED)))
    return Sums(moments_of(np.stack(rows, axis=1)), tuple(lengths), tuple(abandoned))


def statistics_without_values(setup: Setup) -> list[Ratio]:
    """Return the descriptions of all statistics of an experiment, in the order of the report's table.

    Use this if only keys, labels, units and neutral values are needed. A neutral value (`Ratio.even`) is the value that
    a statistic would have if all seats and bots were equally good. The arrays `numerator` and `denominator` are
    meaningless, because they do not come from played matches.
    """
    blank = {name: np.zeros(setup.matches_per_deal, kind) for name, kind in column_types_of(setup).items()}
    return measure_deals(setup, blank)[0]


def match_length_units(setup: Setup) -> tuple[str, ...]:
    """Return the units in which match length is measured: "decisions", and "rounds" if matches have several rounds."""
    names = tuple(_LENGTHS)
    return names if setup.rounds != 1 and setup.module.rules.pause >= 0 else names[:1]


# --- statistics -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Ratio:
    """A statistic under one rule set: the mean of `numerator` divided by the mean of `denominator`.

    Both are arrays with one number per deal. `even` is the neutral value that the statistic is tested against: the
    value that it would have if all seats and bots were equally good, such as 1 / number of seats. It may be None.
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
    """Measure some deals under one rule set. Return the statistics and the variance measurements, as a pair.

    * The statistics are in the order of the report's table.
    * The variance measurements are a list of arrays (see `_variance_measurements`). From the means of these arrays,
      `variance_shares` computes how much of the variance of results is due to each cause: the deal, the seat, the bots,
      or everything else. The list is empty if each deal is played only once.

    Every array in the result has one number per deal. For most arrays, this is the mean over all matches on the deal.
    For the arrays of a bot, it is the mean over only those seats that the bot plays in these matches.

    `columns` has the results of the matches under this rule set: name of a column → one value per match, ordered by
    deal. The module `experiment_chunks` describes the columns.
    """

    def by_deal(name: str) -> Rows:
        return columns[name].astype(np.float64).reshape(-1, setup.matches_per_deal)

    # Axes: deal, match, seat.
    scores = np.stack([by_deal(f"score_{seat}") for seat in range(setup.seat_count)], axis=2)
    bots = np.array([setup.seatings[game % len(setup.seatings)] for game in range(setup.matches_per_deal)])
    one, rounds = np.ones(len(scores)), by_deal("rounds").mean(axis=1)
    counts = {each.key: by_deal(f"rule_{each.key}").mean(axis=1) for each in setup.module.counts.counters}
    found = [
        Ratio(f"length.{name}", LENGTHS, _(_LENGTHS[name]), "", COUNT, by_deal(name).mean(axis=1), one)
        for name in match_length_units(setup)
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
    # Directly after the lengths of the match (`found`) come the statistics of group `RULES`, then all others. The sort
    # is stable, so the order within both groups stays the same.
    return [*found, *sorted([*counted, *rest], key=lambda each: each.group != RULES)], luck


def _counter_ratio(setup: Setup, counter: Counter, above: Rows, below: Rows) -> Ratio:
    """Return the statistic for `counter`, which counts certain events of this game (`core.counters`).

    The statistic is the mean of `above` divided by the mean of `below`. `above` has the count on each deal, `below` the
    denominator on each deal, such as the number of rounds.
    """
    said = Texts(package_of(setup.game))
    key, group = (f"answer.{counter.key}", ANSWERS) if counter.answer else (f"rule.{counter.key}", RULES)
    note = said(counter.note) if counter.note else ""
    return Ratio(key, group, said(counter.label), note, counter.unit, above, below)


def _measure_cooperative(setup: Setup, scores: Rows, teams: NDArray[np.int64]) -> tuple[list[Ratio], list[Rows]]:
    """Return the statistics and the variance measurements of a cooperative game, as a pair.

    The statistics are:

    * how often a match is won with the best possible score, 0;
    * for each team: the mean score in the matches that it won, and the fraction of matches that it won.

    `measure_deals` adds the match lengths and the counts of game events. The variance measurements are the arrays that
    `_variance_measurements` returns.

    The parameters are:

    * ``scores[deal, match]``: final score of a match.
    * ``teams[match]``: index of the team of bots that plays the match. It is the same on every deal.
    """
    lost, one = setup.module.rules.loss_return, np.ones(len(scores))
    won = np.ones_like(scores) if lost is None else (scores > lost).astype(np.float64)
    perfect, of_games = (won * (scores == 0.0)).mean(axis=1), _("of the games")
    found = [Ratio("rule.perfect", RULES, _("Won without wasting a swap"), of_games, SHARE, perfect, one)]
    for team, who in enumerate(setup.entrants):
        wins, points = (rows[:, teams == team].mean(axis=1) for rows in (won, won * scores))
        label, key = _("{who}: score in games won", who=who), f"bot.{team}"
        found.append(Ratio(f"{key}.score", SCORES, label, _("on average"), POINTS, points, wins))
        found.append(Ratio(f"{key}.first", SCORES, _("{who}: games won", who=who), of_games, SHARE, wins, one))
    return found, _variance_measurements(setup, scores[:, :, None], scores[:, :, None], teams[:, None], [])


def _measure_competitive(
    setup: Setup, scores: Rows, bots: NDArray[np.int64], first: NDArray[np.int64]
) -> tuple[list[Ratio], list[Rows]]:
    """Return the statistics and the variance measurements of a competitive game, as a pair.

    The statistics are:

    * how often first place is shared;
    * for each place in the order of play: points, advantage (points above the table average), and first places;
    * for each bot: points and, if several different bots play, first places.

    `measure_deals` adds the match lengths and the counts of game events. The variance measurements are the arrays that
    `_variance_measurements` returns.

    The parameters are:

    * ``scores[deal, match, seat]``: final score of a seat.
    * ``bots[match, seat]``: index of the bot at a seat. It is the same on every deal.
    * ``first[deal, match]``: seat that starts the match. It has place 0 in the order of play.
    """
    n, one = setup.seat_count, np.ones(len(scores))
    best = scores == scores.max(axis=2, keepdims=True)
    firsts = best / best.sum(axis=2, keepdims=True)
    leads = scores - scores.mean(axis=2, keepdims=True)
    even = _("an even share is {share} %", share=decimal(round(100 / n, 1)))
    shared = (best.sum(axis=2) > 1).mean(axis=1)
    found, by_place = [Ratio("shared", SEATS, _("First place shared"), _("of all results"), SHARE, shared, one)], []
    for place in range(n):
        who, key, there = play_order_place_name(setup, place), f"seat.{place}", ((first + place) % n)[:, :, None]
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
    return found, _variance_measurements(setup, scores, leads, bots, by_place)


def play_order_place_name(setup: Setup, place: int) -> str:
    """Return the name of a place in the order of play, such as "First to play"; `place` counts from 0.

    In a game without an order of play, a place is simply a seat, and the name is "Seat 3" for place 2.
    """
    if setup.module.counts.first is seat_zero_first or place >= len(_ORDER):
        return _("Seat {number}", number=place + 1)
    return _(_ORDER[place])


# --- variance shares --------------------------------------------------------------------------------------------------
# Luck is measured by an analysis of variance. The result of a seat is its score minus the mean score of all seats (its
# lead); in a cooperative game it is the score. Every seat of every deal has several results: with each bot at the seat,
# and with different random choices of the same bots.
#
# A two-way analysis of variance separates their causes. Deals are a random factor; places and bots are fixed factors.
# The estimated shares have no bias except terms that vanish as the number of deals grows. The samples for their
# intervals are the deals, as for all other statistics.

#: Cause of variance: the deal, that is the dealt cards and the order of the cards still to come.
DEAL = "deal"
#: Cause of variance: the seat's place in the order of play. To measure it, the mean result of each place over all deals
#: is computed. The variance due to this cause is the variance of these means.
SEAT = "seat"
#: Cause of variance: the bot. To measure it, the mean result of each bot over all deals is computed. The variance due
#: to this cause is the variance of these means.
BOTS = "bots"
#: Cause of the remaining variance, with deal, seat and bot fixed: the random choices of the bots, and interactions (for
#: example, a bot may be good on certain deals).
REST = "rest"
#: A total variance below this value counts as zero: all results are equal, and only rounding errors make it differ.
NO_VARIANCE = 1e-12


def variance_causes(setup: Setup) -> tuple[str, ...]:
    """Return the names of the causes to which an experiment can attribute the variance of results: `DEAL`, `SEAT` and
    so on.

    Return an empty tuple if each deal is played only once.
    """
    if setup.matches_per_deal < 2:
        return ()
    seat = () if setup.info.together else (SEAT,)
    bots = (BOTS,) if len(setup.entrants) > 1 else ()
    return (DEAL, *seat, *bots, REST)


def _variance_measurements(
    setup: Setup, scores: Rows, results: Rows, bots: NDArray[np.int64], by_place: list[Rows]
) -> list[Rows]:
    """Return the measurements that `variance_shares` needs: a list of arrays with one number per deal.

    The parameters are:

    * ``scores[deal, match, seat]``: final score of a seat.
    * ``results[deal, match, seat]``: the score minus the mean score of all seats in the match. In a cooperative game,
      the score itself.
    * ``bots[match, seat]``: index of the bot at a seat. It is the same on every deal.
    * ``by_place[place][deal]``: mean result of a place in the order of play. Empty in a cooperative game.

    The returned list is empty if each deal is played only once. Otherwise it has these arrays, in this order:

    * one array: 1 if all repeats of the deal with the same seating of the bots gave equal scores, else 0;
    * one array: mean of the results on the deal;
    * one array: mean of the squared results on the deal;
    * one array: square of each seat's mean result on the deal, averaged over the seats;
    * one array for each bot: mean result of the bot on the deal;
    * all arrays of `by_place`.
    """
    if setup.matches_per_deal < 2:
        return []
    # The axes of `repeats` are deal, repeat, seating and seat. `alike` is 1 for a deal if all its repeats with the
    # same seating have equal scores.
    repeats = scores.reshape(len(scores), setup.repeats, len(setup.seatings), -1)
    alike = (repeats == repeats[:, :1]).all(axis=(1, 2, 3)).astype(np.float64)
    cells = (results.mean(axis=1) ** 2).mean(axis=1)
    by_bot = [results[:, bots == bot].mean(axis=1) for bot in range(len(setup.entrants))]
    return [alike, results.mean(axis=(1, 2)), (results**2).mean(axis=(1, 2)), cells, *by_bot, *by_place]


def variance_shares(setup: Setup, luck: NDArray[np.float64]) -> dict[str, float]:
    """Return a dictionary: cause (see `variance_causes`) → share of the variance of results that the cause explains.

    The result of a seat is its score minus the mean score of all seats in the match. In a cooperative game, it is the
    score. All shares are NaN if the variance is zero. Otherwise they are from 0 to 1 and add up to 1.

    `luck` has the numbers from which the shares are computed: for each measurement that `_variance_measurements` lists,
    in the same order, the mean of the measurement over all deals. For example, ``luck[1]`` is the mean result. The
    parameter is named after the report's section "How much is luck?", which shows the shares.

    Do not call this function if each deal is played only once, because there are no such measurements then.
    """
    games, entrants = setup.matches_per_deal, len(setup.entrants)
    _alike, grand, squares, cells_mean, *leads = luck
    seats = np.array(setup.seatings)
    weight = [float((seats == bot).mean()) for bot in range(entrants)]
    bots = sum(w * (lead - grand) ** 2 for w, lead in zip(weight, leads, strict=False))
    by_place = leads[entrants:]
    seat = sum((lead - grand) ** 2 for lead in by_place) / max(1, len(by_place))
    # Variance of the results of a seat on the same deal, minus the variance due to the bots. The factor corrects for
    # the use of an estimated mean.
    rest = max(0.0, squares - cells_mean - bots) * games / (games - 1)
    # A cell is a seat on one deal. The variance of the cell means includes random variation within the cells, which is
    # subtracted.
    cells = max(0.0, cells_mean - grand**2 - rest / games)
    deal = max(0.0, cells - seat)
    total = deal + seat + bots + rest
    found = {DEAL: deal, SEAT: seat, BOTS: bots, REST: rest}
    return {part: found[part] / total if total > NO_VARIANCE else np.nan for part in variance_causes(setup)}
