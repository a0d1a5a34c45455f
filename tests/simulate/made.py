"""Findings made up for tests: two rule sets that differ in some figures and not in others, and one rule set."""

from __future__ import annotations

from dataclasses import replace

from facedown.simulate.confidence import Estimate
from facedown.simulate.findings import (
    COUNT,
    SHARE,
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


def about(mean: float, half: float) -> Estimate:
    """A mean with so much to either side."""
    return Estimate(mean, mean - half, mean + half)


SEATS = 4
TEXTS = {
    "shared.label": "First place shared",
    "shared.note": "of all results",
    "luck.note": "of the variance of a lead",
    "bot.0.first.label": "greedy: first places",
    "bot.0.score.label": "greedy: points",
    **{f"seat.{seat}.first.label": f"Seat {seat + 1}: first places" for seat in range(SEATS)},
}


def side(value: str, shift: float = 0.0) -> Side:
    """A rule set whose rounds are shorter, and whose penalties more frequent, by the shift."""
    firsts = [0.29 - shift / 50, 0.252, 0.246, 0.212 + shift / 50]
    return Side(
        options=(
            Option("ender_tie", value, "When the ender ties", f"what {value} means"),
            Option("deck", "skyjo150", "Deck", "150 cards"),
        ),
        named=("ender_tie",),
        matches=4000,
        abandoned=0,
        seats=tuple(
            Seat(seat, about(-70.0, 2.0), about(0.0, 1.0), about(first, 0.012), 1 / SEATS)
            for seat, first in enumerate(firsts)
        ),
        bots=(Entrant("greedy", about(-70.0, 1.0), Estimate(0.25, 0.25, 0.25), 0.25),),
        lengths=(
            Length("decisions", "Decisions", about(10.8 - shift, 0.1), Histogram(4, 2, (3, 9, 21, 14, 5, 1), beyond=2)),
            Length("rounds", "Rounds", about(3.0, 0.0), Histogram(3, 1, (53,))),
        ),
        shared=about(0.03, 0.01),
        counts=(
            Count("doubled", "Penalties", "of the rounds", SHARE, about(0.19 + shift / 30, 0.02)),
            Count("columns", "Columns <removed> & kept", "a round", COUNT, about(2.17, 0.04)),
        ),
        luck=(
            Part("deal", "the deal", about(0.62, 0.03)),
            Part("seat", "the seat", about(0.02, 0.01)),
            Part("rest", "all other choices", about(0.36, 0.03)),
        ),
        texts=TEXTS,
    )


def compared(shift: float = 1.7) -> Findings:
    """Two rule sets on the same deals; with a shift of 0 nothing can be told."""
    a, b = side("safe"), side("doubled", shift)
    changed = {
        "length.decisions": about(-shift, 0.2),
        "length.rounds": about(0.0, 0.0),
        "rule.doubled": about(shift / 30, 0.016),
        "rule.columns": about(0.001, 0.02),
        "shared": about(0.001, 0.01),
        **{f"seat.{seat}.first": about(0.004 - 0.002 * seat, 0.012) for seat in range(SEATS)},
        "luck.deal": about(-0.02, 0.03),
    }
    return replace(
        alone(),
        question="Should a tie save the player who ends the round?",
        a=a,
        b=b,
        differences=tuple(Difference(key, value) for key, value in changed.items()),
    )


def alone() -> Findings:
    """One rule set, measured."""
    return Findings(
        question="",
        game="detect",
        title="Detect",
        together=False,
        places=SEATS,
        bots=("greedy",) * SEATS,
        rounds=0,
        unit="match",
        seed="lab 14",
        deals=4000,
        asked=4000,
        repeats=1,
        seatings=1,
        package="1.2.3",
        version=1,
        a=side("safe"),
        made="2026-05-12",
    )


def together() -> Findings:
    """A game that is won or lost together, by one team."""
    one = side("safe")
    team = Entrant("greedy", about(3.0, 0.2), about(0.92, 0.02), float("nan"))
    found = replace(one, seats=(), bots=(team,), luck=(), named=())
    return replace(alone(), game="uncovered", title="Uncovered!", together=True, unit="game", a=found)
