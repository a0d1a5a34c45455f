"""Bots at a table: when they begin to think, with whose time, and when they answer.

A bot begins as soon as it is its turn. When it answers says nothing of what it knows: at a moment that is fixed when
it begins, later than its level needs nearly always; and if it takes longer all the same, at one of a few further ones.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any, TypeVar

from facedown.core.bot import chosen
from facedown.play.session import BotTask
from facedown.server import look
from facedown.server.thinking import Rank, Share

if TYPE_CHECKING:
    from facedown.server.live.room import Room
    from facedown.server.settings import ServerSettings


Result = TypeVar("Result")
#: Who takes longer than the moment that was set answers after so many seconds more, or twice as many, and so on.
STEP = 0.25
#: A table where nothing happens is looked at so often, in seconds.
LOOKED_EVERY = 60.0


def answered_at(begun: float, now: float, least: float) -> float:
    """When an answer that is known `now` is given, if it was begun at a time and is to take so long at least.

    >>> answered_at(10.0, 10.3, 1.0), answered_at(10.0, 11.3, 1.0), answered_at(10.0, 10.3, 0.0)
    (11.0, 11.5, 10.3)
    """
    if least <= 0:
        return now
    return begun + least + STEP * max(0, math.ceil((now - begun - least) / STEP))


async def paced(thinks: Coroutine[Any, Any, Result], least: float) -> Result:
    """What thinking comes to, at a moment that does not depend on how long it took."""
    loop = asyncio.get_running_loop()
    begun = loop.time()
    found = await thinks
    wait = answered_at(begun, loop.time(), least) - loop.time()
    if wait > 0:
        await asyncio.sleep(wait)
    return found


def least_wait(settings: ServerSettings, slow: bool, shows_zero: bool) -> float:
    """How long a bot takes at least; where people do not want to see bots pause, no time at all."""
    pause = settings.zero_delay if shows_zero else settings.bot_delay
    return max(pause, settings.slow_floor) if slow and settings.bot_delay > 0 else pause


# --- who looks --------------------------------------------------------------------------------------------------------


def alone(room: Room) -> bool:
    """Do only bots play here: has nobody a seat who could still come and play it?"""
    return not any(seat.kind == "person" and not seat.left and not seat.standin for seat in room.session.record.seats)


def watched(room: Room) -> bool:
    """Does somebody look at this table, or did so a moment ago?"""
    if room.watchers or (room.forerunner is not None and room.forerunner.watchers):
        return True
    there = any(here.seats or here.watching for here in room.processes.values())
    return there or room.rooms.clock.monotonic() - room.looked < room.rooms.settings.unseen_for


def rests(room: Room) -> bool:
    """Do its bots wait until somebody looks?"""
    return alone(room) and not watched(room)


def share_of(room: Room) -> Share:
    """Whose time the bots of a table take."""
    record = room.session.record
    return Share(record.origin, record.code, Rank.WATCHED if watched(room) else Rank.UNSEEN)


def preparing(room: Room) -> dict[int, look.SeatStatus]:
    """The bots whose code is still being compiled, by seat."""
    found = {}
    for seat, place in enumerate(room.session.record.seats):
        if place.kind == "bot" and is_slow(room, place.level):
            steps = room.rooms.preparations.progress(room.session.record.game, place.level)
            if steps is not None:
                found[seat] = look.SeatStatus("preparing", steps=steps)
    return found


# --- playing ----------------------------------------------------------------------------------------------------------


def is_slow(room: Room, level: str) -> bool:
    """Is this a level that thinks ahead?"""
    return any(known.slow for known in room.rooms.settings.bots.levels if known.key == level)


async def play_bots(room: Room) -> None:
    """Let the bots of a table act as long as there is something for them to do here."""
    shown: set[int] = set()
    settings = room.rooms.settings
    while not room.rooms.closing and room.drives and not rests(room) and (task := room.session.bot_task()) is not None:
        slow, ups = is_slow(room, task.level), room.session.ups
        if slow and not alone(room) and await room.rooms.elsewhere.thinks():
            # A thinking process finds this table by itself.
            return
        # That somebody's time was up stands there for a moment, once.
        least = least_wait(settings, slow, task.seat in ups - shown)
        shown = ups
        action = await _while_it_matters(room, task, paced(_think(room, task, slow), least))
        if action is not None:
            await _act(room, task, action)


async def _act(room: Room, task: BotTask, action: int) -> None:
    await room.request(lambda session: session.bot_move(task, action, room.rooms.now()))


async def _think(room: Room, task: BotTask, slow: bool) -> int:
    thinking, game = room.rooms.thinking, room.session.game
    bot = room.rooms.settings.bots.bot(task.level)

    def choose() -> int:
        effort = thinking.effort() if slow else 1.0
        return int(chosen(bot, game, task.view, task.seat, task.seed, effort))

    if slow:
        await room.rooms.preparations.ready(game.name, task.level)
    lane = thinking.slow if slow else thinking.quick
    with room.rooms.metrics.thinking(task.level):
        return await lane(share_of(room), choose)


async def _while_it_matters(room: Room, task: BotTask, work: Coroutine[Any, Any, int]) -> int | None:
    """What a bot chooses, or None as soon as nobody waits for it: the person it plays for has come back, say."""
    thinks = asyncio.ensure_future(work)
    try:
        while not thinks.done():
            if not _matters(room, task):
                return None
            news = asyncio.ensure_future(room.news(LOOKED_EVERY))
            await asyncio.wait((thinks, news), return_when=asyncio.FIRST_COMPLETED)
            news.cancel()
            if room.rooms.closing:
                return None
        return thinks.result()
    finally:
        thinks.cancel()


def _matters(room: Room, task: BotTask) -> bool:
    match = room.session.match
    acts = match is not None and not match.over and task.seat in match.acting
    return acts and room.drives and room.session.record.level_of(task.seat) == task.level
