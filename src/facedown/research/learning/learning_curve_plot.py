"""Image of the learning curve of a training run: rewards, quality of the critic and entropy by number of decisions."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from facedown.research.learning.trainer import Point


def draw_learning_curve(points: Sequence[Point], title: str, path: Path) -> None:
    """Draw the learning curve of a training run to an image file. The suffix of `path` selects the format.

    The x-axis is the number of decisions, in millions. There are two plots:

    * The upper plot has one curve, the mean reward against greedy bots, with its 95 % confidence interval.
    * The lower plot has two curves: the share of the variance of rewards that the critic predicts, and the entropy of
      the policy.
    """
    figure = Figure(figsize=(7.0, 4.0), dpi=120, layout="constrained")
    FigureCanvasAgg(figure)
    worth, share = figure.subplots(2, 1, sharex=True, height_ratios=[2, 1])
    measured = [one for one in points if one.worth == one.worth]
    at = [one.decisions / 1e6 for one in measured]
    middle = [one.worth for one in measured]
    worth.axhline(0.0, color="0.7", linewidth=1.0)
    worth.plot(at, middle, color="tab:blue")
    low = [one.worth - one.margin for one in measured]
    high = [one.worth + one.margin for one in measured]
    worth.fill_between(at, low, high, color="tab:blue", alpha=0.2)
    worth.set_title(title)
    worth.set_ylabel("a round against greedy")
    every = [one.decisions / 1e6 for one in points]
    share.plot(every, [one.explained for one in points], color="tab:green", label="explained by the critic")
    share.plot(every, [one.spread for one in points], color="tab:orange", label="entropy of the choices")
    share.set_xlabel("million decisions")
    share.legend()
    figure.savefig(path)
