"""Tournaments of bots on paired deals, which may stop as soon as the result is significant.

Each deal is played once for every distinct rotation of the bots around the table, so that luck in the cards and the
advantages of certain seats affect all bots alike. Matches on the same deal are not independent, so the samples of all
statistics are the *deals*, not the matches. A match has one first place, which tied bots share. For two bots on two
seats, a bot gets 0, ½, 1, 1½ or 2 first places on a deal; chess programmers call such counts *pentanomial*.

Stopping rule: a contest compares the first bot's share of first places with a tested share. That is the bot's fair
share, unless `Contest.claim` sets another. After every deal a confidence interval is computed that may be checked so
often (`confidence_intervals.interval` with ``anytime``). The contest stops when the tested share is outside the
interval. Deals are counted in their order for any number of processes, so a seed always gives the same result table,
except for the times in it.

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

from facedown.simulate.confidence_intervals import UNKNOWN, Estimate, elo_of, interval
from facedown.simulate.contest import Contest, Deal, play_all_deals
from facedown.simulate.i18n import N_, _

#: Smallest number of deals before a contest may stop early.
MIN_DEALS = 10


@dataclass(slots=True)
class EntrantStats:
    """Results so far of one entrant: a bot, or a team in a cooperative game.

    `firsts` has, for each deal, the mean share of first places; in a cooperative game, 1 for a game won and 0 for a
    game lost. `before` has, for each deal, how often the bot that is named first in the contest finished ahead of this
    entrant, from 0 to 1 (a tie counts half).
    """

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
    firsts: list[float] = field(default_factory=list)
    points: list[float] = field(default_factory=list)
    """Mean points per match on each deal. In a cooperative game: the score of each game won (a lower one is better)."""
    before: list[float] = field(default_factory=list)
    lengths: list[int] = field(default_factory=list)
    """Number of turns of each game won; empty unless the game is cooperative."""

    @property
    def matches(self) -> int:
        """Number of matches that the entrant has taken part in."""
        return len(self.firsts) * self.seatings

    @property
    def score(self) -> Estimate:
        """Estimate of the entrant's mean points per match.

        In a cooperative game: estimate of its mean score in the games that it won (a lower score is better).
        """
        return interval(self.points, None) if self.points else UNKNOWN

    @property
    def first_place_share(self) -> Estimate:
        """Estimate of the share of first places that the entrant gets per seat it plays; tied seats share a first
        place.

        In a cooperative game: estimate of the share of games won.
        """
        return interval(self.firsts, anytime=self.anytime)

    @property
    def behind_first_bot(self) -> Estimate | None:
        """Estimate of how often the bot that is named first in the contest finishes ahead of this entrant (a tie counts
        half); None for the first bot itself and in cooperative games.
        """
        return interval(self.before, anytime=self.anytime) if self.before else None


class Standing:
    """Results of a contest so far, one entry of `rows` per entrant. They do not depend on the number of processes."""

    def __init__(self, contest: Contest) -> None:
        self.contest = contest
        self.deals = 0
        together = contest.info.together
        counts = [sum(i in seating for seating in contest.seatings) for i in range(len(contest.entrants))]
        self.rows = [
            EntrantStats(name, 1 if together else count, contest.stop and not together)
            for name, count in zip(contest.entrants, counts, strict=True)
        ]

    def add(self, deal: Deal) -> None:
        """Add the results of one more deal."""
        self.deals += 1
        for row, thinking in zip(self.rows, deal.thinking, strict=True):
            row.moves += len(thinking)
            row.seconds += math.fsum(thinking)
            row.slowest = max(row.slowest, *thinking, 0.0)
        if self.contest.info.together:
            lost = self.contest.module.rules.loss_return
            for row, score, turns in zip(self.rows, deal.returns[:, 0].tolist(), deal.turns, strict=True):
                won = lost is not None and score > lost
                row.firsts.append(float(won))
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
            row.firsts.append(_mean(shares[mine]))
            row.points.append(_mean(returns[mine]))
            if entrant > 0:
                row.before.append(_mean(before[(seating == 0)[:, :, None] & mine[:, None, :]]))

    @property
    def first_bot_share(self) -> Estimate:
        """Estimate of the share of first places that the bot named first in the contest gets, on all its seats.

        In a cooperative game: estimate of the share of games won. The interval of this estimate decides when the
        contest stops.
        """
        row = self.rows[0]
        seats = 1 if self.contest.info.together else self.contest.lineup.count(0)
        return interval([seats * share for share in row.firsts], anytime=row.anytime)

    @property
    def decided(self) -> bool:
        """Whether the share of first places of the bot named first differs significantly from `Contest.tested_share`.

        The tested share is the bot's fair share, unless the contest sets another one. The result is always False in a
        cooperative game, and before `MIN_DEALS` deals.
        """
        if self.contest.info.together or self.deals < MIN_DEALS:
            return False
        return self.first_bot_share.excludes(self.contest.tested_share)

    @property
    def verdict(self) -> str:
        """The result of the contest as one sentence in the current language."""
        if self.contest.info.together:
            return self._team_verdict()
        share, name = self.first_bot_share, self.contest.entrants[0]
        if not self.decided:
            said = N_(
                "{name} took {share} of the first places in {deals} deals, not clearly more or less than {asked}."
            )
        elif share.mean > self.contest.tested_share:
            said = N_("{name} took {share} of the first places in {deals} deals, more than {asked}.")
        else:
            said = N_("{name} took {share} of the first places in {deals} deals, less than {asked}.")
        asked = f"{round(100 * self.contest.tested_share, 2):g} %"
        return _(said, name=name, share=_percent(share), deals=self.deals, asked=asked)

    def _team_verdict(self) -> str:
        rows = self.rows
        if len(rows) == 1:
            won = _percent(rows[0].first_place_share)
            return _("{name} won {share} of {deals} games.", name=rows[0].name, share=won, deals=self.deals)
        more = [a - b for a, b in zip(rows[0].firsts, rows[1].firsts, strict=True)]
        found = interval(more, (-1.0, 1.0))
        better = f"{100 * found.mean:+.1f} ({100 * found.low:+.1f} … {100 * found.high:+.1f})"
        told = N_("Games won by {name} compared with {other}: {better} percentage points.")
        return _(told, name=rows[0].name, other=rows[1].name, better=better)


def _mean(values: NDArray[np.float64]) -> float:
    """Return the mean of some values. They are added exactly and rounded only once, so their order does not matter."""
    return math.fsum(values) / len(values)


def _percent(share: Estimate) -> str:
    return f"{100 * share.mean:.1f} % ({100 * share.low:.1f} … {100 * share.high:.1f})"


def hold(contest: Contest) -> Iterator[Standing]:
    """Hold a contest: yield its standing after every deal, until the contest is decided or all deals are played.

    The same `Standing` object is yielded each time; it is updated in place. Raise what `Contest.check` raises, then
    what `contest.play_all_deals` raises. If a bot fails during a match, the contest has no result.
    """
    contest.check()
    standing = Standing(contest)
    with closing(play_all_deals(contest)) as played:
        for deal in played:
            standing.add(deal)
            yield standing
            if contest.stop and standing.decided:
                return


def result_rows(standing: Standing) -> list[dict[str, Any]]:
    """Return one row of results per entrant, with values that can be written as CSV or JSON.

    Shares are from 0 to 1, times in milliseconds.
    """
    return [_plain(standing, row) for row in standing.rows]


def _plain(standing: Standing, row: EntrantStats) -> dict[str, Any]:
    contest = standing.contest
    common = {
        "game": contest.game,
        "seats": contest.places,
        "options": " ".join(f"{name}={value}" for name, value in sorted(contest.options.items())),
        "unit": f"{contest.rounds} rounds" if contest.rounds else "match",
        "seed": contest.seed,
        "bot": row.name,
        "deals": standing.deals,
        "matches": row.matches,
    }
    thinking = {
        "ms_a_move": round(1000 * row.seconds / max(1, row.moves), 3),
        "slowest_ms": round(1000 * row.slowest, 3),
    }
    if contest.info.together:
        turns = math.fsum(row.lengths) / max(1, len(row.points))
        score = row.score.columns("score") | {"perfect": row.points.count(0.0) / standing.deals, "turns": turns}
        return common | row.first_place_share.columns("won") | score | thinking
    behind = {"behind_first_bot": None if row.behind_first_bot is None else row.behind_first_bot.mean}
    lead = elo_of(row.behind_first_bot) if row.behind_first_bot is not None else UNKNOWN
    elo = Estimate(-lead.mean, -lead.high, -lead.low).columns("elo")
    return common | row.first_place_share.columns("first") | row.score.columns("points") | behind | elo | thinking
