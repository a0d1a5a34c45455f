"""Contests between bots: the settings of a contest, and the functions that play its deals.

The deals are played in one or several processes of this machine, or on a Ray cluster. `simulate.arena` evaluates them.
The result of a deal depends only on the contest and on the deal's number, so it is the same in any process. Deals are
always yielded in the order of their numbers.
"""

from __future__ import annotations

import math
import pickle
import time
from collections import deque
from collections.abc import Generator, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from facedown.core.match import Match
from facedown.core.seeds import seed_from_text
from facedown.core.translation import language, use_language
from facedown.simulate import ray_cluster
from facedown.simulate.bot_loader import BotFailed, choose_legal_action, close_bot
from facedown.simulate.deal_series import HERE, RAY, Series, bot_choice_seed, play_moves
from facedown.simulate.i18n import N_, _
from facedown.simulate.worker_pool import map_in_processes

#: Time limit in seconds for the round that each process plays before the contest. That round does not count: it only
#: compiles all code, so that compilation is not measured as thinking time.
WARM_SECONDS = 20.0


class BadContest(ValueError):
    """Error: a contest cannot be held. The text gives the reason in one line."""


@dataclass(frozen=True)
class Contest(Series):
    """Settings of a contest: bots, game, and number of deals.

    A contest tests the bot that the user named first (the *tested bot*): does the share of first places that this bot
    takes differ from `tested_share`? That is the share that it would take if all bots were equally good, unless the
    user has set another one. Each match has one first place, which tied seats share equally.

    A contest of a cooperative game tests no bot.
    """

    deals: int = 200
    """Maximum number of deals."""
    seed: str = "arena"
    stop: bool = True
    """Whether to stop the contest as soon as its result is significant."""
    claim: float | None = None
    """Share of first places, between 0 and 1, with which the tested bot's share is compared. None: the share that this
    bot takes if all bots are equally good (`fair_share`)."""
    jobs: int = 1
    """Number of processes on this machine. On a cluster it is ignored: Ray uses all processors."""
    on: str = HERE
    """Backend that plays the deals: `HERE` (processes of this machine) or `RAY` (tasks on a cluster)."""
    address: str | None = None
    """Address of a running Ray cluster; None: start Ray on this machine."""

    error: ClassVar[type[ValueError]] = BadContest

    @cached_property
    def entrants(self) -> tuple[str, ...]:
        """Names in the result table: each bot (or team) once. A bot playing against itself is "NAME 1" and "NAME 2"."""
        if self._is_self_play:
            return (f"{self.bots[0]} 1", f"{self.bots[0]} 2")
        return tuple(dict.fromkeys(self.bots))

    @property
    def _is_self_play(self) -> bool:
        """Whether the contest has only one bot, which plays against itself."""
        return len(set(self.bots)) == 1 and not self.info.together

    @cached_property
    def lineup(self) -> tuple[int, ...]:
        """First arrangement at the table: for each seat, the index of its bot (or team) in `entrants`.

        If a bot plays against itself, "NAME 1" has the first seat and "NAME 2" all others. Each deal is played in this
        arrangement and in its rotations (`seatings`). In a cooperative game, `seatings` has one arrangement per team.
        """
        return (0, *([1] * (self.seat_count - 1))) if self._is_self_play else super().lineup

    @property
    def fair_share(self) -> float:
        """Share of first places, from 0 to 1, that the tested bot takes on average if all bots are equally good.

        The tested bot is the one that the user named first. The share is the number of seats that this bot plays,
        divided by the number of all seats.
        """
        return self.lineup.count(0) / self.seat_count

    @property
    def tested_share(self) -> float:
        """Share of first places, from 0 to 1, with which the tested bot's own share is compared.

        The tested bot is the one that the user named first. The value is `claim` if the user has set it. Otherwise it
        is `fair_share`: the share that the tested bot takes on average if all bots are equally good.
        """
        return self.fair_share if self.claim is None else self.claim

    def players(self, entrant: int) -> tuple[str, ...]:
        """Return the names of the bots that play for the entrant with this index. There are several only for a team."""
        return (self.bots[0],) if self._is_self_play else super().players(entrant)

    def check(self) -> None:
        """Raise an exception with a one-line text if a setting is invalid.

        The exception is `BadContest`, `UnknownBot`, `UnknownGame` or `OptionError`.
        """
        self.check_bot_count_and_numbers()
        self.raise_error_if(self.jobs < 1, _("the number of jobs must be at least 1, not {count}", count=self.jobs))
        self.check_backend(self.on, self.address)
        if self.claim is not None and not 0.0 < self.claim < 1.0:
            raise BadContest(
                _(
                    "the “claim” setting must be more than 0 % and less than 100 %, not {value:g} %",
                    value=100 * self.claim,
                )
            )
        together = _("{game} is cooperative, so the “rounds” and “claim” settings do not apply", game=self.info.title)
        self.raise_error_if(self.info.together and bool(self.rounds or self.claim is not None), together)
        self.try_out_bots(self.bot_names, self.new_match("check"))

    def new_match(self, deal: str) -> Match:
        """Return a new match of this contest. The match's seed, and so its cards, is derived from the text `deal`."""
        return Match(self.module, self.seat_count, dict(self.options), seed_from_text(f"{self.seed} deal {deal}"))


# --- deals ------------------------------------------------------------------------------------------------------------


class Deal(NamedTuple):
    """Results of one deal that was played in every seating (rotation of the bots around the table)."""

    returns: NDArray[np.float64]
    """Final scores in each match on the deal: (matches, seats)."""
    turns: list[int]
    """Number of turns of each match on the deal; 0 unless the game is cooperative."""
    thinking: tuple[list[float], ...]
    """Thinking time of each move in seconds, one list per entrant."""


class ContestWorker:
    """Worker that plays deals of a contest in one process. It keeps the bots from one deal to the next."""

    def __init__(self, contest: Contest) -> None:
        self.contest = contest
        self.players = [[contest.make_bot(name) for name in contest.players(e)] for e in range(len(contest.entrants))]

    def warm_up_by_playing(self) -> None:
        """Play one uncounted round in every seating, so that all code is compiled before the contest starts."""
        self.play_deal_in_every_seating(-1, 1, time.perf_counter() + WARM_SECONDS)

    def play_deal_in_every_seating(self, number: int, rounds: int = 0, end: float = math.inf) -> Deal:
        """Play deal `number` in every seating (rotation of the bots around the table) and return the results.

        Each match stops after `rounds` rounds (0: the number that the contest sets), or when `time.perf_counter`
        reaches `end`.
        """
        thinking = tuple(list[float]() for _ in self.players)
        rules = self.contest.module.rules
        returns, turns = [], []
        for i, seating in enumerate(self.contest.seatings):
            match = self.contest.new_match(str(number))
            choose = partial(self._choose, match, seating, (number, i), thinking)
            for _move in play_moves(match, choose, rounds or self.contest.rounds, end):
                pass
            returns.append(match.game.returns(match.state))
            turns.append(rules.turns(match.state) if rules.turns is not None else 0)
        return Deal(np.array(returns), turns, thinking)

    def _choose(
        self,
        match: Match,
        seating: tuple[int, ...],
        game: tuple[int, int],
        thinking: Sequence[list[float]],
        seat: int,
    ) -> int:
        """Return the action that the bot at `seat` chooses. Raise `BotFailed` if the bot fails.

        Append the thinking time in seconds to `thinking[entrant]`. `seating` has the index of the entrant (bot or team)
        at each seat. `game` is the pair (number of the deal, number of the seating).
        """
        entrant = seating[seat]
        at = seat % len(self.players[entrant])
        started = time.perf_counter()
        try:
            action = choose_legal_action(
                self.players[entrant][at], match, seat, bot_choice_seed(self.contest.seed, *game, match.ply)
            )
        except BotFailed as problem:
            failed = N_("{name} failed in deal {deal}, seat {seat}, move {move}: {problem}")
            if game[0] < 0:
                failed = N_("{name} failed before the first deal: {problem}")
            name = self.contest.players(entrant)[at]
            told = _(failed, name=name, deal=game[0], seat=seat, move=match.ply, problem=problem)
            raise BotFailed(told) from None
        thinking[entrant].append(time.perf_counter() - started)
        return action

    def close(self) -> None:
        """Close all bots, which ends their external programs."""
        for team in self.players:
            for player in team:
                close_bot(player)


# --- backends ---------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def _cached_worker(contest: bytes) -> ContestWorker:
    """Return this process's worker for a contest, given as its pickle.

    At the first call the worker is created and compiles its code.
    """
    stage = ContestWorker(pickle.loads(contest))  # noqa: S301 - the pickle was written by this program
    stage.warm_up_by_playing()
    return stage


def play_deal(contest: bytes, spoken: str, number: int) -> Deal:
    """Play deal `number` of a contest, given as its pickle, in a worker process.

    Raise `BotFailed` if a bot fails, with a message in the language `spoken`.
    """
    with use_language(spoken):
        return _cached_worker(contest).play_deal_in_every_seating(number)


def play_all_deals(contest: Contest) -> Generator[Deal, None, None]:
    """Play all deals of a contest and yield their results in the order of the deals.

    Raise `BotFailed` if a bot or a worker process fails, and `ray_cluster.ClusterError` if Ray is missing or its
    workers die.
    """
    play = partial(play_deal, pickle.dumps(contest), language())
    if contest.on == RAY:
        yield from ray_cluster.map_on_cluster(play, range(contest.deals), address=contest.address)
    elif contest.jobs == 1:
        with closing(ContestWorker(contest)) as stage:
            stage.warm_up_by_playing()
            yield from map(stage.play_deal_in_every_seating, range(contest.deals))
    else:
        try:
            yield from map_in_processes(play, deque(range(contest.deals)), contest.jobs, tries=0)
        except BrokenProcessPool:
            told = _("a worker process died: a bot terminated it, or it ran out of memory")
            raise BotFailed(told) from None
