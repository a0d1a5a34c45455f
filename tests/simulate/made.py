"""Findings made up for tests: two rule sets that differ in some figures and not in others, and one rule set."""

from __future__ import annotations

from dataclasses import replace

from facedown.simulate.confidence import Estimate
from facedown.simulate.findings import (
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


def about(mean: float, half: float) -> Estimate:
    """A mean with so much to either side."""
    return Estimate(mean, mean - half, mean + half)


PLACES = 4


def side(value: str, shift: float = 0.0) -> Side:
    """A rule set whose rounds are shorter, and whose penalties more frequent, by the shift."""
    firsts = [0.29 - shift / 50, 0.252, 0.246, 0.212 + shift / 50]
    lead, points = "of the variance of a lead", about(-70.0, 2.0)
    return Side(
        options=(
            Option("ender_tie", value, "When the ender ties", f"what {value} means"),
            Option("deck", "skyjo150", "Deck", "150 cards"),
        ),
        named=("ender_tie",),
        matches=4000,
        abandoned=0,
        figures=(
            Figure("length.decisions", LENGTHS, "Decisions", "", COUNT, about(10.8 - shift, 0.1)),
            Figure("length.rounds", LENGTHS, "Rounds", "", COUNT, about(3.0, 0.0)),
            Figure("rule.doubled", RULES, "Penalties", "of the rounds", SHARE, about(0.19 + shift / 30, 0.02)),
            Figure("rule.columns", RULES, "Columns <removed> & kept", "a round", COUNT, about(2.17, 0.04)),
            Figure("shared", SEATS, "First place shared", "of all results", SHARE, about(0.03, 0.01)),
            *(
                figure
                for i, first in enumerate(firsts)
                for figure in (
                    Figure(f"seat.{i}.score", SCORES, f"Seat {i + 1}: points", "", POINTS, points),
                    Figure(f"seat.{i}.advantage", SEATS, f"Seat {i + 1}: advantage", "", POINTS, about(0.0, 1.0), 0.0),
                    Figure(
                        f"seat.{i}.first", SEATS, f"Seat {i + 1}: first places", "", SHARE, about(first, 0.012), 0.25
                    ),
                )
            ),
            Figure("bot.0.score", SCORES, "greedy: points", "", POINTS, about(-70.0, 1.0)),
            Figure("luck.deal", LUCK, "the deal", lead, SHARE, about(0.62, 0.03)),
            Figure("luck.seat", LUCK, "the seat", lead, SHARE, about(0.02, 0.01)),
            Figure("luck.rest", LUCK, "all other choices", lead, SHARE, about(0.36, 0.03)),
        ),
        histograms={
            "length.decisions": Histogram(4, 2, (3, 9, 21, 14, 5, 1), beyond=2),
            "length.rounds": Histogram(3, 1, (53,)),
        },
    )


def changed(found: Side, **values: Estimate) -> Side:
    """The same with other values of figures, by their keys."""
    figures = tuple(replace(each, value=values.get(each.key, each.value)) for each in found.figures)
    return replace(found, figures=figures)


def compared(shift: float = 1.7) -> Findings:
    """Two rule sets on the same deals; with a shift of 0 nothing can be told."""
    a, b = side("safe"), side("doubled", shift)
    differences = {
        "length.decisions": about(-shift, 0.2),
        "length.rounds": about(0.0, 0.0),
        "rule.doubled": about(shift / 30, 0.016),
        "rule.columns": about(0.001, 0.02),
        "shared": about(0.001, 0.01),
        **{f"seat.{seat}.first": about(0.004 - 0.002 * seat, 0.012) for seat in range(PLACES)},
        "luck.deal": about(-0.02, 0.03),
    }
    return replace(
        alone(),
        question="Should a tie save the player who ends the round?",
        a=a,
        b=b,
        differences=differences,
    )


def alone() -> Findings:
    """One rule set, measured."""
    return Findings(
        question="",
        game="detect",
        title="Detect",
        together=False,
        places=PLACES,
        bots=("greedy",) * PLACES,
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
    team = (
        Figure("bot.0.score", SCORES, "greedy: score of games won", "", POINTS, about(3.0, 0.2)),
        Figure("bot.0.first", SCORES, "greedy: games won", "of the games", SHARE, about(0.92, 0.02)),
    )
    figures = (*(figure for figure in one.figures if figure.group in (LENGTHS, RULES)), *team)
    found = replace(one, figures=figures, named=())
    return replace(alone(), game="uncovered", title="Uncovered!", together=True, unit="game", a=found)
