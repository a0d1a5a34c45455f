"""Contests of the arena: what they are, and their deals, played by this process, by several, or as tasks of Ray.

What a deal comes to depends on the contest and its number alone, so it is the same wherever it is played. Deals come
always in their order.
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

from facedown.core.language import language, use_language
from facedown.core.match import Match
from facedown.core.seeds import seed_from_text
from facedown.simulate import ray_cluster
from facedown.simulate.bot_loader import BotFailed, choose_legal_action, close
from facedown.simulate.deal_series import HERE, RAY, Series, choice_seed, play_moves
from facedown.simulate.i18n import N_, _
from facedown.simulate.worker_pool import map_in_processes

#: Before moves are timed, every process plays a round, for this many seconds at most, so that all code is compiled.
WARM_SECONDS = 20.0


class BadContest(ValueError):
    """A contest that cannot be held; the text says why in one line."""


@dataclass(frozen=True)
class Contest(Series):
    """Who plays what, and how long. The first bot is the one in question."""

    deals: int = 200
    """At most so many."""
    seed: str = "arena"
    stop: bool = True
    """Stop as soon as the result is significant."""
    claim: float | None = None
    """The share of first places in question; None: a fair one."""
    jobs: int = 1
    """Processes; on a cluster Ray knows itself how many there are."""
    on: str = HERE
    """Where the deals are played: `HERE`, or as tasks of `RAY`."""
    address: str | None = None
    """The address of a cluster of Ray that runs; None: one of this machine's own."""

    error: ClassVar[type[ValueError]] = BadContest

    @cached_property
    def entrants(self) -> tuple[str, ...]:
        """The bots as the table names them: each once, or numbered when all are the same."""
        if self._is_self_play:
            return (f"{self.bots[0]} 1", f"{self.bots[0]} 2")
        return tuple(dict.fromkeys(self.bots))

    @property
    def _is_self_play(self) -> bool:
        """Is there only one bot, which plays against itself?"""
        return len(set(self.bots)) == 1 and not self.info.together

    @cached_property
    def lineup(self) -> tuple[int, ...]:
        """The entrant at each seat before anybody moves round."""
        return (0, *([1] * (self.places - 1))) if self._is_self_play else super().lineup

    @property
    def fair_share(self) -> float:
        """The share of first places that the first bot gets if it is as good as the others."""
        return self.lineup.count(0) / self.places

    @property
    def tested_share(self) -> float:
        """The share that the contest is to decide about."""
        return self.fair_share if self.claim is None else self.claim

    def players(self, entrant: int) -> tuple[str, ...]:
        """The names of the bots that an entrant consists of (a team may have several)."""
        return (self.bots[0],) if self._is_self_play else super().players(entrant)

    def check(self) -> None:
        """Raise `BadContest`, `UnknownBot`, `UnknownGame` or `OptionError`, in one line, if it cannot be held."""
        self.check_numbers()
        self.refuse_if(self.jobs < 1, _("{count} jobs: at least one is needed", count=self.jobs))
        self.check_backend(self.on, self.address)
        if self.claim is not None and not 0.0 < self.claim < 1.0:
            raise BadContest(_("a claim of {value:g} %: it lies between 0 and 100", value=100 * self.claim))
        together = _("{game} is won or lost together: it knows neither rounds nor claims", game=self.info.title)
        self.refuse_if(self.info.together and bool(self.rounds or self.claim is not None), together)
        self.try_out(self.names, self.match("check"))

    def match(self, deal: str) -> Match:
        """A new match on a deal of this contest."""
        return Match(self.module, self.places, dict(self.options), seed_from_text(f"{self.seed} deal {deal}"))


# --- deals ------------------------------------------------------------------------------------------------------------


class Deal(NamedTuple):
    """One deal, played in every seating of the contest."""

    returns: NDArray[np.float64]
    """By match and seat."""
    turns: list[int]
    """Together only: how many turns each match took."""
    thinking: tuple[list[float], ...]
    """The seconds of each move of each entrant."""


class ContestWorker:
    """The bots of a contest in one process."""

    def __init__(self, contest: Contest) -> None:
        self.contest = contest
        self.players = [[contest.make(name) for name in contest.players(e)] for e in range(len(contest.entrants))]

    def warm(self) -> None:
        """Play a round in every seating without counting it."""
        self.play(-1, 1, time.perf_counter() + WARM_SECONDS)

    def play(self, number: int, rounds: int = 0, end: float = math.inf) -> Deal:
        """Play one deal in every seating: whole matches or `rounds` (0: those of the contest), until `end`."""
        thinking = tuple(list[float]() for _ in self.players)
        rules = self.contest.module.rules
        returns, turns = [], []
        for i, seating in enumerate(self.contest.seatings):
            match = self.contest.match(str(number))
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
        """What the bot of a seat chooses; its seconds are added to `thinking`, by entrant.

        `game` is the deal and the number of the seating. Raises `BotFailed` where a bot does.
        """
        entrant = seating[seat]
        at = seat % len(self.players[entrant])
        started = time.perf_counter()
        try:
            action = choose_legal_action(
                self.players[entrant][at], match, seat, choice_seed(self.contest.seed, *game, match.ply)
            )
        except BotFailed as problem:
            failed = N_("{name} failed in deal {deal}, at seat {seat}, move {move}: {problem}")
            if game[0] < 0:
                failed = N_("{name} failed before the first deal: {problem}")
            name = self.contest.players(entrant)[at]
            told = _(failed, name=name, deal=game[0], seat=seat, move=match.ply, problem=problem)
            raise BotFailed(told) from None
        thinking[entrant].append(time.perf_counter() - started)
        return action

    def close(self) -> None:
        """Let the bots go: programs end."""
        for team in self.players:
            for player in team:
                close(player)


# --- where they are played --------------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def _cached_worker(contest: bytes) -> ContestWorker:
    """The warm stage of this process for a pickled contest."""
    stage = ContestWorker(pickle.loads(contest))  # noqa: S301 - this program wrote it
    stage.warm()
    return stage


def play_deal(contest: bytes, spoken: str, number: int) -> Deal:
    """Play a deal of a pickled contest in whatever process; `BotFailed`, in the language `spoken`, if a bot did not."""
    with use_language(spoken):
        return _cached_worker(contest).play(number)


def play_all_deals(contest: Contest) -> Generator[Deal, None, None]:
    """The deals, in their order.

    Raises `BotFailed` when a bot does not play, and `cluster.ClusterError` when there is no Ray or its workers die.
    """
    play = partial(play_deal, pickle.dumps(contest), language())
    if contest.on == RAY:
        yield from ray_cluster.map_on_cluster(play, range(contest.deals), address=contest.address)
    elif contest.jobs == 1:
        with closing(ContestWorker(contest)) as stage:
            stage.warm()
            yield from map(stage.play, range(contest.deals))
    else:
        try:
            yield from map_in_processes(play, deque(range(contest.deals)), contest.jobs, tries=0)
        except BrokenProcessPool:
            told = _("a process that played deals died: a bot ended it, or there was too little memory")
            raise BotFailed(told) from None
