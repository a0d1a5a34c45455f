"""The arena: the same deals for everybody, each in every seating, reproducible, and no result before it is sure."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from facedown.core.game_registry import GameModule
from facedown.simulate.arena import MIN_DEALS, Standing, hold, result_rows
from facedown.simulate.confidence_intervals import elo
from facedown.simulate.contest import Contest, ContestWorker
from tests.not_none import given
from tests.simulate.bots import First

TIMES = ("ms_a_move", "slowest_ms")


class Last:
    """Always plays the last legal action."""

    def choose(self, game: GameModule, view: Any, seat: int, seed: int) -> int:
        return game.legal(view, seat)[-1]


@dataclass
class Recorder:
    """Plays the first legal action and keeps what it was shown, and the seed it was given."""

    seen: list[tuple[int, bytes]] = field(default_factory=list)
    seeds: list[int] = field(default_factory=list)

    def choose(self, game: GameModule, view: Any, seat: int, seed: int) -> int:
        self.seen.append((seat, view.card.tobytes()))
        self.seeds.append(seed)
        return game.legal(view, seat)[0]


def result(contest: Contest) -> Standing:
    """The last standing of a contest."""
    *_, last = hold(contest)
    return last


def timeless(standing: Standing) -> list[dict[str, Any]]:
    """The table without the times, which differ from run to run."""
    return [{key: value for key, value in row.items() if key not in TIMES} for row in result_rows(standing)]


def test_who_sits_where() -> None:
    assert Contest("detect", ("a", "b")).seatings == ((0, 1), (1, 0))
    # The last bot takes the seats that are left, and all go round.
    rest = Contest("detect", ("a", "b"), seats=4)
    assert rest.lineup == (0, 1, 1, 1)
    assert rest.seatings == ((0, 1, 1, 1), (1, 0, 1, 1), (1, 1, 0, 1), (1, 1, 1, 0))
    assert rest.fair_share == 0.25
    # Bots of one name are one entrant unless all are.
    assert Contest("detect", ("a", "b", "b")).entrants == ("a", "b")
    alone = Contest("detect", ("a", "a"))
    assert (alone.entrants, alone.players(1)) == (("a 1", "a 2"), ("a",))
    # Together each name is a team on all seats.
    teams = Contest("uncovered", ("a", "b+c"), seats=3)
    assert (teams.seatings, teams.players(1)) == (((0, 0, 0), (1, 1, 1)), ("b", "c"))


def test_a_bot_against_itself_is_exactly_even() -> None:
    standing = result(Contest("detect", ("first", "first"), rounds=1, deals=12, makers={"first": First}))
    assert standing.first_bot_share.mean == 0.5
    assert not standing.decided
    assert standing.deals == 12
    assert given(standing.rows[1].behind_first_bot).mean == 0.5


def test_every_seating_of_a_deal_has_the_same_cards_and_every_deal_others() -> None:
    recorder = Recorder()
    contest = Contest("reveille", ("me", "you"), rounds=1, makers={"me": lambda: recorder, "you": lambda: recorder})
    stage = ContestWorker(contest)
    starts = []
    for number in range(3):
        recorder.seen.clear()
        stage.play(number)
        # Both play alike, so the same cards bring the same match.
        half = len(recorder.seen) // 2
        assert recorder.seen[:half] == recorder.seen[half:]
        starts.append(recorder.seen[0])
    assert len(set(starts)) == 3
    assert len(set(recorder.seeds)) == len(recorder.seeds), "every choice has a seed of its own"


@pytest.mark.slow
def test_the_table_depends_on_the_seed_alone() -> None:
    contest = Contest("detect", ("greedy", "random"), rounds=1, deals=8, stop=False, seed="one")
    here = timeless(result(contest))
    assert here == timeless(result(contest))
    assert here == timeless(result(replace(contest, jobs=2)))
    assert here != timeless(result(replace(contest, seed="two")))


def test_it_stops_when_the_result_is_clear_and_not_before() -> None:
    contest = Contest("detect", ("greedy", "random"), rounds=1, deals=60)
    standing = result(contest)
    assert MIN_DEALS <= standing.deals < 60
    assert standing.decided
    assert "more than 50 %" in standing.verdict
    assert result(replace(contest, bots=("random", "greedy"))).verdict.endswith("less than 50 %.")
    assert result(replace(contest, deals=15, stop=False)).deals == 15


def test_the_elo_of_a_weaker_bot_is_below_the_first_and_inside_its_interval() -> None:
    standing = result(Contest("reveal", ("greedy", "random"), rounds=1, deals=20, stop=False, seed="elo"))
    best, weaker = result_rows(standing)
    assert best["elo"] is None, "the first bot is the one that others are compared with"
    share = given(standing.rows[1].behind_first_bot)
    assert 0.5 < share.low < share.mean < share.high < 1.0
    assert weaker["elo"] == pytest.approx(-elo(share.mean))
    assert weaker["elo_low"] == pytest.approx(-elo(share.high)), "the lower end is where the first bot won most"
    assert weaker["elo_high"] == pytest.approx(-elo(share.low))
    assert weaker["elo_low"] < weaker["elo"] < weaker["elo_high"] < 0.0


def test_a_claim_is_what_it_decides_about() -> None:
    contest = Contest("detect", ("greedy", "random"), rounds=1, deals=MIN_DEALS, claim=0.99)
    standing = result(contest)
    assert not standing.decided
    assert "not clearly more or less than 99 %" in standing.verdict


def test_rounds_end_a_match_early() -> None:
    standing = result(Contest("reveille", ("greedy", "random"), rounds=1, deals=10, stop=False))
    assert all(0.0 <= row.score.mean <= 1.0 for row in standing.rows)
    assert 0.0 < sum(row.score.mean for row in standing.rows) <= 1.0


def test_shares_of_first_places_add_up() -> None:
    standing = result(Contest("detect", ("greedy", "random"), seats=3, rounds=1, deals=6, stop=False))
    greedy, random = standing.rows
    assert greedy.matches == random.matches == 18
    assert greedy.first_place_share.mean + 2 * random.first_place_share.mean == pytest.approx(1.0)
    assert greedy.first_place_share.mean > random.first_place_share.mean


def test_together_counts_games_won_and_their_scores() -> None:
    standing = result(Contest("uncovered", ("greedy", "greedy+random"), options={"mode": "beginner"}, deals=10))
    team, mixed = result_rows(standing)
    assert team["won"] == 1.0
    assert team["score"] >= 0.0
    assert team["turns"] >= team["score"]
    assert mixed["won"] < 1.0
    assert "more games won" in standing.verdict


def test_a_team_that_never_wins_has_no_score() -> None:
    contest = Contest("uncovered", ("last",), seats=4, deals=3, makers={"last": Last})
    (row,) = result_rows(result(contest))
    assert (row["won"], row["score"], row["turns"]) == (0.0, None, 0.0)
