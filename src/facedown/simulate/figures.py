"""From the sums of an experiment to its findings: every figure with its interval, and in words what it is."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import facedown
from facedown.core.counting import A_MATCH, A_ROUND, SHARE, Counter, nobody_first
from facedown.core.game import package_of
from facedown.core.language import Texts, decimal
from facedown.simulate.confidence import Estimate
from facedown.simulate.findings import (
    NO_LUCK,
    Count,
    Difference,
    Entrant,
    Findings,
    Histogram,
    Length,
    Option,
    Part,
    Seat,
    Side,
)
from facedown.simulate.luck import BOTS, DEAL, REST, SEAT, parts_of, shares
from facedown.simulate.measures import LENGTHS, Names, Sums
from facedown.simulate.moments import Bounds, Moments, Weights
from facedown.simulate.setup import Setup
from facedown.simulate.texts import N_, _

#: A histogram has no more bars than this, and leaves no more than this share of the numbers above them.
BARS = 40
FAR_OFF = 0.02
ZERO_TO_ONE = (0.0, 1.0)
#: A mean of ones may differ from 1 by so much.
TINY = 1e-9
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
class _Figure:
    """A figure that is a ratio of two weighted sums of a deal's numbers, by their places."""

    key: str
    above: Weights
    below: Weights | None = None
    bounds: Bounds = None

    def moved(self, by: int) -> tuple[Weights, Weights | None]:
        """The same of another rule set, whose numbers stand so much further on."""
        below = None if self.below is None else {at + by: weight for at, weight in self.below.items()}
        return {at + by: weight for at, weight in self.above.items()}, below


def findings_of(setup: Setup, sums: Sums, question: str = "") -> Findings:
    """All that the sums of the deals played so far say."""
    alike = [_alike(setup, sums.moments, side) for side in range(len(setup.rule_sets))]
    sides = [_side(setup, sums, side, luck=not any(alike)) for side in range(len(setup.rule_sets))]
    for side, same in zip(sides, alike, strict=True):
        if same:
            side.texts[NO_LUCK] = _(
                "Every repeat of a deal came out the same."
                " Bots that never choose by chance cannot show how much is luck."
            )
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
        deals=sums.moments.deals,
        asked=setup.deals,
        repeats=setup.repeats,
        seatings=len(setup.seatings),
        package=facedown.__version__,
        version=setup.info.version,
        a=sides[0],
        b=sides[1] if len(sides) > 1 else None,
        differences=tuple(_differences(setup, sums.moments, luck=not any(alike))) if len(sides) > 1 else (),
    )


def unit_of(setup: Setup) -> str:
    """What one result is, in words."""
    unit = setup.info.unit
    if setup.rounds == 0:
        return _(_UNITS["game"]) if setup.info.together else _("match")
    one = _(_UNITS[unit]) if unit in _UNITS else unit
    return one if setup.rounds == 1 else _("{count} × {unit}", count=setup.rounds, unit=one)


# --- the figures ------------------------------------------------------------------------------------------------------


def _counters(setup: Setup) -> list[Counter]:
    return [counter for counter in setup.module.counts.counters if not counter.recorded]


def _figures(setup: Setup) -> Iterator[_Figure]:
    """Every figure that is a ratio; those of luck are not."""
    at = Names(setup).places
    for name in _lengths(setup):
        yield _Figure(f"length.{name}", {at[name]: 1.0})
    for counter in _counters(setup):
        below = {A_MATCH: None, A_ROUND: {at["rounds"]: 1.0}}
        per = below[counter.per] if counter.per in below else {at[f"rule.{counter.per}"]: 1.0}
        group = "answer" if counter.answer else "rule"
        bounds = ZERO_TO_ONE if counter.unit == SHARE else None
        yield _Figure(f"{group}.{counter.key}", {at[f"rule.{counter.key}"]: 1.0}, per, bounds)
    if setup.info.together:
        teams = len(setup.entrants)
        for bot in range(teams):
            yield _Figure(f"bot.{bot}.score", {at[f"score.{bot}"]: 1.0}, {at[f"won.{bot}"]: 1.0})
            yield _Figure(f"bot.{bot}.first", {at[f"won.{bot}"]: 1.0}, None, ZERO_TO_ONE)
        yield _Figure("rule.perfect", {at[f"perfect.{bot}"]: 1.0 / teams for bot in range(teams)}, None, ZERO_TO_ONE)
        return
    yield _Figure("shared", {at["shared"]: 1.0}, None, ZERO_TO_ONE)
    n = setup.places
    for place in range(n):
        above_mean = {at[f"place.{other}"]: (other == place) - 1.0 / n for other in range(n)}
        yield _Figure(f"seat.{place}.score", {at[f"place.{place}"]: 1.0})
        yield _Figure(f"seat.{place}.advantage", above_mean)
        yield _Figure(f"seat.{place}.first", {at[f"place_first.{place}"]: 1.0}, None, ZERO_TO_ONE)
    for bot in range(len(setup.entrants)):
        yield _Figure(f"bot.{bot}.score", {at[f"bot.{bot}"]: 1.0})
        yield _Figure(f"bot.{bot}.first", {at[f"bot_first.{bot}"]: 1.0}, None, ZERO_TO_ONE)


def _lengths(setup: Setup) -> tuple[str, ...]:
    """The lengths that say something: of single rounds there is always one, and of games without any."""
    return LENGTHS if setup.rounds != 1 and setup.module.rules.pause >= 0 else LENGTHS[:1]


def _alike(setup: Setup, moments: Moments, side: int) -> bool:
    """Was every deal played several times, and did it come out the same each time?"""
    names = Names(setup)
    return "alike" in names.places and moments.means[side * names.width + names.places["alike"]] > 1.0 - TINY


def _luck(setup: Setup, moments: Moments, side: int) -> dict[str, Estimate]:
    offset = side * Names(setup).width
    return {
        part: moments.of(lambda means, part=part: shares(setup, means, offset)[part], ZERO_TO_ONE)  # type: ignore[misc]
        for part in parts_of(setup)
    }


def _differences(setup: Setup, moments: Moments, *, luck: bool) -> Iterator[Difference]:
    """B minus A, figure by figure; those of luck where it can be told."""
    width = Names(setup).width
    for figure in _figures(setup):
        bounds = None if figure.bounds is None else (-1.0, 1.0)
        found = moments.difference((figure.above, figure.below), figure.moved(width), bounds)
        yield Difference(figure.key, found)
    for part in parts_of(setup) if luck else ():

        def change(means: NDArray[np.float64], part: str = part) -> float:
            return shares(setup, means, width)[part] - shares(setup, means)[part]

        yield Difference(f"luck.{part}", moments.of(change, (-1.0, 1.0)))


# --- one rule set -----------------------------------------------------------------------------------------------------


def _side(setup: Setup, sums: Sums, side: int, *, luck: bool) -> Side:
    moments, by = sums.moments, side * Names(setup).width
    value = {each.key: moments.ratio(*each.moved(by), each.bounds) for each in _figures(setup)}
    parts = _luck(setup, moments, side) if luck else {}
    lengths = sums.lengths[side * len(LENGTHS) : (side + 1) * len(LENGTHS)]
    labels = {"decisions": _("Decisions"), "rounds": _("Rounds")}
    counts = list(_counts(setup, value))
    none = Estimate(math.nan, -math.inf, math.inf)
    return Side(
        options=_options(setup, setup.rule_sets[side]),
        named=setup.named,
        matches=moments.deals * setup.games,
        abandoned=sums.abandoned[side],
        seats=tuple(_seats(setup, value)),
        bots=tuple(_bots(setup, value)),
        lengths=tuple(
            Length(name, labels[name], value[f"length.{name}"], histogram(lengths[LENGTHS.index(name)]))
            for name in _lengths(setup)
        ),
        shared=value.get("shared", none),
        counts=tuple(count for count, answer in counts if not answer),
        luck=tuple(Part(part, _(_PARTS[part]), found) for part, found in parts.items()),
        answers=tuple(count for count, answer in counts if answer),
        texts=_texts(setup),
    )


def _options(setup: Setup, chosen: dict[str, str]) -> tuple[Option, ...]:
    return tuple(
        Option(each.name, chosen[each.name], each.label, each.told(chosen[each.name])) for each in setup.info.options
    )


def _seats(setup: Setup, value: dict[str, Estimate]) -> Iterator[Seat]:
    if setup.info.together:
        return
    for place in range(setup.places):
        score, advantage, first = (value[f"seat.{place}.{what}"] for what in ("score", "advantage", "first"))
        yield Seat(place, score, advantage, first, 1.0 / setup.places)


def _bots(setup: Setup, value: dict[str, Estimate]) -> Iterator[Entrant]:
    fair = math.nan if setup.info.together else 1.0 / setup.places
    for i, name in enumerate(setup.entrants):
        yield Entrant(name, value[f"bot.{i}.score"], value[f"bot.{i}.first"], fair)


def _counts(setup: Setup, value: dict[str, Estimate]) -> Iterator[tuple[Count, bool]]:
    """The game's counts in its own words, and whether each is an answer."""
    said = Texts(package_of(setup.game))
    for each in _counters(setup):
        key = f"{'answer' if each.answer else 'rule'}.{each.key}"
        note = said(each.note) if each.note else ""
        yield Count(each.key, said(each.label), note, each.unit, value[key]), each.answer
    if setup.info.together:
        yield Count("perfect", _("Won without a swap too many"), _("of the games"), SHARE, value["rule.perfect"]), False


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


def _texts(setup: Setup) -> dict[str, str]:
    """The labels and notes of the figures that every game has."""
    found = {
        "shared.label": _("First place shared"),
        "shared.note": _("of all results"),
        "luck.note": _("of the variance of a lead") if not setup.info.together else _("of the variance of the score"),
    }
    even = _("{share} % is even", share=decimal(round(100 / setup.places, 1)))
    for place in range(setup.places):
        who = seat_name(setup, place)
        what = {
            "score": (_("{who}: points", who=who), _("on average")),
            "advantage": (_("{who}: advantage", who=who), _("points above the mean of the table")),
            "first": (_("{who}: first places", who=who), even),
        }
        for name, (label, note) in what.items():
            found[f"seat.{place}.{name}.label"], found[f"seat.{place}.{name}.note"] = label, note
    for i, name in enumerate(setup.entrants):
        if setup.info.together:
            score, first = _("{who}: score of games won", who=name), _("{who}: games won", who=name)
        else:
            score, first = _("{who}: points", who=name), _("{who}: first places", who=name)
        found[f"bot.{i}.score.label"], found[f"bot.{i}.first.label"] = score, first
        found[f"bot.{i}.score.note"] = _("on average")
        found[f"bot.{i}.first.note"] = _("of the games") if setup.info.together else even
    return found
