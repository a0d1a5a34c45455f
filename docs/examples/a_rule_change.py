"""A rule change, measured.

For designers who want to know what a rule does to the scores. In Detect the option `set_on_final_reveal` decides
whether three equal numbers in a column are also removed when the round's last cards are flipped. How many points is
that worth?

Both rule sets are played on the same deals, so the luck of the deal cancels out. Random players are enough to see
whether a rule affects the score, and play ten thousand matches in about a second. To see what good players make of
it, use bots.
"""

from __future__ import annotations

import facedown
from facedown.simulate.confidence_intervals import Estimate, mean_with_interval

GAME = "detect"
OPTION = "set_on_final_reveal"
SEATS = 3


def difference(matches: int, seed: str = "a rule change") -> Estimate:
    """Return the mean gain in points per seat and match when such columns are removed, with its interval.

    Higher scores are better: a point less in a Detect grid is a point more here.
    """
    returns = {
        value: facedown.playouts(GAME, matches, SEATS, {OPTION: value}, seed).returns.mean(axis=1)
        for value in ("yes", "no")
    }
    # The two results of a deal depend on each other; those of different deals do not.
    return mean_with_interval(list(returns["yes"] - returns["no"]), bounds=None)


def main(matches: int = 10_000) -> str:
    """Measure the gain and return the result as a sentence."""
    found = difference(matches)
    if not found.excludes(0.0):
        return f"{matches:,} matches cannot tell: between {found.low:+.2f} and {found.high:+.2f} points."
    return (
        f"A seat has {found.mean:+.2f} points a match when columns are removed at the final flip, too "
        f"({found.low:+.2f} to {found.high:+.2f}, {matches:,} matches at random)."
    )


if __name__ == "__main__":
    print(main())
