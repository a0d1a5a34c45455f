"""Turns of bots at a table: when a bot starts to compute, whose share of computing time it uses, and when it moves.

A bot starts to compute as soon as it is to move. The time of its move must not disclose how long it computed, which may
depend on hidden cards. So the time of the move is fixed at the start, late enough for nearly all computations. A bot
that needs longer moves at one of a few later times.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Coroutine
from typing import Any, TypeVar

from facedown.core.bot import choose_with_effort
from facedown.play.bot_interface import BotTask
from facedown.server.cluster.worker_status import WorkerStatus
from facedown.server.process.settings import ServerSettings
from facedown.server.scheduling import Rank, Share, ThreadLanes
from facedown.server.table.room import Room

Result = TypeVar("Result")
#: Seconds between the possible later times of a bot's move, if the bot is not ready at the time fixed at the start.
STEP = 0.25
#: Seconds between two checks whether a bot's move is still needed, while the table does not change.
RECHECK_INTERVAL = 60.0


def answered_at(begun: float, now: float, least: float) -> float:
    """Return the time at which a bot moves, if it computed its move from time `begun` to time `now` (seconds).

    The bot moves at `begun` + `least` or, if it was not ready by then, `STEP` seconds later, or 2 × `STEP` seconds
    later, and so on: at the first of these times at which it is ready. If `least` is 0, it moves as soon as it is
    ready.

    >>> answered_at(10.0, 10.3, 1.0), answered_at(10.0, 11.3, 1.0), answered_at(10.0, 10.3, 0.0)
    (11.0, 11.5, 10.3)
    """
    if least <= 0:
        return now
    return begun + least + STEP * max(0, math.ceil((now - begun - least) / STEP))


async def await_with_fixed_delay(thinks: Coroutine[Any, Any, Result], least: float) -> Result:
    """Await a coroutine, and return its result at the time computed by `answered_at` from the delay `least`.

    The delay hides how long the coroutine took.
    """
    loop = asyncio.get_running_loop()
    begun = loop.time()
    found = await thinks
    wait = answered_at(begun, loop.time(), least) - loop.time()
    if wait > 0:
        await asyncio.sleep(wait)
    return found


def least_wait(settings: ServerSettings, slow: bool, shows_zero: bool) -> float:
    """Return the shortest time in seconds from a bot's turn to its move. It depends on three settings.

    Normally the time is `bot_delay`. If the bot moves because a player's time has run out (`shows_zero`), it is
    `zero_delay`, so that all players first see that player's clock at zero. For a bot that searches (`slow`), either of
    these is raised to `slow_floor` if it is shorter, unless `bot_delay` is 0.
    """
    pause = settings.zero_delay if shows_zero else settings.bot_delay
    return max(pause, settings.slow_floor) if slow and settings.bot_delay > 0 else pause


# --- playing ----------------------------------------------------------------------------------------------------------


def share_of(room: Room) -> Share:
    """Return the origin and table to which the computing time of a table's bots is charged, and the bots' priority."""
    record = room.session.record
    return Share(record.origin, record.code, Rank.WATCHED if room.watched else Rank.UNSEEN)


def is_slow(room: Room, level: str) -> bool:
    """Return whether the bots of a level search for their moves, so that they run in the pool for long jobs."""
    return any(known.slow for known in room.services.settings.bots.levels if known.key == level)


def bot_compile_progress(room: Room) -> dict[int, tuple[int, int]]:
    """Return the progress of compiling the bots' code, as (current step, number of steps) by seat.

    Only seats whose bot cannot move before its code is compiled are included.
    """
    found = {}
    record = room.session.record
    for seat, place in enumerate(record.seats):
        if place.kind == "bot" and is_slow(room, place.level):
            steps = room.services.preparations.progress(record.game, place.level)
            if steps is not None:
                found[seat] = steps
    return found


class BotTurns:
    """Plays the turns of bots at all tables of this process."""

    def __init__(self, thinking: ThreadLanes, elsewhere: WorkerStatus) -> None:
        self._thinking = thinking
        self._elsewhere = elsewhere

    async def play(self, room: Room) -> None:
        """Play the moves of a table's bots while it is their turn and this process is the table's driver.

        The driver of a table is the process that plays its bots and runs its clocks.
        """
        shown: set[int] = set()
        services = room.services
        while (
            not services.closing
            and room.is_driver
            and not room.has_paused_bots
            and (task := room.session.bot_task()) is not None
        ):
            slow, ups = is_slow(room, task.level), room.session.timed_out_seats
            if slow and not room.bots_only and await self._elsewhere.should_delegate():
                # A worker process takes over this table and plays its bots.
                return
            # Delay the bot once for each clock that reached zero, so that pages show the zero for a moment.
            least = least_wait(services.settings, slow, task.seat in ups - shown)
            shown = ups
            action = await _await_while_needed(room, task, await_with_fixed_delay(self._think(room, task, slow), least))
            if action is not None:
                await _act(room, task, action)

    async def _think(self, room: Room, task: BotTask, slow: bool) -> int:
        game = room.session.game
        bot = room.services.settings.bots.bot(task.level)

        def choose() -> int:
            effort = self._thinking.effort() if slow else 1.0
            return int(choose_with_effort(bot, game, task.view, task.seat, task.seed, effort))

        if slow:
            await room.services.preparations.wait_until_compiled(game.name, task.level)
        lane = self._thinking.slow if slow else self._thinking.quick
        with room.services.metrics.time_bot(task.level):
            return await lane(share_of(room), choose)


async def _act(room: Room, task: BotTask, action: int) -> None:
    await room.request(lambda session: session.bot_move(task, action, room.services.now()))


async def _await_while_needed(room: Room, task: BotTask, work: Coroutine[Any, Any, int]) -> int | None:
    """Return the action that a bot chooses. Return None as soon as no action of the bot is needed any more.

    For example, the player for whom the bot stands in may have come back.
    """
    thinks = asyncio.ensure_future(work)
    try:
        while not thinks.done():
            if not _is_needed(room, task):
                return None
            news = asyncio.ensure_future(room.wait_for_change(RECHECK_INTERVAL))
            await asyncio.wait((thinks, news), return_when=asyncio.FIRST_COMPLETED)
            news.cancel()
            if room.services.closing:
                return None
        return thinks.result()
    finally:
        thinks.cancel()


def _is_needed(room: Room, task: BotTask) -> bool:
    match = room.session.match
    acts = match is not None and not match.over and task.seat in match.acting
    return acts and room.is_driver and room.session.record.level_of(task.seat) == task.level
