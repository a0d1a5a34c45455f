"""The arena: bots against each other on paired deals, until it is clear who plays better.

Every deal is played as often as there are different ways round the table to seat the bots, so that luck in the cards
and in the seat falls on all alike. The unit of all statistics is therefore the *deal*, not the match: matches of one
deal are no independent samples. Two bots on two seats give the *pentanomial* count of chess programmers (a deal brings
0, ½, 1, 1½ or 2 points); with more seats the same is done with the share of first places.

The rule to stop: an interval that holds at every moment (`confidence.interval`, ``anytime``) leaves out the share in
question, which is a fair one unless `Contest.claim` says otherwise. Deals are counted in their order, whatever the
number of processes, so that a seed gives the same table again; only the times differ.

In a game that is played together each name is a team: its bot sits on all seats, or several do in
turn (``master+greedy``). All teams play the same deals.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from facedown.simulate.confidence import Estimate, elo_of, interval
from facedown.simulate.contest import Clock, Contest, Deal, deals
from facedown.simulate.texts import N_, _

#: No stop before so many deals, however clear they look.
FEWEST_DEALS = 10


@dataclass(frozen=True, slots=True)
class Row:
    """What one entrant did."""

    name: str
    matches: int
    """How many it took part in."""
    score: Estimate
    """Its mean points in a match; together: its mean score in won games, lower is better."""
    first: Estimate
    """Its share of first places at a seat (equal ones share it); together: of games won."""
    ahead: Estimate | None
    """How often the first bot came in before this one (equal counts half)."""
    clock: Clock
    perfect: float = 0.0
    """Together: the share of games won with score 0."""
    turns: float = 0.0


class Standing:
    """What is known after some deals. The same for a seed, whatever the number of processes."""

    def __init__(self, contest: Contest) -> None:
        self.contest = contest
        self.deals = 0
        n = len(contest.entrants)
        self.clocks = [Clock() for _ in range(n)]
        self.firsts: list[list[float]] = [[] for _ in range(n)]
        self.points: list[list[float]] = [[] for _ in range(n)]
        self.ahead: list[list[float]] = [[] for _ in range(n)]
        self.turns: list[list[int]] = [[] for _ in range(n)]
        self.plies = 0

    def add(self, deal: Deal) -> None:
        """Count one more deal of the contest."""
        self.deals += 1
        for mine, more in zip(self.clocks, deal.clocks, strict=True):
            mine.join(more)
        self.plies += sum(match.plies for match in deal.matches)
        if not self.contest.info.together:
            for entrant in range(len(self.contest.entrants)):
                self._add_entrant(entrant, deal)
            return
        for match in deal.matches:
            team = match.seating[0]
            self.firsts[team].append(float(match.won))
            if match.won:
                self.points[team].append(-match.returns[0])
                self.turns[team].append(match.turns)

    def _add_entrant(self, entrant: int, deal: Deal) -> None:
        firsts, points, ahead = [], [], []
        for match in deal.matches:
            best = max(match.returns)
            share = 1.0 / match.returns.count(best)
            for seat, who in enumerate(match.seating):
                if who == entrant:
                    firsts.append(share if match.returns[seat] == best else 0.0)
                    points.append(match.returns[seat])
                    ahead += [
                        _before(match.returns[other], match.returns[seat])
                        for other, rival in enumerate(match.seating)
                        if rival == 0 and entrant != 0
                    ]
        self.firsts[entrant].append(math.fsum(firsts) / len(firsts))
        self.points[entrant].append(math.fsum(points) / len(points))
        if ahead:
            self.ahead[entrant].append(math.fsum(ahead) / len(ahead))

    @property
    def share(self) -> Estimate:
        """The first bot's share of first places (together: of games won), by the interval that the stop goes by."""
        return interval(self._shares(0), anytime=self.contest.stop and not self.contest.info.together)

    def _shares(self, entrant: int) -> list[float]:
        seats = 1 if self.contest.info.together else self.contest.lineup.count(entrant)
        return [seats * share for share in self.firsts[entrant]]

    @property
    def decided(self) -> bool:
        """Is the question settled?"""
        if self.contest.info.together or self.deals < FEWEST_DEALS:
            return False
        return self.share.decides(self.contest.question)

    @property
    def rows(self) -> list[Row]:
        """A row for each entrant; `ValueError` before the first deal."""
        return [self._row(entrant) for entrant in range(len(self.contest.entrants))]

    def _row(self, entrant: int) -> Row:
        anytime = self.contest.stop and not self.contest.info.together
        points = self.points[entrant]
        score = interval(points, None) if points else Estimate(math.nan, math.nan, math.nan)
        ahead = interval(self.ahead[entrant], anytime=anytime) if self.ahead[entrant] else None
        first = interval(self.firsts[entrant], anytime=anytime)
        matches, perfect, turns = self.deals, 0.0, 0.0
        if self.contest.info.together:
            perfect = points.count(0.0) / self.deals
            turns = math.fsum(self.turns[entrant]) / max(1, len(points))
        else:
            matches *= sum(entrant in seating for seating in self.contest.seatings)
        return Row(self.contest.entrants[entrant], matches, score, first, ahead, self.clocks[entrant], perfect, turns)

    @property
    def verdict(self) -> str:
        """The result in a sentence."""
        if self.contest.info.together:
            return self._together()
        share, name = self.share, self.contest.entrants[0]
        if not self.decided:
            said = N_(
                "{name}: {share} first places in {deals} deals: not clear whether that is more or less than {asked}."
            )
        elif share.mean > self.contest.question:
            said = N_("{name}: {share} first places in {deals} deals: more than {asked}.")
        else:
            said = N_("{name}: {share} first places in {deals} deals: less than {asked}.")
        asked = f"{round(100 * self.contest.question, 2):g} %"
        return _(said, name=name, share=_percent(share), deals=self.deals, asked=asked)

    def _together(self) -> str:
        rows = self.rows
        if len(rows) == 1:
            won = _percent(rows[0].first)
            return _("{name}: {share} of {deals} games won.", name=rows[0].name, share=won, deals=self.deals)
        more = [a - b for a, b in zip(self.firsts[0], self.firsts[1], strict=True)]
        found = interval(more, (-1.0, 1.0))
        better = f"{100 * found.mean:+.1f} ({100 * found.low:+.1f} … {100 * found.high:+.1f})"
        told = N_("{name} against {other}: {better} percentage points more games won.")
        return _(told, name=rows[0].name, other=rows[1].name, better=better)


def _before(other: float, mine: float) -> float:
    return 1.0 if other > mine else 0.5 if other == mine else 0.0


def _percent(share: Estimate) -> str:
    return f"{100 * share.mean:.1f} % ({100 * share.low:.1f} … {100 * share.high:.1f})"


def hold(contest: Contest) -> Iterator[Standing]:
    """Hold a contest: the standing after every deal (one object, which grows), until it is decided or all are played.

    Raises what `Contest.check` raises, then what `contest.deals` raises: a contest with a bot that does not play to the
    end has no result.
    """
    contest.check()
    standing = Standing(contest)
    with closing(deals(contest)) as played:
        for deal in played:
            standing.add(deal)
            yield standing
            if contest.stop and standing.decided:
                return


def table(standing: Standing) -> list[dict[str, Any]]:
    """The standing as plain rows, ready for CSV or JSON; shares from 0 to 1, times in milliseconds."""
    return [_plain(standing, row) for row in standing.rows]


def _plain(standing: Standing, row: Row) -> dict[str, Any]:
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
        "ms_a_move": round(1000 * row.clock.seconds / max(1, row.clock.moves), 3),
        "slowest_ms": round(1000 * row.clock.slowest, 3),
    }
    if contest.info.together:
        score = row.score.columns("score") | {"perfect": row.perfect, "turns": row.turns}
        return common | row.first.columns("won") | score | thinking
    behind = {"behind_first_bot": None if row.ahead is None else row.ahead.mean}
    lead = elo_of(row.ahead) if row.ahead is not None else Estimate(math.nan, math.nan, math.nan)
    elo = Estimate(-lead.mean, -lead.high, -lead.low).columns("elo")
    return common | row.first.columns("first") | row.score.columns("points") | behind | elo | thinking
