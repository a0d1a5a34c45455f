"""The plots of a report as SVG inside the page: dots with whiskers, twin bars, parts of a whole.

They are drawn in per cent of their width, so that they fit a phone and a desk without their words getting smaller. Each
has a title and says in a description what it shows; a table beside or beneath it has the same figures.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count

from markupsafe import Markup, escape

from facedown.simulate.confidence import Estimate
from facedown.simulate.findings import SHARE, Histogram, Part, Row
from facedown.simulate.saying import number, scaled, signed
from facedown.simulate.texts import _

#: Of a row with a dot and its whisker, in pixels: its height without and with its scale, and where the dot lies.
ROW, SCALED, MIDDLE = 24, 42, 12
#: Of bars: their height, and that of the numbers beneath.
BARS, TICKS = 104, 18
#: About so many numbers stand beneath bars.
FEW = 6
#: A part of a whole that is narrower has no words in it, in per cent.
NARROW = 16.0


class Names:
    """Gives the titles of one page ids of their own."""

    def __init__(self) -> None:
        self._numbers = count(1)

    def new(self) -> str:
        """An id that no other drawing of the page has."""
        return f"plot-{next(self._numbers)}"


def drawn(names: Names, kind: str, height: int, title: str, says: str, inside: str) -> Markup:
    """A drawing as wide as its place, with its title and what it shows in words."""
    name = names.new()
    return Markup(
        f'<svg class="{kind}" width="100%" height="{height}" role="img" aria-labelledby="{name}-t {name}-d">'
        f'<title id="{name}-t">{escape(title)}</title><desc id="{name}-d">{escape(says)}</desc>{inside}</svg>'
    )


# --- scales -----------------------------------------------------------------------------------------------------------


def round_up(value: float) -> float:
    """The next of 1, 2, 3, 5 and 10 times a power of ten.

    >>> [round_up(value) for value in (0.017, 1.9, 4.0, 61.0)]
    [0.02, 2.0, 5.0, 100.0]
    """
    if not value > 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    return next(float(f"{step * power:.12g}") for step in (1, 2, 3, 5, 10) if step * power >= value * (1 - 1e-9))


@dataclass(frozen=True, slots=True)
class Scale:
    """What a row's width stands for, in the figure's own unit, and where its line is."""

    low: float
    high: float
    middle: float | None
    """The value at the line: nought of a difference, what would be even; None: the line stands at the left end."""
    unit: str
    signs: bool

    def at(self, value: float) -> float:
        """Where a value lies, in per cent of the width; a tenth is left at either side, for whiskers and words."""
        inner = (value - self.low) / (self.high - self.low)
        return 8 + 84 * min(1.0, max(0.0, inner))

    @property
    def marks(self) -> list[float]:
        """The values that are written at it."""
        return [self.low, self.high] if self.middle is None else [self.low, self.middle, self.high]

    def written(self, value: float) -> str:
        """A value of the scale."""
        shown = scaled(self.unit, value)
        behind = max(0, min(4, 1 - math.floor(math.log10(scaled(self.unit, self.high - self.low)))))
        text = (signed if self.signs else number)(shown, behind)
        return _plain(text) if behind else text


def _plain(text: str) -> str:
    """Without the noughts that end a decimal fraction."""
    point = max(text.rfind("."), text.rfind(","))
    whole, fraction = text[:point], text[point:].rstrip("0")
    return whole if len(fraction) == 1 else whole + fraction


def about(unit: str, middle: float, found: Sequence[Estimate], *, signs: bool) -> Scale:
    """The scale of these estimates about a value, as far to either side; a share ends at nought and at all."""
    ends = [abs(end - middle) for one in found for end in (one.low, one.high, one.mean) if math.isfinite(end)]
    reach = round_up(scaled(unit, max(ends, default=1.0))) / scaled(unit, 1.0)
    low, high = middle - reach, middle + reach
    if unit == SHARE and not signs:
        low, high = max(0.0, low), min(1.0, high)
    return Scale(low, high, middle, unit, signs)


def from_nought(unit: str, found: Estimate) -> Scale:
    """The scale of a value by itself: from nought on, or as far to either side where it may lie below."""
    ends = [end for end in (found.low, found.high, found.mean) if math.isfinite(end)]
    if ends and min(ends) < 0:
        return about(unit, 0.0, [found], signs=False)
    return Scale(0.0, round_up(scaled(unit, max(ends, default=1.0))) / scaled(unit, 1.0), None, unit, False)


def scale_of(row: Row) -> Scale:
    """The scale of a row of a table: about nought, about what would be even, or from nought on."""
    figure = row.a
    if row.difference is not None:
        return about(figure.unit, 0.0, [row.difference], signs=True)
    if figure.even is not None:
        return about(figure.unit, figure.even, [figure.value], signs=False)
    return from_nought(figure.unit, figure.value)


# --- a dot and its whisker --------------------------------------------------------------------------------------------


def whisker(names: Names, found: Estimate, scale: Scale, told: bool, title: str, says: str) -> Markup:
    """A dot with its interval: filled in the accent where a claim is made, hollow in ink where none is."""
    return drawn(names, "whisker", SCALED, title, says, "".join(_whisker(found, scale, told)))


def _whisker(found: Estimate, scale: Scale, told: bool) -> Iterator[str]:
    line = scale.at(scale.low if scale.middle is None else scale.middle)
    yield f'<line class="nought" x1="{line:.2f}%" x2="{line:.2f}%" y1="0" y2="{ROW}"/>'
    if math.isfinite(found.mean):
        kind = "told" if told else "open"
        low, high = (
            scale.at(end if math.isfinite(end) else edge)
            for end, edge in ((found.low, scale.low), (found.high, scale.high))
        )
        yield f'<g class="{kind}">'
        yield f'<line x1="{low:.2f}%" x2="{high:.2f}%" y1="{MIDDLE}" y2="{MIDDLE}"/>'
        for end in (low, high):
            yield f'<line x1="{end:.2f}%" x2="{end:.2f}%" y1="{MIDDLE - 5}" y2="{MIDDLE + 5}"/>'
        yield f'<circle cx="{scale.at(found.mean):.2f}%" cy="{MIDDLE}" r="5.5"/></g>'
    yield '<g class="scale">'
    for value in scale.marks:
        yield f'<text x="{scale.at(value):.2f}%" y="{SCALED - 5}">{escape(scale.written(value))}</text>'
    yield "</g>"


# --- bars -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Twins:
    """One or two histograms over the same bars, as shares of their own totals."""

    start: int
    width: int
    shares: tuple[tuple[float, ...], ...]
    beyond: tuple[float, ...] = ()
    """The share of each that lies above its last bar; it is not drawn."""

    @property
    def end(self) -> int:
        """The greatest number that has a bar."""
        return self.start + self.width * max(map(len, self.shares), default=0) - 1

    def words(self, bar: int) -> str:
        """The numbers of a bar."""
        least = self.start + bar * self.width
        return str(least) if self.width == 1 else f"{least}–{least + self.width - 1}"


def twins(histograms: Sequence[Histogram]) -> Twins:
    """Histograms brought to the same bars: the widest ones, from the least number on.

    >>> twins([Histogram(2, 1, (1, 3)), Histogram(3, 1, (2, 2))]).shares
    ((0.25, 0.75, 0.0), (0.0, 0.5, 0.5))
    """
    filled = [one for one in histograms if one.total]
    if not filled:
        return Twins(0, 1, tuple(() for _one in histograms))
    width = max(one.width for one in filled)
    start = min(one.start for one in filled)
    start -= start % width
    bars = 1 + max((one.start + len(one.counts) * one.width - 1 - start) // width for one in filled)
    found = []
    for one in histograms:
        shares = [0.0] * bars
        for least, counted in one.bars:
            # The numbers of a narrow bar that straddles two wide ones are taken to be even.
            for offset in range(one.width):
                shares[(least + offset - start) // width] += counted / one.width / max(1, one.total)
        found.append(tuple(shares))
    return Twins(start, width, tuple(found), tuple(one.beyond / max(1, one.total) for one in histograms))


def bars(names: Names, both: Twins, kinds: Sequence[str], title: str, says: str) -> Markup:
    """The bars of one or two histograms, side by side."""
    return drawn(names, "bars", BARS + TICKS, title, says, "".join(_bars(both, kinds)))


def _bars(both: Twins, kinds: Sequence[str]) -> Iterator[str]:
    total = len(both.shares[0])
    most = max((share for shares in both.shares for share in shares), default=0.0) or 1.0
    step = 100 / max(1, total)
    each = step * 0.9 / len(both.shares)
    for series, (kind, shares) in enumerate(zip(kinds, both.shares, strict=True)):
        for bar, share in enumerate(shares):
            if share > 0:
                height = max(1.0, (BARS - 4) * share / most)
                left = bar * step + step * 0.05 + series * each
                yield (
                    f'<rect class="{kind}" x="{left:.2f}%" y="{BARS - height:.1f}" width="{each:.2f}%" '
                    f'height="{height:.1f}"/>'
                )
    yield f'<line class="floor" x1="0" x2="100%" y1="{BARS}" y2="{BARS}"/><g class="scale">'
    for value in _ticks(both.start, both.width * total):
        # A bar of one number has it beneath its middle.
        at = (value - both.start + (0.5 if both.width == 1 else 0.0)) / (both.width * total)
        if 0.02 < at < 0.97 or total <= FEW:
            yield f'<text x="{100 * at:.2f}%" y="{BARS + 14}">{escape(number(value, 0))}</text>'
    yield "</g>"


def _ticks(start: int, numbers: int) -> Iterator[int]:
    """Round numbers to stand beneath bars, of so many numbers from `start` on."""
    every = max(1, int(round_up(numbers / FEW)))
    return iter(range(-(-start // every) * every, start + numbers, every))


# --- parts of a whole -------------------------------------------------------------------------------------------------


def shares_bar(names: Names, parts: Sequence[Part], title: str, says: str) -> Markup:
    """A bar of parts, each as wide as its share, with its words where there is room for them."""
    return drawn(names, "parts", 32, title, says, "".join(_parts(parts)))


def _parts(parts: Sequence[Part]) -> Iterator[str]:
    sizes = [max(0.0, part.share.mean) if math.isfinite(part.share.mean) else 0.0 for part in parts]
    whole = math.fsum(sizes) or 1.0
    left = 0.0
    for part, size in zip(parts, sizes, strict=True):
        wide = 100 * size / whole
        if wide <= 0:
            continue
        yield f'<g class="part {escape(part.key)}"><rect x="{left:.2f}%" y="0" width="{max(0.0, wide - 0.6):.2f}%" '
        yield 'height="32" rx="6"/>'
        if wide >= NARROW:
            words = f"{part.label} {number(wide, 0)}" if wide >= 2.2 * len(part.label) else number(wide, 0)
            yield f'<text x="{left + 2.5:.2f}%" y="20.500">{escape(words)}</text>'
        yield "</g>"
        left += wide


def parts_in_words(parts: Sequence[Part]) -> str:
    """The parts of a whole in a line, for whoever does not see them."""
    return "; ".join(_("{name} {share} %", name=part.label, share=number(100 * part.share.mean, 0)) for part in parts)
