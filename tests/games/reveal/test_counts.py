"""What is counted of Reveal adds up to the points."""

from __future__ import annotations

import numpy as np
import pytest

from facedown.simulate.chunks import play_chunk
from facedown.simulate.setup import Setup


@pytest.mark.parametrize("options", [{}, {"final_unlocks": "no"}])
@pytest.mark.parametrize("bot", ["greedy", "random"])
def test_counts_add_up(bot: str, options: dict[str, str], seed: int) -> None:
    setup = Setup("reveal", (bot,), options=options, deals=150, seed=str(seed))
    found = {name.removeprefix("rule_"): column for name, column in play_chunk(setup, 0).items()}
    decided = found["over"] == 1
    assert np.array_equal(found["hands"], 2 * found["rounds"])
    assert np.array_equal((found["score_0"] + found["score_1"])[decided], found["points"][decided])
    # A hand that counts is worth three at least.
    assert (found["points"] >= 3 * (found["hands"] - found["below"])).all()
    assert (found["closed"] <= found["hands"] - found["below"]).all()
    for part in ("level", "same_column"):
        assert (found[part] <= found["rounds"]).all()
    # One, two and three cards may be swapped for the rows of each.
    assert (found["swaps"] <= 12 * found["rounds"]).all()
    assert found["swaps"].sum() > 0
    assert (found["second_thoughts"] >= 0).all()
    if bot == "random":
        assert found["below"].sum() > 0
        assert found["closed"].sum() > 0
