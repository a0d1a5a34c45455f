"""From the sums of an experiment to its findings: every figure with its interval, and in words what it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import facedown
from facedown.core.counting import A_MATCH, A_ROUND, Counter, nobody_first
from facedown.core.game import package_of
from facedown.core.language import Texts, decimal
from facedown.simulate.confidence import Estimate
from facedown.simulate.findings import (
    ANSWERS,
    COUNT,
    LENGTHS,
    LUCK,
    POINTS,
    RULES,
    SCORES,
    SEATS,
    SHARE,
    Figure,
    Findings,
    Histogram,
    Option,
    Side,
)
from facedown.simulate.measures import BOTS, DEAL, REST, SEAT, Sums, parts_of, places_of, shares
from facedown.simulate.measures import LENGTHS as MEASURED_LENGTHS
from facedown.simulate.moments import Function, Moments, Weights
from facedown.simulate.setup import Setup
from facedown.simulate.texts import N_, _

#: A histogram has no more bars than this, and leaves no more than this share of the numbers above them.
BARS = 40
FAR_OFF = 0.02
ZERO_TO_ONE, DIFFERENCE = (0.0, 1.0), (-1.0, 1.0)
#: A mean of ones may differ from 1 by so much.
TINY = 1e-9
_LENGTHS = {"decisions": N_("Decisions"), "rounds": N_("Rounds")}
_PARTS = {
    DEAL: N_("the deal"),
    SEAT: N_("the place in the order of play"),
    BOTS: N_("who plays"),
    REST: N_("all other choices"),
}
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
_UNITS = {"round": N_("round"), "hand": N_("hand"), "game": N_("game")}


@dataclass(frozen=True)
class Ratio:
    """A line of the table before it is measured: a ratio of two weighted sums of a deal's numbers, by their places."""

    key: str
    group: str
    label: str
    note: str
    unit: str
    above: Weights
    below: Weights | None = None
    even: float | None = None

    def weights(self, offset: int) -> tuple[Weights, Weights | None]:
        """Both sums for a rule set whose numbers begin at `offset`."""
        below = None if self.below is None else {at + offset: weight for at, weight in self.below.items()}
        return {at + offset: weight for at, weight in self.above.items()}, below

    def measure(self, moments: Moments, offset: int) -> Figure:
        """The figure under a rule set whose numbers begin at `offset`."""
        bounds = ZERO_TO_ONE if self.unit == SHARE else None
        value = moments.ratio(*self.weights(offset), bounds)
        return Figure(self.key, self.group, self.label, self.note, self.unit, value, self.even)


def findings_of(setup: Setup, sums: Sums, question: str = "") -> Findings:
    """All that the sums of the deals played so far say."""
    at = places_of(setup)
    moments, sides = sums.moments, range(len(setup.rule_sets))
    # Was every deal played several times, and did it come out the same each time?
    alike = ["alike" in at and moments.means[side * len(at) + at["alike"]] > 1.0 - TINY for side in sides]
    luck = () if any(alike) else parts_of(setup)
    lines = list(ratios(setup, at))
    found = [_side(setup, sums, side, at, lines, luck, alike[side]) for side in sides]
    return Findings(
        question=question,
        game=setup.game,
        title=setup.info.title,
        together=setup.info.together,
        places=setup.places,
        bots=setup.bots,
        rounds=setup.rounds,
        unit=unit_of(setup),
        seed=setup.seed,
        deals=moments.deals,
        asked=setup.deals,
        repeats=setup.repeats,
        seatings=len(setup.seatings),
        package=facedown.__version__,
        version=setup.info.version,
        a=found[0],
        b=found[1] if len(sides) > 1 else None,
        differences=dict(_differences(setup, moments, at, lines, luck)) if len(sides) > 1 else {},
    )


def unit_of(setup: Setup) -> str:
    """What one result is, in words."""
    unit = setup.info.unit
    if setup.rounds == 0:
        return _(_UNITS["game"]) if setup.info.together else _("match")
    one = _(_UNITS[unit]) if unit in _UNITS else unit
    return one if setup.rounds == 1 else _("{count} × {unit}", count=setup.rounds, unit=one)


# --- the figures ------------------------------------------------------------------------------------------------------


def ratios(setup: Setup, at: Mapping[str, int]) -> Iterator[Ratio]:
    """Every figure that is a ratio, in the order of the table, of numbers with the places `at`; those of luck, which
    follow, are not.
    """
    together, entrants = setup.info.together, setup.entrants
    for name in measured_lengths(setup):
        yield Ratio(f"length.{name}", LENGTHS, _(_LENGTHS[name]), "", COUNT, {at[name]: 1.0})
    counters = [counter for counter in setup.module.counts.counters if not counter.recorded]
    yield from (_counted(setup, counter, at) for counter in counters if not counter.answer)
    if together:
        perfect = {at[f"perfect.{bot}"]: 1.0 / len(entrants) for bot in range(len(entrants))}
        yield Ratio("rule.perfect", RULES, _("Won without a swap too many"), _("of the games"), SHARE, perfect)
    yield from (_counted(setup, counter, at) for counter in counters if counter.answer)
    if together:
        for i, who in enumerate(entrants):
            label, won = _("{who}: score of games won", who=who), {at[f"won.{i}"]: 1.0}
            yield Ratio(f"bot.{i}.score", SCORES, label, _("on average"), POINTS, {at[f"score.{i}"]: 1.0}, won)
            yield Ratio(f"bot.{i}.first", SCORES, _("{who}: games won", who=who), _("of the games"), SHARE, won)
    else:
        yield from _competing(setup, at)


def _competing(setup: Setup, at: Mapping[str, int]) -> Iterator[Ratio]:
    """The figures of seats and bots that play against each other."""
    yield Ratio("shared", SEATS, _("First place shared"), _("of all results"), SHARE, {at["shared"]: 1.0})
    n = setup.places
    even = _("{share} % is even", share=decimal(round(100 / n, 1)))
    for place in range(n):
        who, key = seat_name(setup, place), f"seat.{place}"
        above_mean = {at[f"place.{other}"]: (other == place) - 1.0 / n for other in range(n)}
        first = {at[f"place_first.{place}"]: 1.0}
        label, note = _("{who}: advantage", who=who), _("points above the mean of the table")
        yield Ratio(
            f"{key}.score", SCORES, _("{who}: points", who=who), _("on average"), POINTS, {at[f"place.{place}"]: 1.0}
        )
        yield Ratio(f"{key}.advantage", SEATS, label, note, POINTS, above_mean, even=0.0)
        yield Ratio(f"{key}.first", SEATS, _("{who}: first places", who=who), even, SHARE, first, even=1.0 / n)
    for i, who in enumerate(setup.entrants):
        score, first = {at[f"bot.{i}"]: 1.0}, {at[f"bot_first.{i}"]: 1.0}
        yield Ratio(f"bot.{i}.score", SCORES, _("{who}: points", who=who), _("on average"), POINTS, score)
        # Where all seats are one bot's, its share of first places is no figure.
        if len(setup.entrants) > 1:
            label = _("{who}: first places", who=who)
            yield Ratio(f"bot.{i}.first", SCORES, label, even, SHARE, first, even=1.0 / n)


def _counted(setup: Setup, counter: Counter, at: Mapping[str, int]) -> Ratio:
    """The figure of one of the game's own counters, in the game's own words."""
    said = Texts(package_of(setup.game))
    below = {A_MATCH: None, A_ROUND: {at["rounds"]: 1.0}}
    per = below[counter.per] if counter.per in below else {at[f"rule.{counter.per}"]: 1.0}
    key, group = (f"answer.{counter.key}", ANSWERS) if counter.answer else (f"rule.{counter.key}", RULES)
    note = said(counter.note) if counter.note else ""
    return Ratio(key, group, said(counter.label), note, counter.unit, {at[f"rule.{counter.key}"]: 1.0}, per)


def measured_lengths(setup: Setup) -> tuple[str, ...]:
    """The lengths that say something: of single rounds there is always one, and of games without any."""
    return MEASURED_LENGTHS if setup.rounds != 1 and setup.module.rules.pause >= 0 else MEASURED_LENGTHS[:1]


def _share_of(setup: Setup, at: Mapping[str, int], part: str, side: int) -> Function:
    """A part's share of luck under a rule set, as a function of the means."""
    mine = {name: side * len(at) + place for name, place in at.items()}
    return lambda means: shares(setup, mine, means)[part]


def _differences(
    setup: Setup, moments: Moments, at: Mapping[str, int], lines: Sequence[Ratio], luck: Sequence[str]
) -> Iterator[tuple[str, Estimate]]:
    """B minus A, figure by figure."""
    for each in lines:
        bounds = DIFFERENCE if each.unit == SHARE else None
        yield each.key, moments.combined([(1.0, *each.weights(len(at))), (-1.0, *each.weights(0))], bounds)
    for part in luck:
        a, b = (_share_of(setup, at, part, side) for side in (0, 1))
        yield f"luck.{part}", moments.of(lambda means, a=a, b=b: b(means) - a(means), DIFFERENCE)  # type: ignore[misc]


def _side(
    setup: Setup,
    sums: Sums,
    side: int,
    at: Mapping[str, int],
    lines: Sequence[Ratio],
    luck: Sequence[str],
    alike: bool,
) -> Side:
    """All figures of one rule set, which are not known of luck if it is `alike` in every repeat."""
    moments, chosen = sums.moments, setup.rule_sets[side]
    figures = [each.measure(moments, side * len(at)) for each in lines]
    note = _("of the variance of the score") if setup.info.together else _("of the variance of a lead")
    for part in luck:
        value = moments.of(_share_of(setup, at, part, side), ZERO_TO_ONE)
        figures.append(Figure(f"luck.{part}", LUCK, _(_PARTS[part]), note, SHARE, value))
    lengths = sums.lengths[side * len(MEASURED_LENGTHS) :]
    no_luck = _(
        "Every repeat of a deal came out the same. Bots that never choose by chance cannot show how much is luck."
    )
    return Side(
        options=tuple(
            Option(each.name, chosen[each.name], each.label, each.told(chosen[each.name]))
            for each in setup.info.options
        ),
        named=setup.named,
        matches=moments.deals * setup.games,
        abandoned=sums.abandoned[side],
        figures=tuple(figures),
        histograms={f"length.{name}": histogram(lengths[i]) for i, name in enumerate(measured_lengths(setup))},
        no_luck=no_luck if alike else "",
    )


def histogram(counts: NDArray[np.int64]) -> Histogram:
    """How often each number came up, in at most `BARS` bars of equal width.

    `counts` says how often, by the number. They go from the least number to one that at most a share of `FAR_OFF`
    exceed.

    >>> histogram(np.array([0, 0, 5, 7])).bars
    ((2, 5), (3, 7))
    """
    there = np.nonzero(counts)[0]
    if len(there) == 0:
        return Histogram(0, 1, ())
    reached = np.cumsum(counts)
    low, high = int(there[0]), int(np.searchsorted(reached, (1.0 - FAR_OFF) * reached[-1]))
    width = -(-(high - low + 1) // BARS)
    # Bars begin at multiples of their width, which may take one bar more.
    if high // width - low // width >= BARS:
        width += 1
    start, bars = low - low % width, high // width - low // width + 1
    padded = np.zeros(bars * width, np.int64)
    padded[: high - start + 1] = counts[start : high + 1]
    bars_filled = tuple(int(n) for n in padded.reshape(bars, width).sum(axis=1))
    return Histogram(start, width, bars_filled, int(counts.sum()) - sum(bars_filled))


def seat_name(setup: Setup, place: int) -> str:
    """What a seat is called: by its place in the order of play, or in a game without one by its number."""
    if setup.module.counts.first is nobody_first or place >= len(_ORDER):
        return _("Seat {number}", number=place + 1)
    return _(_ORDER[place])
