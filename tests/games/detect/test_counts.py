"""What is counted of Detect adds up to what is scored."""

from __future__ import annotations

import numpy as np
import pytest

from facedown.simulate.chunks import play_chunk
from facedown.simulate.setup import Setup


@pytest.mark.parametrize("options", [{}, {"ender_tie": "doubled", "double_scope": "positive_cards"}])
@pytest.mark.parametrize("bot", ["greedy", "beginner"])
def test_counts_add_up(bot: str, options: dict[str, str], seed: int) -> None:
    setup = Setup("detect", (bot,), 3, options, deals=150, seed=str(seed))
    found = {name.removeprefix("rule_"): column for name, column in play_chunk(setup, 0).items()}
    decided = found["over"] == 1
    totals = found["score_0"] + found["score_1"] + found["score_2"]
    assert np.array_equal(totals[decided], -(found["points"] + found["penalty"])[decided])
    safe = 0 if options else found["tied"]
    assert np.array_equal(found["ended"], found["lowest"] + found["doubled"] + safe)
    assert (found["ended"] <= found["rounds"]).all()
    assert (found["column_fell"] <= found["rounds"]).all()
    assert (found["column_fell"] <= found["columns"]).all()
    assert ((found["columns"] > 0) == (found["column_fell"] > 0)).all()
    # A turn is one action or two; opening is one for each seat in each round.
    turns = found["decisions"] - 3 * found["rounds"]
    assert ((found["turns"] <= turns) & (turns <= 2 * found["turns"])).all()
    assert found["doubled"].sum() > 0
    assert found["columns"].sum() > 0
    assert set(found["ender_seat"].tolist()) <= {-1, 0, 1, 2}
