"""What is counted of SCOUT adds up: cards, turns and how rounds end."""

from __future__ import annotations

import numpy as np
import pytest

from facedown.games.scout.cards import HAND_OF
from facedown.simulate.chunks import play_chunk
from facedown.simulate.setup import Setup


@pytest.mark.parametrize("seats", [2, 3, 5])
@pytest.mark.parametrize("bot", ["greedy", "random"])
def test_counts_add_up(bot: str, seats: int, seed: int) -> None:
    # With five seats all scout in one match of ten: in 250 it happens, but for one run in a hundred thousand million.
    setup = Setup("scout", (bot,), seats, deals=250, seed=str(seed))
    found = {name.removeprefix("rule_"): column for name, column in play_chunk(setup, 0).items()}
    # The Scout of a Scout and Show is no turn of its own.
    assert np.array_equal(found["turns"], found["shows"] + found["scouts"])
    assert (found["scout_and_shows"] <= found["shows"]).all()
    # What was dealt and scouted was shown, or is left.
    dealt = seats * HAND_OF[seats] * found["rounds"]
    taken = found["scouts"] + found["scout_and_shows"]
    assert np.array_equal(dealt + taken, found["cards_shown"] + found["cards_left"])
    assert (found["cards_shown"] >= found["shows"]).all()
    ends = found["emptied"] + found["all_scouted"] + found["stuck"]
    assert (ends <= found["rounds"]).all()
    assert np.array_equal(ends > 0, found["ender_seat"] >= 0) or bot == "random"
    if seats == 2:
        assert found["scout_and_shows"].sum() == found["all_scouted"].sum() == 0
    else:
        assert found["stuck"].sum() == 0
        assert found["all_scouted"].sum() > 0
    # Who turns their hand round, and who plays.
    flips = found["decisions"] - found["turns"] - found["scout_and_shows"]
    assert np.array_equal(flips, seats * found["rounds"])
    assert (found["flips"] <= flips).all()
