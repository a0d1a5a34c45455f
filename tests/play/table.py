"""Sessions for tests: bots with fixed choices, and changes applied without a repository."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

from facedown.core.game_registry import GameModule
from facedown.play import Bot, Change, Level, Session, Settings, new_table

ADA, BEN, CLEO = 1, 2, 3


class LowBots:
    """Two levels: one plays the lowest legal action, one the highest. Each bot records the views it gets."""

    def __init__(self) -> None:
        self.shown: list[Any] = []

    @property
    def levels(self) -> Sequence[Level]:
        return [Level("low", "Low", "plays the lowest number"), Level("high", "High", "plays the highest number")]

    def bot(self, level: str) -> Bot:
        return _FixedBot(self, {"low": 0, "high": -1}[level])


class _FixedBot:
    def __init__(self, bots: LowBots, index: int) -> None:
        self.bots = bots
        self.index = index

    def choose(self, game: GameModule, view: Any, seat: int, seed: int) -> int:
        self.bots.shown.append(view)
        return game.legal(view, seat)[self.index]


def grant(session: Session, change: Change | None) -> Change:
    assert change is not None
    session.apply(change)
    return change


#: The deal of these tables. Of random deals, one in hundreds would end the match in one round.
SEED = bytes([1]) * 32


def lobby(
    words: str = "me open", *, game: str = "detect", settings: Settings | None = None, seed: bytes = SEED
) -> Session:
    """Return a table before the deal; Ada is its host."""
    record = new_table(game, words.split(), LowBots(), 10.0, host=ADA, host_name="Ada", settings=settings, seed=seed)
    return Session(record, now=10.0)


def dealt(words: str = "me open", **table: Any) -> Session:
    """Return a running table, made like `lobby`, with Ada, Ben and Cleo on the seats without a bot."""
    session = lobby(words, **table)
    for person, name in ((BEN, "Ben"), (CLEO, "Cleo")):
        if any(not seat.taken for seat in session.record.seats):
            grant(session, session.sit(person, name, ready=True, now=11.0))
    grant(session, session.ready(ADA, True, 12.0))
    assert session.record.status == "running"
    return session


def after_opening(words: str = "me open", **table: Any) -> Session:
    """Return a running table after all seats have flipped two cards: one seat is to act."""
    session = dealt(words, **table)
    play_moves(session, len(session.record.seats))
    return session


def play_moves(session: Session, moves: int, now: float = 20.0) -> None:
    """Play `moves` moves, each the lowest action of the first seat to act."""
    for _ in range(moves):
        match = session.dealt_match
        if match.over:
            return
        seat = match.acting[0]
        grant(session, session.move(seat, session.legal(seat)[0], session.version(seat), now=now))


def play_by_chance(session: Session, luck: random.Random, most: int = 100_000, now: float = 5.0) -> Iterator[None]:
    """Play random moves of random seats until the match is over or has `most` moves; stop before each."""
    for _ in range(most):
        if session.dealt_match.over:
            return
        yield
        seat = luck.choice(session.dealt_match.acting)
        grant(session, session.move(seat, luck.choice(session.legal(seat)), session.version(seat), now=now))
