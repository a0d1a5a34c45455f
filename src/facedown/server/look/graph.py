"""The coach's graph: numbers in, paths and places in per cent out. The template draws them in the tokens' colours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

#: The curve's own units: it is stretched to whatever room there is, lines keep their width.
WIDE = 1000.0
HIGH = 100.0
#: At most so many bands carry their number.
LABELS = 12
#: A bar of nothing is so high that it can be seen, in per cent.
NOTHING = 1.5


@dataclass(frozen=True, slots=True)
class Band:
    """One round: where it begins and how wide it is, in the curve's units, and its number."""

    x: float
    width: float
    middle: float
    """In per cent."""
    label: str
    """Empty where there is no room for every number."""
    shaded: bool


@dataclass(frozen=True, slots=True)
class Pin:
    """A numbered moment on the graph, in per cent."""

    number: int
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Bar:
    """One swap's wasted turns."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Graph:
    """All that is drawn."""

    line: str = ""
    area: str = ""
    bands: tuple[Band, ...] = ()
    pins: tuple[Pin, ...] = ()
    bars: tuple[Bar, ...] = ()
    marks: tuple[str, ...] = ("100", "50", "0")
    """What stands beside the graph, from its top to its foot."""


def bands_of(labels: Sequence[str]) -> tuple[Band, ...]:
    """Rounds side by side, every second one shaded.

    >>> [(band.x, band.middle, band.shaded) for band in bands_of(["1", "2"])]
    [(0.0, 25.0, False), (500.0, 75.0, True)]
    """
    width = WIDE / max(1, len(labels))
    every = -(-len(labels) // LABELS)
    return tuple(
        Band(
            round(at * width, 2),
            round(width, 2),
            round(100 * (at + 0.5) / len(labels), 3),
            label if at % every == 0 else "",
            at % 2 == 1,
        )
        for at, label in enumerate(labels)
    )


def curve(
    points: Sequence[tuple[float, float]], labels: Sequence[str], pins: Sequence[tuple[float, float]] = ()
) -> Graph:
    """The chance as a line, the room between it and an even chance filled; all from 0 to 1.

    >>> curve([(0, 0.5), (1, 1)], ["1"]).area
    'M0 50L0 50L1000 0L1000 50Z'
    """
    corners = "L".join(f"{_number(WIDE * x)} {_number(HIGH * (1 - y))}" for x, y in points)
    area = f"M{_number(WIDE * points[0][0])} 50L{corners}L{_number(WIDE * points[-1][0])} 50Z" if points else ""
    return Graph(
        f"M{corners}" if points else "",
        area,
        bands_of(labels),
        tuple(Pin(number, round(100 * x, 3), round(100 * (1 - y), 3)) for number, (x, y) in enumerate(pins, 1)),
    )


def bars(heights: Sequence[float], pinned: Sequence[int] = ()) -> Graph:
    """Counts side by side, from 0 to the highest; `pinned` names those that carry a number.

    >>> [bar.height for bar in bars([0, 2]).bars]
    [1.5, 100.0]
    """
    most = max([1.0, *heights])
    width = WIDE / max(1, len(heights))
    drawn = []
    for at, height in enumerate(heights):
        high = max(NOTHING, HIGH * height / most)
        drawn.append(Bar(_round((at + 0.2) * width), _round(HIGH - high), _round(0.6 * width), _round(high)))
    pins = tuple(
        Pin(number, round(100 * (at + 0.5) / len(heights), 3), round(100 * (1 - heights[at] / most), 3))
        for number, at in enumerate(pinned, 1)
    )
    labels = [str(at + 1) for at in range(len(heights))]
    plain = tuple(Band(b.x, b.width, b.middle, b.label, False) for b in bands_of(labels))
    return Graph("", "", plain, pins, tuple(drawn), (f"{most:.0f}", "", "0"))


def _round(value: float) -> float:
    return round(value, 2)


def _number(value: float) -> str:
    return f"{value:.1f}".rstrip("0").rstrip(".")
