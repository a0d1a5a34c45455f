"""A rule change, measured.

Detect asks whether three equal numbers in a column are also removed when the round's last cards are flipped
(`set_on_final_reveal`). What is the answer worth to the players?

Both ways begin with the same deals: match for match the same seed, so that luck with the cards falls out of the
difference. Everybody plays at random here, which is enough to see whether a rule touches the score at all, and takes a
second for ten thousand matches; what good players make of it is a question for the bots.
"""

from __future__ import annotations

import facedown
from facedown.simulate.confidence_intervals import Estimate, interval

GAME = "detect"
OPTION = "set_on_final_reveal"
SEATS = 3


def difference(matches: int, seed: str = "a rule change") -> Estimate:
    """How many points more a seat has at the end of a match, in the mean, when such columns go; with its interval.

    Scores count upwards: in Detect a point less in the grid is a point more here.
    """
    ways = {
        value: facedown.playouts(GAME, matches, SEATS, {OPTION: value}, seed).returns.mean(axis=1)
        for value in ("yes", "no")
    }
    # Both ways of one match are a pair: the pairs are independent of each other, the two in a pair are not.
    return interval(list(ways["yes"] - ways["no"]), bounds=None)


def main(matches: int = 10_000) -> str:
    """Measure it, and say in one sentence what came out."""
    found = difference(matches)
    if not found.excludes(0.0):
        return f"{matches:,} matches cannot tell: between {found.low:+.2f} and {found.high:+.2f} points."
    return (
        f"A seat has {found.mean:+.2f} points a match when columns are removed at the final flip, too "
        f"({found.low:+.2f} to {found.high:+.2f}, {matches:,} matches at random)."
    )


if __name__ == "__main__":
    print(main())
