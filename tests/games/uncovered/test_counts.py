"""What is counted of Uncovered! adds up to the score."""

from __future__ import annotations

import numpy as np
import pytest

from facedown.simulate.chunks import play_chunk
from facedown.simulate.setup import Setup


@pytest.mark.parametrize(
    ("bot", "options"),
    [("greedy", {"score": "raw_turns"}), ("beginner", {"mode": "intermediate", "turning": "choice"}), ("random", {})],
)
def test_counts_add_up(bot: str, options: dict[str, str], seed: int) -> None:
    setup = Setup("uncovered", (bot,), 3, options, deals=60, seed=str(seed))
    found = {name.removeprefix("rule_"): column for name, column in play_chunk(setup, 0).items()}
    assert (found["won"] + found["too_early"] + found["given_up"] == 1).all()
    assert np.array_equal(found["score_0"] > -200, found["won"] == 1)
    assert np.array_equal(found["over"] == 2, found["given_up"] == 1)
    assert np.array_equal(found["turns_won"], found["turns"] * found["won"])
    uncovered = 1 - found["given_up"]
    if bot != "beginner":
        assert np.array_equal(found["decisions"], found["turns"] + uncovered)
        assert found["turned"].sum() == 0
    else:
        assert (found["decisions"] >= found["turns"] + uncovered).all()
        assert found["turned"].sum() > 0
    if "score" in options:
        assert np.array_equal(-found["score_0"][found["won"] == 1], found["turns_won"][found["won"] == 1])
    if bot == "random":
        assert found["too_early"].sum() > 0
