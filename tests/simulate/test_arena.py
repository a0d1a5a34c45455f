"""The arena: the same deals in every seating, reproducible results, and no verdict before it is significant."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from facedown.core.game_registry import GameModule
from facedown.simulate.arena import MIN_DEALS, Standing, hold_contest, result_rows
from facedown.simulate.confidence_intervals import elo_from_share
from facedown.simulate.contest import Contest, ContestWorker
from tests.not_none import given
from tests.simulate.bots import First

TIMES = ("ms_a_move", "slowest_ms")


class Last:
    """A bot that always plays the last legal action."""

    def choose(self, game: GameModule, view: Any, seat: int, seed: int) -> int:
        return game.legal(view, seat)[-1]


@dataclass
class Recorder:
    """A bot that plays the first legal action and records what it is shown and its seeds."""

    seen: list[tuple[int, bytes]] = field(default_factory=list)
    seeds: list[int] = field(default_factory=list)

    def choose(self, game: GameModule, view: Any, seat: int, seed: int) -> int:
        self.seen.append((seat, view.card.tobytes()))
        self.seeds.append(seed)
        return game.legal(view, seat)[0]


def final_standing(contest: Contest) -> Standing:
    """Return the last standing of a contest."""
    *_, last = hold_contest(contest)
    return last


def rows_without_times(standing: Standing) -> list[dict[str, Any]]:
    """Return the table without the times, which differ from run to run."""
    return [{key: value for key, value in row.items() if key not in TIMES} for row in result_rows(standing)]


def test_bots_rotate_through_all_seats_in_a_contest_and_a_cooperative_team_takes_every_seat() -> None:
    assert Contest("detect", ("a", "b")).seatings == ((0, 1), (1, 0))
    # The last bot takes the remaining seats, and all rotate.
    rest = Contest("detect", ("a", "b"), seats=4)
    assert rest.lineup == (0, 1, 1, 1)
    assert rest.seatings == ((0, 1, 1, 1), (1, 0, 1, 1), (1, 1, 0, 1), (1, 1, 1, 0))
    assert rest.fair_share == 0.25
    # Bots with the same name are one entrant, unless all have the same name.
    assert Contest("detect", ("a", "b", "b")).entrants == ("a", "b")
    alone = Contest("detect", ("a", "a"))
    assert (alone.entrants, alone.players(1)) == (("a 1", "a 2"), ("a",))
    # In a cooperative game, each name is a team on all seats.
    teams = Contest("uncovered", ("a", "b+c"), seats=3)
    assert (teams.seatings, teams.players(1)) == (((0, 0, 0), (1, 1, 1)), ("b", "c"))


def test_bot_that_plays_against_itself_gets_exactly_half_of_the_first_places() -> None:
    standing = final_standing(Contest("detect", ("first", "first"), rounds=1, deals=12, makers={"first": First}))
    assert standing.first_bot_first_place_share.mean == 0.5
    assert not standing.decided
    assert standing.deals == 12
    assert given(standing.rows[1].first_bot_ahead_share).mean == 0.5


def test_all_seatings_of_a_deal_get_the_same_cards_and_other_deals_other_cards() -> None:
    recorder = Recorder()
    contest = Contest("reveille", ("me", "you"), rounds=1, makers={"me": lambda: recorder, "you": lambda: recorder})
    stage = ContestWorker(contest)
    starts = []
    for number in range(3):
        recorder.seen.clear()
        stage.play_deal_in_every_seating(number)
        # Both bots play alike, so the same cards give the same match.
        half = len(recorder.seen) // 2
        assert recorder.seen[:half] == recorder.seen[half:]
        starts.append(recorder.seen[0])
    assert len(set(starts)) == 3
    assert len(set(recorder.seeds)) == len(recorder.seeds), "every choice has a seed of its own"


@pytest.mark.slow
def test_arena_results_depend_on_the_seed_but_not_on_the_number_of_worker_processes() -> None:
    contest = Contest("detect", ("greedy", "random"), rounds=1, deals=8, stop=False, seed="one")
    here = rows_without_times(final_standing(contest))
    assert here == rows_without_times(final_standing(contest))
    assert here == rows_without_times(final_standing(replace(contest, jobs=2)))
    assert here != rows_without_times(final_standing(replace(contest, seed="two")))


def test_arena_stops_dealing_as_soon_as_the_result_is_significant() -> None:
    contest = Contest("detect", ("greedy", "random"), rounds=1, deals=60)
    standing = final_standing(contest)
    assert MIN_DEALS <= standing.deals < 60
    assert standing.decided
    assert "more than 50 %" in standing.verdict
    assert final_standing(replace(contest, bots=("random", "greedy"))).verdict.endswith("less than 50 %.")
    assert final_standing(replace(contest, deals=15, stop=False)).deals == 15


def test_elo_of_a_bot_weaker_than_the_first_bot_is_negative_and_in_its_confidence_interval() -> None:
    standing = final_standing(Contest("reveal", ("greedy", "random"), rounds=1, deals=20, stop=False, seed="elo"))
    best, weaker = result_rows(standing)
    assert best["elo"] is None, "the first bot is the one that others are compared with"
    share = given(standing.rows[1].first_bot_ahead_share)
    assert 0.5 < share.low < share.mean < share.high < 1.0
    assert weaker["elo"] == pytest.approx(-elo_from_share(share.mean))
    assert weaker["elo_low"] == pytest.approx(-elo_from_share(share.high)), (
        "the lower end is where the first bot won most"
    )
    assert weaker["elo_high"] == pytest.approx(-elo_from_share(share.low))
    assert weaker["elo_low"] < weaker["elo"] < weaker["elo_high"] < 0.0


def test_arena_verdict_compares_the_share_of_first_places_with_the_claimed_share() -> None:
    contest = Contest("detect", ("greedy", "random"), rounds=1, deals=MIN_DEALS, claim=0.99)
    standing = final_standing(contest)
    assert not standing.decided
    assert "not clearly more or less than 99 %" in standing.verdict


def test_arena_limited_to_one_round_scores_matches_that_are_not_over() -> None:
    standing = final_standing(Contest("reveille", ("greedy", "random"), rounds=1, deals=10, stop=False))
    assert all(0.0 <= row.mean_score_estimate.mean <= 1.0 for row in standing.rows)
    assert 0.0 < sum(row.mean_score_estimate.mean for row in standing.rows) <= 1.0


def test_shares_of_first_places_in_the_arena_add_up_to_one() -> None:
    standing = final_standing(Contest("detect", ("greedy", "random"), seats=3, rounds=1, deals=6, stop=False))
    greedy, random = standing.rows
    assert greedy.match_count == random.match_count == 18
    assert greedy.first_place_share.mean + 2 * random.first_place_share.mean == pytest.approx(1.0)
    assert greedy.first_place_share.mean > random.first_place_share.mean


def test_arena_of_a_cooperative_game_reports_the_share_of_games_won_and_the_mean_score() -> None:
    standing = final_standing(Contest("uncovered", ("greedy", "greedy+random"), options={"mode": "beginner"}, deals=10))
    team, mixed = result_rows(standing)
    assert team["won"] == 1.0
    assert team["score"] >= 0.0
    assert team["turns"] >= team["score"]
    assert mixed["won"] < 1.0
    assert "Games won by " in standing.verdict
    assert standing.verdict.endswith(" percentage points.")


def test_cooperative_team_that_never_wins_in_the_arena_has_no_mean_score() -> None:
    contest = Contest("uncovered", ("last",), seats=4, deals=3, makers={"last": Last})
    (row,) = result_rows(final_standing(contest))
    assert (row["won"], row["score"], row["turns"]) == (0.0, None, 0.0)
