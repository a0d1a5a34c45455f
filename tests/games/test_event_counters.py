"""Counters of each game: they add up to the scores."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from facedown.games.scout.info import HAND_SIZES
from facedown.simulate.experiment_chunks import play_chunk
from facedown.simulate.experiment_setup import Setup


def play_and_count(game: str, bot: str, seats: int, options: dict[str, str], deals: int, seed: int) -> dict[str, Any]:
    """Return the columns of some matches of a bot against itself."""
    found = play_chunk(Setup(game, (bot,), seats, options, deals=deals, seed=str(seed)), 0)
    return {name.removeprefix("rule_"): column for name, column in found.items()}


@pytest.mark.parametrize("options", [{}, {"final_unlocks": "no"}])
@pytest.mark.parametrize("bot", ["greedy", "random"])
def test_statistics_of_reveal_matches_are_consistent_with_each_other_and_the_scores(
    bot: str, options: dict[str, str], seed: int
) -> None:
    found = play_and_count("reveal", bot, 2, options, 150, seed)
    decided = found["over"] == 1
    assert np.array_equal(found["hands"], 2 * found["rounds"])
    assert np.array_equal((found["score_0"] + found["score_1"])[decided], found["points"][decided])
    # A hand that counts is worth at least three points.
    assert (found["points"] >= 3 * (found["hands"] - found["below"])).all()
    assert (found["closed"] <= found["hands"] - found["below"]).all()
    for part in ("level", "same_column"):
        assert (found[part] <= found["rounds"]).all()
    # For the three rows each player may swap one, two and three cards.
    assert (found["swaps"] <= 12 * found["rounds"]).all()
    assert found["swaps"].sum() > 0
    assert (found["second_thoughts"] >= 0).all()
    if bot == "random":
        assert found["below"].sum() > 0
        assert found["closed"].sum() > 0


@pytest.mark.parametrize("options", [{}, {"ender_tie": "doubled", "double_scope": "positive_cards"}])
@pytest.mark.parametrize("bot", ["greedy", "beginner"])
def test_statistics_of_detect_matches_are_consistent_with_each_other_and_the_scores(
    bot: str, options: dict[str, str], seed: int
) -> None:
    found = play_and_count("detect", bot, 3, options, 150, seed)
    decided = found["over"] == 1
    totals = found["score_0"] + found["score_1"] + found["score_2"]
    assert np.array_equal(totals[decided], -(found["points"] + found["penalty"])[decided])
    safe = 0 if options else found["tied"]
    assert np.array_equal(found["ended"], found["lowest"] + found["doubled"] + safe)
    for part, whole in (("ended", "rounds"), ("column_fell", "rounds"), ("column_fell", "columns")):
        assert (found[part] <= found[whole]).all()
    assert ((found["columns"] > 0) == (found["column_fell"] > 0)).all()
    # A turn has one action or two; the opening has one for each seat in each round.
    turns = found["decisions"] - 3 * found["rounds"]
    assert ((found["turns"] <= turns) & (turns <= 2 * found["turns"])).all()
    assert found["doubled"].sum() > 0
    assert found["columns"].sum() > 0
    assert set(found["ender_seat"].tolist()) <= {-1, 0, 1, 2}


@pytest.mark.parametrize(
    ("bot", "options"),
    [("greedy", {"score": "raw_turns"}), ("beginner", {"mode": "intermediate", "turning": "choice"}), ("random", {})],
)
def test_statistics_of_uncovered_matches_are_consistent_with_each_other_and_the_scores(
    bot: str, options: dict[str, str], seed: int
) -> None:
    found = play_and_count("uncovered", bot, 3, options, 60, seed)
    assert (found["won"] + found["too_early"] + found["given_up"] == 1).all()
    assert np.array_equal(found["score_0"] > -200, found["won"] == 1)
    assert np.array_equal(found["over"] == 2, found["given_up"] == 1)
    assert np.array_equal(found["turns_won"], found["turns"] * found["won"])
    played = found["turns"] + 1 - found["given_up"]
    if bot == "beginner":
        assert (found["decisions"] >= played).all()
        assert found["turned"].sum() > 0
    else:
        assert np.array_equal(found["decisions"], played)
        assert found["turned"].sum() == 0
    if "score" in options:
        assert np.array_equal(-found["score_0"][found["won"] == 1], found["turns_won"][found["won"] == 1])
    if bot == "random":
        assert found["too_early"].sum() > 0


@pytest.mark.parametrize("bot", ["greedy", "beginner", "random"])
def test_statistics_of_reveille_matches_are_consistent_with_each_other_and_the_scores(bot: str, seed: int) -> None:
    # A random player rarely plays on with a made contract.
    found = play_and_count("reveille", bot, 2, {}, 2000 if bot == "random" else 150, seed)
    decided = found["over"] == 1
    assert np.array_equal(found["rounds"], found["contracts"] + found["thrown_in"])
    # Every contract is worth a mark to one of the two players.
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


def test_with_option_auto_end_no_claims_are_counted_in_matches_of_reveille(seed: int) -> None:
    found = play_and_count("reveille", "greedy", 2, {"auto_end": "on"}, 60, seed)
    assert found["claims"].sum() == found["played_on"].sum() == 0


@pytest.mark.parametrize("seats", [2, 3, 5])
@pytest.mark.parametrize("bot", ["greedy", "random"])
def test_statistics_of_scout_matches_are_consistent_with_the_numbers_of_cards_and_turns(
    bot: str, seats: int, seed: int
) -> None:
    # With five seats, one match in ten has a round in which all scout. One run of 250 matches in 10^11 has none.
    found = play_and_count("scout", bot, seats, {}, 250, seed)
    # The Scout of a Scout and Show does not count as a turn.
    assert np.array_equal(found["turns"], found["shows"] + found["scouts"])
    assert (found["scout_and_shows"] <= found["shows"]).all()
    # The cards dealt and scouted were shown, or are left.
    dealt = seats * HAND_SIZES[seats] * found["rounds"]
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
    # Decisions to keep or flip the hand, and the starter's.
    flips = found["decisions"] - found["turns"] - found["scout_and_shows"]
    assert np.array_equal(flips, seats * found["rounds"])
    assert (found["flips"] <= flips).all()
