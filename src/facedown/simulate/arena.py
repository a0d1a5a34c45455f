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

import hashlib
import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property
from multiprocessing import get_context
from typing import Any

from facedown.bots import Bot, bot
from facedown.bots.base import seated
from facedown.bots.features import NoFeatures
from facedown.bots.weights import Misfit
from facedown.core.game import Info
from facedown.core.game import game as load_game
from facedown.core.game import info as info_of
from facedown.core.match import Match
from facedown.core.seeds import seed_from_text
from facedown.simulate.budgets import NoBudget, trained, with_budget
from facedown.simulate.confidence import Estimate, elo_of, interval
from facedown.simulate.texts import N_, _

#: No stop before so many deals, however clear they look.
FEWEST_DEALS = 10
#: Before the clock counts, every process plays a round, for so many seconds at most: what is not compiled yet gets
#: compiled.
WARM_SECONDS = 20.0
#: Deals that wait for each process.
AHEAD = 3


class BadContest(ValueError):
    """A contest that cannot be held; the text says why in one line."""


@dataclass(frozen=True)
class Contest:
    """Who plays what, and how long."""

    game: str
    bots: tuple[str, ...]
    """The first is the one in question. Where they are fewer than the seats, the last one takes the rest."""
    seats: int = 0
    """0: as many as there are bots, or as the game needs."""
    options: Mapping[str, str] = field(default_factory=dict)
    rounds: int = 0
    """Stop a match after so many rounds (hands) and compare the points; 0: whole matches."""
    deals: int = 200
    """At most so many."""
    seed: str = "arena"
    stop: bool = True
    """Stop as soon as the result is significant."""
    claim: float | None = None
    """The share of first places in question; None: a fair one."""
    jobs: int = 1
    """Processes."""
    makers: Mapping[str, Callable[[], Bot]] = field(default_factory=dict)
    """Bots of your own by name (picklable, for several jobs); other names are levels."""

    @cached_property
    def info(self) -> Info:
        """What is known of the game."""
        return info_of(self.game)

    @cached_property
    def places(self) -> int:
        """How many sit at the table."""
        low, _ = self.info.seats
        return self.seats or (low if self.info.together else max(low, len(self.bots)))

    @cached_property
    def entrants(self) -> tuple[str, ...]:
        """The bots as the table names them: each once, or numbered when all are the same."""
        if len(set(self.bots)) == 1 and not self.info.together:
            return (f"{self.bots[0]} 1", f"{self.bots[0]} 2")
        return tuple(dict.fromkeys(self.bots))

    @cached_property
    def lineup(self) -> tuple[int, ...]:
        """The entrant at each seat before anybody moves round."""
        if len(set(self.bots)) == 1:
            return (0, *([1] * (self.places - 1)))
        seats = [self.entrants.index(name) for name in self.bots]
        return tuple(seats + [seats[-1]] * (self.places - len(seats)))

    @cached_property
    def seatings(self) -> tuple[tuple[int, ...], ...]:
        """Every way round the table in which a deal is played: the entrant at each seat."""
        if self.info.together:
            return tuple((team,) * self.places for team in range(len(self.entrants)))
        n = self.places
        turned = [tuple(self.lineup[(seat - turn) % n] for seat in range(n)) for turn in range(n)]
        return tuple(dict.fromkeys(turned))

    @property
    def fair(self) -> float:
        """The share of first places that the first bot gets if it is as good as the others."""
        return self.lineup.count(0) / self.places

    @property
    def question(self) -> float:
        """The share that the contest is to decide about."""
        return self.fair if self.claim is None else self.claim

    def named(self, entrant: int) -> tuple[str, ...]:
        """The names of the bots that an entrant consists of (a team may have several)."""
        name = self.entrants[entrant]
        if self.info.together:
            return tuple(name.split("+"))
        return (name if name in self.bots else name.rsplit(" ", 1)[0],)

    def make(self, name: str) -> Bot:
        """The bot of a name: one of `makers`, a network, one with a budget (`simulate.budgets`), or a level."""
        if name in self.makers:
            return self.makers[name]()
        return trained(name) or with_budget(name) or bot(name)

    def check(self) -> None:
        """Raise `BadContest`, `UnknownBot`, `UnknownGame` or `OptionError`, in one line, if it cannot be held."""
        if not self.bots:
            raise BadContest(_("name at least one bot"))
        if self.deals < 1:
            raise BadContest(_("{count} deals: at least one is needed", count=self.deals))
        if self.jobs < 1:
            raise BadContest(_("{count} jobs: at least one is needed", count=self.jobs))
        if self.rounds < 0:
            raise BadContest(_("{count} rounds: a match has at least one", count=self.rounds))
        if self.claim is not None and not 0.0 < self.claim < 1.0:
            raise BadContest(_("a claim of {value:g} %: it lies between 0 and 100", value=100 * self.claim))
        if self.info.together and (self.rounds or self.claim is not None):
            raise BadContest(
                _("{game} is won or lost together: it knows neither rounds nor claims", game=self.info.title)
            )
        if not self.info.together and len(self.bots) > self.places:
            raise BadContest(_("{bots} bots for {places} seats", bots=len(self.bots), places=self.places))
        match = self.match("check")
        for entrant in range(len(self.entrants)):
            for name in self.named(entrant):
                self._try(name, match)

    def _try(self, name: str, match: Match) -> None:
        if self.info.together and "@" in name:
            raise BadContest(_("{name}: in {game} no bot counts simulations", name=name, game=self.info.title))
        try:
            player = self.make(name)
        except (NoBudget, Misfit, NoFeatures) as problem:
            raise BadContest(str(problem)) from None
        seat = match.acting[0]
        try:
            seated(player, match, seat, 0)
        except (LookupError, ValueError) as problem:
            wrong = _("{name} cannot play {game}: {problem}", name=name, game=self.info.title, problem=problem)
            raise BadContest(wrong) from None

    def match(self, deal: str) -> Match:
        """A new match on a deal of this contest."""
        return Match(load_game(self.game), self.places, dict(self.options), seed_from_text(f"{self.seed} deal {deal}"))


# --- playing ----------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Clock:
    """How long somebody thought."""

    seconds: float = 0.0
    moves: int = 0
    slowest: float = 0.0

    def join(self, other: Clock) -> None:
        """The moves of another clock, too."""
        self.seconds += other.seconds
        self.moves += other.moves
        self.slowest = max(self.slowest, other.slowest)


@dataclass(frozen=True, slots=True)
class Played:
    """One match of a deal."""

    seating: tuple[int, ...]
    returns: tuple[float, ...]
    plies: int
    won: bool
    """Together only: did they win?"""
    turns: int
    """Together only: how many turns they took."""


@dataclass(frozen=True, slots=True)
class Deal:
    """One deal, played in every seating."""

    number: int
    matches: tuple[Played, ...]
    clocks: tuple[Clock, ...]


def choice_seed(seed: str, deal: int, seating: int, ply: int) -> int:
    """The seed of one choice of a bot."""
    text = f"{seed} {deal} {seating} {ply}"
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=6).digest(), "little")


def _round_over(match: Match, legal: list[int]) -> bool:
    """Is this the pause after a round, in which one can only go on?"""
    return len(legal) == 1 and match.game.words.words(legal[0]) == "continue"


class Stage:
    """The bots of a contest in one process."""

    def __init__(self, contest: Contest) -> None:
        self.contest = contest
        self.players = [[contest.make(name) for name in contest.named(e)] for e in range(len(contest.entrants))]

    def warm(self, seconds: float = WARM_SECONDS) -> None:
        """Play a round in every seating without counting it."""
        end = time.perf_counter() + seconds
        for seating in self.contest.seatings:
            clocks = [Clock() for _ in self.contest.entrants]
            self.play_match(self.contest.match("warm"), seating, 0, -1, clocks, end, 1)

    def play(self, number: int) -> Deal:
        """Play one deal in every seating."""
        clocks = tuple(Clock() for _ in self.contest.entrants)
        matches = []
        for i, seating in enumerate(self.contest.seatings):
            match = self.contest.match(str(number))
            self.play_match(match, seating, i, number, clocks)
            matches.append(self._result(match, seating))
        return Deal(number, tuple(matches), clocks)

    def _result(self, match: Match, seating: tuple[int, ...]) -> Played:
        returns = tuple(match.game.returns(match.state))
        together = self.contest.info.together
        won = together and match.game.rules.lost is not None and returns[0] > match.game.rules.lost
        count = match.game.rules.turns
        return Played(seating, returns, match.ply, won, count(match.state) if count is not None else 0)

    def play_match(
        self,
        match: Match,
        seating: tuple[int, ...],
        turned: int,
        deal: int,
        clocks: Sequence[Clock],
        end: float = math.inf,
        rounds: int = 0,
    ) -> None:
        """Play a match to its end, or for so many rounds (0: those of the contest), or until `end` on the clock."""
        most = rounds or self.contest.rounds
        done = 0
        pausing = False
        while not match.over and time.perf_counter() < end:
            seat = match.acting[0]
            legal = match.legal(seat)
            pause = _round_over(match, legal)
            if pause and not pausing:
                done += 1
                if done == most:
                    return
            pausing = pause
            if len(legal) == 1:
                match.play(seat, legal[0])
                continue
            team = self.players[seating[seat]]
            seed = choice_seed(self.contest.seed, deal, turned, match.ply)
            started = time.perf_counter()
            action = seated(team[seat % len(team)], match, seat, seed)
            took = time.perf_counter() - started
            clocks[seating[seat]].join(Clock(took, 1, took))
            match.play(seat, action)


# --- several processes ------------------------------------------------------------------------------------------------

_stage: Stage | None = None


def _open_stage(contest: Contest) -> None:
    global _stage  # noqa: PLW0603 - a process of the pool has one stage
    _stage = Stage(contest)
    _stage.warm()


def _play_deal(number: int) -> Deal:
    assert _stage is not None
    return _stage.play(number)


def _deals(contest: Contest) -> Iterator[Deal]:
    """The deals, in their order."""
    if contest.jobs == 1:
        stage = Stage(contest)
        stage.warm()
        for number in range(contest.deals):
            yield stage.play(number)
        return
    # Spawned, not forked: a forked process would inherit the threads' locks of this one.
    pool = ProcessPoolExecutor(contest.jobs, get_context("spawn"), _open_stage, (contest,))
    waiting: list[Future[Deal]] = []
    try:
        for number in range(contest.deals + AHEAD * contest.jobs):
            if number < contest.deals:
                waiting.append(pool.submit(_play_deal, number))
            if waiting and (len(waiting) > AHEAD * contest.jobs or number >= contest.deals):
                yield waiting.pop(0).result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


# --- the table --------------------------------------------------------------------------------------------------------


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
                "{name}: {share} first places in {deals} deals: it is open whether that is more or less than {asked}."
            )
        elif share.mean > self.contest.question:
            said = N_("{name}: {share} first places in {deals} deals: more than {asked}.")
        else:
            said = N_("{name}: {share} first places in {deals} deals: less than {asked}.")
        asked = f"{100 * self.contest.question:g} %"
        return _(said, name=name, share=_percent(share), deals=self.deals, asked=asked)

    def _together(self) -> str:
        rows = self.rows
        if len(rows) == 1:
            won = _percent(rows[0].first)
            return _("{name}: {share} of {deals} games won.", name=rows[0].name, share=won, deals=self.deals)
        more = [a - b for a, b in zip(self.firsts[0], self.firsts[1], strict=True)]
        found = interval(more, (-1.0, 1.0))
        better = f"{100 * found.mean:+.1f} ({100 * found.low:+.1f} … {100 * found.high:+.1f})"
        told = N_("{name} against {other}: {better} points of percent more games won.")
        return _(told, name=rows[0].name, other=rows[1].name, better=better)


def _before(other: float, mine: float) -> float:
    return 1.0 if other > mine else 0.5 if other == mine else 0.0


def _percent(share: Estimate) -> str:
    return f"{100 * share.mean:.1f} % ({100 * share.low:.1f} … {100 * share.high:.1f})"


def hold(contest: Contest) -> Iterator[Standing]:
    """Hold a contest: the standing after every deal (one object, which grows), until it is decided or all are played.

    Raises what `Contest.check` raises.
    """
    contest.check()
    standing = Standing(contest)
    for deal in _deals(contest):
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
        score = _spread("score", row.score) | {"perfect": row.perfect, "turns": row.turns}
        return common | _spread("won", row.first) | score | thinking
    behind = {"behind_first_bot": None if row.ahead is None else row.ahead.mean}
    lead = elo_of(row.ahead) if row.ahead is not None else Estimate(math.nan, math.nan, math.nan)
    elo = _spread("elo", Estimate(-lead.mean, -lead.high, -lead.low))
    return common | _spread("first", row.first) | _spread("points", row.score) | behind | elo | thinking


def _spread(name: str, found: Estimate) -> dict[str, float | None]:
    """A mean and its interval, in numbers that JSON has: no infinity, and not nothing at all."""
    values = {name: found.mean, f"{name}_low": found.low, f"{name}_high": found.high}
    return {key: value if math.isfinite(value) else None for key, value in values.items()}
