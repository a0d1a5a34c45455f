"""What is counted of Reveille adds up to the marks."""

from __future__ import annotations

import numpy as np
import pytest

from facedown.simulate.chunks import play_chunk
from facedown.simulate.setup import Setup


@pytest.mark.parametrize("bot", ["greedy", "beginner", "random"])
def test_counts_add_up(bot: str, seed: int) -> None:
    # By chance a made contract is seldom played on for more.
    setup = Setup("reveille", (bot,), deals=2000 if bot == "random" else 150, seed=str(seed))
    found = {name.removeprefix("rule_"): column for name, column in play_chunk(setup, 0).items()}
    decided = found["over"] == 1
    assert np.array_equal(found["rounds"], found["contracts"] + found["thrown_in"])
    # Every contract is worth a mark to one of the two.
    assert np.array_equal((found["score_0"] + found["score_1"])[decided], found["contracts"][decided])
    for part, whole in (
        ("made", "contracts"),
        ("nello", "contracts"),
        ("nello_made", "nello"),
        ("highest", "contracts"),
        ("claims", "contracts"),
        ("nello_made", "made"),
    ):
        assert (found[part] <= found[whole]).all(), (part, whole)
    assert np.array_equal(found["claims"], found["true_claims"] + found["false_claims"])
    assert (found["true_claims"] <= found["made"]).all()
    assert (found["saved"] <= 7 * found["true_claims"]).all()
    assert (found["tricks"] + found["saved"] <= 7 * found["contracts"]).all()
    assert ((4 * found["contracts"] <= found["bid"]) & (found["bid"] <= 42 * found["contracts"])).all()
    assert (found["burnt"] <= 35 * found["contracts"]).all()
    if bot == "greedy":
        assert found["false_claims"].sum() == 0 < found["true_claims"].sum()
    if bot == "random":
        assert found["false_claims"].sum() > 0
        assert found["played_on"].sum() > 0


def test_without_claims_none_is_counted(seed: int) -> None:
    setup = Setup("reveille", ("greedy",), options={"auto_end": "on"}, deals=60, seed=str(seed))
    found = play_chunk(setup, 0)
    assert found["rule_claims"].sum() == found["rule_played_on"].sum() == 0
