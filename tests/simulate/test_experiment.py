"""Experiments from end to end: figures that can be recomputed from the rows, and differences that are known."""

from __future__ import annotations

import math

import numpy as np
import pytest

from facedown.core.game_registry import catalogue
from facedown.core.translation import use_language
from facedown.simulate.deal_measurements import statistics_without_values
from facedown.simulate.experiment import Run, compare, simulate
from facedown.simulate.experiment_setup import Setup
from facedown.simulate.findings import RULES, BadFindings, Findings, Histogram, Row, findings_from_json
from facedown.simulate.findings_computation import histogram
from tests.not_none import given


def column(found: Run, name: str, side: int = 0) -> np.ndarray:
    parts = list(found.to_arrow_tables())
    values = np.concatenate([part[name].to_numpy() for part in parts])
    return values[np.concatenate([part["side"].to_numpy() for part in parts]) == side]


def rows(findings: Findings) -> dict[str, Row]:
    return {row.a.key: row for row in findings.rows()}


@pytest.fixture(scope="module")
def ties() -> Run:
    return compare("detect", ["greedy"], {"ender_tie": "safe"}, {"ender_tie": "doubled"}, deals=3000, rounds=1, jobs=1)


def test_statistics_of_an_experiment_equal_those_recomputed_from_its_result_rows() -> None:
    found = simulate("detect", ["beginner", "greedy"], seats=3, deals=200, repeats=2, jobs=1, seed="rows")
    at = rows(found.findings)
    scores = np.stack([column(found, f"score_{seat}") for seat in range(3)], axis=1)
    rounds, seating, first = (column(found, name) for name in ("rounds", "seating", "first"))
    assert len(rounds) == 200 * 3 * 2 == found.findings.a.matches
    assert at["length.rounds"].a.value.mean == pytest.approx(rounds.mean())
    turns = column(found, "rule_turns").sum() / rounds.sum()
    assert at["rule.turns"].a.value.mean == pytest.approx(turns)
    best = scores.max(axis=1, keepdims=True) == scores
    share = best / best.sum(axis=1, keepdims=True)
    opening = share[np.arange(len(first)), first].mean()
    assert at["seat.0.first"].a.value.mean == pytest.approx(opening)
    beginner = np.array(Setup("detect", ("beginner", "greedy"), 3).seatings)[seating] == 0
    assert at["bot.0.score"].a.value.mean == pytest.approx(scores[beginner].mean())
    assert at["bot.1.first"].a.value.mean == pytest.approx(share[~beginner].mean())
    seats = found.findings.a.select_by_key
    assert sum(each.value.mean for each in seats("seat.", ".first")) == pytest.approx(1.0)
    assert sum(each.value.mean for each in seats("seat.", ".advantage")) == pytest.approx(0.0, abs=1e-9)
    assert at["shared"].a.value.mean == pytest.approx((best.sum(axis=1) > 1).mean())
    # Greedy play is far better, and the findings say so.
    assert at["bot.1.first"].is_significant
    assert at["bot.1.first"].a.value.mean > at["bot.0.first"].a.value.mean


def test_comparison_of_a_stricter_rule_for_ties_finds_more_doubled_scores_in_the_same_games(ties: Run) -> None:
    """The bots ignore this rule and play the same rounds. Only the doubling differs, by exactly the ties."""
    at = rows(ties.findings)
    for same in ("length.decisions", "rule.turns", "rule.columns", "rule.points", "rule.tied"):
        assert given(at[same].difference).mean == 0.0
        assert not at[same].is_significant
    a, b = column(ties, "rule_doubled"), column(ties, "rule_doubled", 1)
    assert np.array_equal(b - a, column(ties, "rule_tied"))
    doubled = at["rule.doubled"]
    assert doubled.is_significant
    assert given(doubled.difference).mean == pytest.approx((b - a).sum() / column(ties, "rule_ended").sum())
    assert [option.name for option in ties.findings.a.options if option.name in ties.findings.a.named] == ["ender_tie"]


def test_confidence_interval_of_two_rule_sets_difference_uses_the_difference_in_each_deal(ties: Run) -> None:
    row = rows(ties.findings)["rule.penalty"]
    change = column(ties, "rule_penalty", 1) - column(ties, "rule_penalty").astype(float)
    radius = 1.9608 * change.std(ddof=1) / math.sqrt(len(change))
    paired, other = given(row.difference), given(row.b).value
    assert (paired.low, paired.high) == pytest.approx((change.mean() - radius, change.mean() + radius), rel=1e-3)
    # With different deals it would be far wider.
    assert paired.high - paired.low < 0.5 * (other.high - other.low)


@pytest.mark.parametrize("name", catalogue())
def test_statistics_of_every_game_lie_in_their_confidence_intervals_and_are_restored_from_json(name: str) -> None:
    found = simulate(name, ["random"], deals=8, repeats=2, jobs=1, seed="every game").findings
    figures = found.a.figures
    assert found.title == catalogue()[name].title
    assert len({figure.key for figure in figures}) == len(figures)
    assert all(figure.label for figure in figures)
    for figure in figures:
        if math.isfinite(figure.value.mean):
            assert figure.value.low <= figure.value.mean <= figure.value.high, figure.key
        if figure.unit == "share" and math.isfinite(figure.value.mean):
            assert 0.0 <= figure.value.mean <= 1.0, figure.key
    assert found.a.histograms["length.decisions"].total == found.a.matches
    # Figures that a few deals leave unknown survive JSON, too.
    assert findings_from_json(found.json()).json() == found.json()


def test_variance_shares_of_results_add_up_to_one_and_exist_only_for_repeated_deals() -> None:
    luck = simulate("reveille", ["beginner"], deals=100, rounds=1, repeats=3, jobs=1).findings.a.select_by_key("luck.")
    assert [part.key for part in luck] == ["luck.deal", "luck.seat", "luck.rest"]
    assert sum(part.value.mean for part in luck) == pytest.approx(1.0)
    assert simulate("reveille", ["beginner"], deals=10, rounds=1, jobs=1).findings.a.select_by_key("luck.") == []


def test_findings_of_an_experiment_are_restored_from_json_and_invalid_json_is_refused(ties: Run) -> None:
    assert findings_from_json(ties.findings.json()) == ties.findings
    assert findings_from_json(ties.findings.json(2)) == ties.findings
    for wrong in (
        "",
        "[]",
        "{}",
        "null",
        '{"question": 3}',
        ties.findings.json().replace('"deals": 3000', '"deals": "x"'),
    ):
        with pytest.raises(BadFindings, match="not valid findings: ") as problem:
            findings_from_json(wrong)
        assert "\n" not in str(problem.value)


def test_histogram_shows_a_few_outliers_as_a_separate_count_but_more_outliers_as_bars() -> None:
    counts = np.zeros(800, np.int64)
    counts[50:70], counts[799] = 10, 1
    found = histogram(counts)
    assert (found.start, found.width, found.beyond, found.total) == (50, 1, 1, 201)
    counts[799] = 4
    assert histogram(counts).beyond == 4, "as many as are told in words beside it"
    counts[799] = 5
    assert histogram(counts).beyond == 0
    assert len(histogram(counts).counts) <= 40


def test_median_of_a_histogram_is_computed_from_its_bars_and_is_nan_if_it_is_empty() -> None:
    assert Histogram(3, 1, (1, 1, 1)).median == pytest.approx(4, abs=1)
    assert math.isnan(Histogram(0, 1, ()).median)
    assert {figure.group for figure in simulate("scout", ["greedy"], deals=2, jobs=1).findings.a.figures} >= {RULES}


@pytest.mark.parametrize(
    ("seats", "even"),
    [(2, "50 %"), (3, "33.3 %"), (4, "25 %"), (5, "20 %"), (6, "16.7 %"), (7, "14.3 %"), (8, "12.5 %")],
)
def test_even_share_of_wins_is_shown_in_percent_with_one_decimal_only_if_needed(seats: int, even: str) -> None:
    setup = Setup("detect", ("random", "greedy"), seats)
    notes = {figure.key: figure.note for figure in statistics_without_values(setup)}
    assert notes["seat.0.first"] == notes["bot.0.first"] == f"an even share is {even}"
    with use_language("de"):
        german = {figure.note for figure in statistics_without_values(setup) if figure.key == "seat.0.first"}
    assert german == {f"bei gleichen Chancen wären es {even.replace('.', ',')}"}
