"""Tournaments of bots on paired deals, which may stop as soon as the result is significant.

Each deal is played once for every distinct rotation of the bots around the table. So luck in the cards and the
advantages of certain seats affect all bots alike. Matches on the same deal are not independent. Therefore the samples
of all statistics are the *deals*, not the matches.

A match has one first place, which tied bots share. For two bots on two seats, a bot gets 0, ½, 1, 1½ or 2 first places
on a deal. Chess programmers call such counts *pentanomial*.

A contest tests one bot, the *tested bot*: the bot that the user names first. The share of first places that this bot
takes is compared with a given share (`Contest.tested_share`). The given share is `Contest.claim` or, if that is not
set, the share that the tested bot takes if all bots are equally good. After every deal, a confidence interval of the
tested bot's share of first places is computed. The contest stops when the given share is outside the interval. The
intervals remain valid if they are checked after every deal (`confidence_intervals.mean_with_interval` with
``anytime``).

Deals are evaluated in the order of their numbers, however many processes play them. So a seed always gives the same
result table, except for the thinking times in it.

In a cooperative game (all players win or lose together) each entrant is a team: one bot plays all seats, or several
bots alternate over the seats (``master+greedy``). All teams play the same deals.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from facedown.simulate.confidence_intervals import UNKNOWN, Estimate, elo_estimate_from_share, mean_with_interval
from facedown.simulate.contest import Contest, Deal, play_all_deals
from facedown.simulate.i18n import N_, _

#: Smallest number of deals before a contest may stop early.
MIN_DEALS = 10


@dataclass(slots=True)
class EntrantStats:
    """Results so far of one entrant: a bot, or a team in a cooperative game."""

    name: str
    seatings: int = 1
    """Number of matches on each deal in which the entrant takes part; 1 for a team."""
    anytime: bool = False
    """Whether the confidence intervals are valid at every number of deals, so that the contest may stop at any time."""
    moves: int = 0
    seconds: float = 0.0
    """Total thinking time of all moves, in seconds."""
    slowest: float = 0.0
    """Thinking time of the slowest move, in seconds."""
    first_place_shares: list[float] = field(default_factory=list)
    """For each deal: how often a seat of the entrant took first place, from 0 to 1. This is the mean over the entrant's
    seats in all matches on the deal. In a cooperative game: 1 if the team won the match, 0 if it lost."""
    points: list[float] = field(default_factory=list)
    """Mean points per match on each deal. In a cooperative game: the score of each match won (a lower one is
    better)."""
    first_bot_ahead_shares: list[float] = field(default_factory=list)
    """For each deal: how often the tested bot (named first in the contest) finished ahead of this entrant, from 0 to 1.
    A tie counts half. Empty for the tested bot itself and in a cooperative game."""
    lengths: list[int] = field(default_factory=list)
    """Number of turns in each match won; empty unless the game is cooperative."""

    @property
    def match_count(self) -> int:
        """Number of matches that the entrant has taken part in, on all deals so far.

        A match counts once even if the entrant has several seats in it. Matches that were stopped after a set number of
        rounds, or by the engine's limit against endless play, count as well.
        """
        return len(self.first_place_shares) * self.seatings

    @property
    def mean_score_estimate(self) -> Estimate:
        """Estimate of the entrant's mean points per match.

        In a cooperative game: estimate of the team's mean score in the matches that it won (a lower score is better).
        If there are no such matches, the result is `UNKNOWN`: the mean is NaN and the interval infinite.
        """
        return mean_with_interval(self.points, None) if self.points else UNKNOWN

    @property
    def first_place_share(self) -> Estimate:
        """Estimate of how often a seat of the entrant takes first place, from 0 to 1.

        Tied seats share first place: for each of two tied seats it counts ½. In a cooperative game: estimate of the
        fraction of matches that the team wins.
        """
        return mean_with_interval(self.first_place_shares, anytime=self.anytime)

    @property
    def first_bot_ahead_share(self) -> Estimate | None:
        """Estimate, from 0 to 1, of how often the tested bot finishes ahead of this entrant; a tie counts half.

        The tested bot is the one that is named first in the contest. None for the tested bot itself and in cooperative
        games.
        """
        return (
            mean_with_interval(self.first_bot_ahead_shares, anytime=self.anytime)
            if self.first_bot_ahead_shares
            else None
        )


class Standing:
    """Results of a contest so far. `rows` has the results of each entrant (`EntrantStats`).

    The results do not depend on the number of processes that play the matches.
    """

    def __init__(self, contest: Contest) -> None:
        self.contest = contest
        self.deals = 0
        together = contest.info.together
        counts = [sum(i in seating for seating in contest.seatings) for i in range(len(contest.entrants))]
        self.rows = [
            EntrantStats(name, 1 if together else count, contest.stop and not together)
            for name, count in zip(contest.entrants, counts, strict=True)
        ]

    def add_deal(self, deal: Deal) -> None:
        """Add one more deal to the statistics of each entrant (`rows`).

        `deal` contains the results of all matches that were played with the same cards. An entrant is a bot, or a team
        in a cooperative game.
        """
        self.deals += 1
        for row, thinking in zip(self.rows, deal.thinking, strict=True):
            row.moves += len(thinking)
            row.seconds += math.fsum(thinking)
            row.slowest = max(row.slowest, *thinking, 0.0)
        if self.contest.info.together:
            lost = self.contest.module.rules.loss_return
            for row, score, turns in zip(self.rows, deal.returns[:, 0].tolist(), deal.turns, strict=True):
                won = lost is not None and score > lost
                row.first_place_shares.append(float(won))
                if won:
                    row.points.append(-score)
                    row.lengths.append(turns)
            return
        # Axes: match, seat.
        returns, seating = deal.returns, np.array(self.contest.seatings)
        best = returns == returns.max(axis=1, keepdims=True)
        shares = best / best.sum(axis=1, keepdims=True)
        # Axes: match, seat i, seat j. The value is 1 if the bot at seat i finishes ahead of the bot at seat j, ½ for a
        # tie, else 0.
        before = (np.sign(returns[:, :, None] - returns[:, None, :]) + 1) / 2
        for entrant, row in enumerate(self.rows):
            mine = seating == entrant
            row.first_place_shares.append(_mean(shares[mine]))
            row.points.append(_mean(returns[mine]))
            if entrant > 0:
                row.first_bot_ahead_shares.append(_mean(before[(seating == 0)[:, :, None] & mine[:, None, :]]))

    @property
    def first_bot_first_place_share(self) -> Estimate:
        """Estimate of the tested bot's share of first places, from 0 to 1.

        The tested bot is the one that the user named first. Each match has one first place. If k seats tie for first
        place, each of them has a share of 1/k. If the tested bot plays several seats in a match, the shares of these
        seats are added.

        The estimate is compared with `Contest.tested_share`. The contest may stop when that value is outside the
        interval of the estimate.

        In a cooperative game, the result is an estimate of the share of matches that the first-named team wins. Such a
        contest does not stop early.
        """
        row = self.rows[0]
        seats = 1 if self.contest.info.together else self.contest.lineup.count(0)
        return mean_with_interval([seats * share for share in row.first_place_shares], anytime=row.anytime)

    @property
    def decided(self) -> bool:
        """Whether the tested bot's share of first places differs significantly from `Contest.tested_share`.

        The tested bot is the one that the user named first. `Contest.tested_share` is the share that the user has set.
        If the user has set none, it is the share that the tested bot takes if all bots are equally good. The difference
        is significant if `Contest.tested_share` is outside the 95 % interval of `first_bot_first_place_share`.

        The result is always False in a cooperative game, and before `MIN_DEALS` deals.
        """
        if self.contest.info.together or self.deals < MIN_DEALS:
            return False
        return self.first_bot_first_place_share.excludes(self.contest.tested_share)

    @property
    def verdict(self) -> str:
        """The result of the contest as one sentence in the current language."""
        if self.contest.info.together:
            return self._cooperative_games_won_verdict()
        share, name = self.first_bot_first_place_share, self.contest.entrants[0]
        if not self.decided:
            said = N_(
                "{name} took {share} of the first places in {deals} deals, not clearly more or less than {asked}."
            )
        elif share.mean > self.contest.tested_share:
            said = N_("{name} took {share} of the first places in {deals} deals, more than {asked}.")
        else:
            said = N_("{name} took {share} of the first places in {deals} deals, less than {asked}.")
        asked = f"{round(100 * self.contest.tested_share, 2):g} %"
        return _(said, name=name, share=_percent_with_interval_text(share), deals=self.deals, asked=asked)

    def _cooperative_games_won_verdict(self) -> str:
        rows = self.rows
        if len(rows) == 1:
            won = _percent_with_interval_text(rows[0].first_place_share)
            return _("{name} won {share} of {deals} games.", name=rows[0].name, share=won, deals=self.deals)
        more = [a - b for a, b in zip(rows[0].first_place_shares, rows[1].first_place_shares, strict=True)]
        found = mean_with_interval(more, (-1.0, 1.0))
        better = f"{100 * found.mean:+.1f} ({100 * found.low:+.1f} … {100 * found.high:+.1f})"
        told = N_("Games won by {name} compared with {other}: {better} percentage points.")
        return _(told, name=rows[0].name, other=rows[1].name, better=better)


def _mean(values: NDArray[np.float64]) -> float:
    """Return the mean of some values. They are added exactly and rounded only once, so their order does not matter."""
    return math.fsum(values) / len(values)


def _percent_with_interval_text(share: Estimate) -> str:
    return f"{100 * share.mean:.1f} % ({100 * share.low:.1f} … {100 * share.high:.1f})"


def hold_contest(contest: Contest) -> Iterator[Standing]:
    """Hold a contest: yield its standing after every deal, until the contest is decided or all deals are played.

    The same `Standing` object is yielded each time; it is updated in place. Exceptions are raised:

    * before the first deal: those of `Contest.check`.
    * during the deals: those of `play_all_deals`. If a bot fails during a match, the contest has no result.
    """
    contest.check()
    standing = Standing(contest)
    with closing(play_all_deals(contest)) as played:
        for deal in played:
            standing.add_deal(deal)
            yield standing
            if contest.stop and standing.decided:
                return


def result_rows(standing: Standing) -> list[dict[str, Any]]:
    """Return one row of results per entrant, with values that can be written as CSV or JSON.

    Shares are from 0 to 1, times in milliseconds.
    """
    return [_result_row(standing, row) for row in standing.rows]


def _result_row(standing: Standing, row: EntrantStats) -> dict[str, Any]:
    contest = standing.contest
    common = {
        "game": contest.game,
        "seats": contest.seat_count,
        "options": " ".join(f"{name}={value}" for name, value in sorted(contest.options.items())),
        "unit": f"{contest.rounds} rounds" if contest.rounds else "match",
        "seed": contest.seed,
        "bot": row.name,
        "deals": standing.deals,
        "matches": row.match_count,
    }
    thinking = {
        "ms_a_move": round(1000 * row.seconds / max(1, row.moves), 3),
        "slowest_ms": round(1000 * row.slowest, 3),
    }
    if contest.info.together:
        turns = math.fsum(row.lengths) / max(1, len(row.points))
        score = row.mean_score_estimate.mean_and_interval_columns("score") | {
            "perfect": row.points.count(0.0) / standing.deals,
            "turns": turns,
        }
        return common | row.first_place_share.mean_and_interval_columns("won") | score | thinking
    behind = {"behind_first_bot": None if row.first_bot_ahead_share is None else row.first_bot_ahead_share.mean}
    lead = elo_estimate_from_share(row.first_bot_ahead_share) if row.first_bot_ahead_share is not None else UNKNOWN
    elo = Estimate(-lead.mean, -lead.high, -lead.low).mean_and_interval_columns("elo")
    return (
        common
        | row.first_place_share.mean_and_interval_columns("first")
        | row.mean_score_estimate.mean_and_interval_columns("points")
        | behind
        | elo
        | thinking
    )
