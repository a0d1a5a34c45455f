"""Turns of bots at a table: when a bot starts to compute, to whom the computing time is charged, and when it moves.

A bot starts to compute as soon as it is to move. The time of its move must not disclose how long it computed, because
that may depend on hidden cards. So the time of the move is fixed at the start, late enough for nearly all computations.
If the computation is not finished by then, the bot moves at the next of several later times. These times are fixed at
the start, too (`delayed_move_time`).
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Coroutine
from typing import Any, TypeVar

from facedown.core.bot import choose_with_effort
from facedown.play.bot_interface import BotTask
from facedown.server.cluster.worker_delegation import WorkerStatus
from facedown.server.process.server_settings import ServerSettings
from facedown.server.scheduling import Rank, Share, ThreadLanes
from facedown.server.table.room import Room

Result = TypeVar("Result")
#: If a bot is not ready at the time fixed for its move, it moves this number of seconds after that time. If it is still
#: not ready then, it moves twice this number of seconds after that time, and so on.
STEP = 0.25
#: Seconds between two checks whether a bot's move is still needed, while the table does not change.
RECHECK_INTERVAL = 60.0


def delayed_move_time(begun: float, now: float, least: float) -> float:
    """Return the time at which a bot moves, if it computed its move from time `begun` to time `now`. Unit: seconds.

    The time of the move must not disclose how long the bot computed, because that may depend on hidden cards. So the
    bot may move only at certain times: at `begun` + `least`, and every `STEP` seconds after that. The result is the
    first of these times that is not before `now`.

    If `least` is 0, there is no delay, and the result is `now`.

    >>> delayed_move_time(10.0, 10.3, 1.0), delayed_move_time(10.0, 11.3, 1.0), delayed_move_time(10.0, 10.3, 0.0)
    (11.0, 11.5, 10.3)
    """
    if least <= 0:
        return now
    return begun + least + STEP * max(0, math.ceil((now - begun - least) / STEP))


async def await_with_stepped_delay(thinks: Coroutine[Any, Any, Result], least: float) -> Result:
    """Await a coroutine, but return its result no earlier than `least` seconds after the call.

    If the coroutine takes longer, return at the next of several fixed later times, which are `STEP` seconds apart. So
    the time of the return hides how long the coroutine took. If `least` is 0, do not delay the result.
    """
    loop = asyncio.get_running_loop()
    begun = loop.time()
    found = await thinks
    wait = delayed_move_time(begun, loop.time(), least) - loop.time()
    if wait > 0:
        await asyncio.sleep(wait)
    return found


def shortest_bot_delay(settings: ServerSettings, slow: bool, for_timed_out_player: bool) -> float:
    """Return the shortest time in seconds from the start of a bot's turn to the bot's move.

    The time depends on three settings:

    * `bot_delay`: the time before an ordinary move.
    * `zero_delay`: the time before a move that the bot makes because a player's clock has run out
      (`for_timed_out_player`). During this time, all players see that clock at zero.
    * `slow_floor`: a lower limit for the time before any move of a bot that searches (`slow`). If `bot_delay` is 0,
      this setting is ignored.
    """
    pause = settings.zero_delay if for_timed_out_player else settings.bot_delay
    return max(pause, settings.slow_floor) if slow and settings.bot_delay > 0 else pause


# --- playing ----------------------------------------------------------------------------------------------------------


def bot_scheduling_share_of(room: Room) -> Share:
    """Return the `Share` (accounts and priority) with which the computations of a table's bots are scheduled.

    The computing time is charged to the table and to its origin (hashed address of the client that opened the table).
    The priority is lower while no page shows the table (`Room.is_shown_on_any_page`).
    """
    record = room.session.record
    return Share(record.origin, record.code, Rank.WATCHED if room.is_shown_on_any_page else Rank.UNSEEN)


def is_slow_bot_level(room: Room, level: str) -> bool:
    """Return whether bots of this level search for their moves, which may take a second or more.

    Computations of such bots run in the thread pool for long computations. An unknown level counts as not slow.
    """
    return any(known.slow for known in room.services.settings.bots.levels if known.key == level)


def bot_compile_progress_by_seat(room: Room) -> dict[int, tuple[int, int]]:
    """Return the progress of compiling the bots' code, as (number of the current stage, number of stages) by seat.

    Only seats whose bot cannot move before its code is compiled are included.
    """
    found = {}
    record = room.session.record
    for seat, place in enumerate(record.seats):
        if place.kind == "bot" and is_slow_bot_level(room, place.level):
            steps = room.services.preparations.current_stage_and_stage_count(record.game, place.level)
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
            slow, ups = is_slow_bot_level(room, task.level), room.session.timed_out_seats
            if slow and not room.bots_only and await self._elsewhere.should_delegate():
                # A worker process takes over this table and plays its bots.
                return
            # Delay the bot once for each clock that reached zero, so that pages show the zero for a moment.
            least = shortest_bot_delay(services.settings, slow, task.seat in ups - shown)
            shown = ups
            action = await _await_bot_action_while_needed(
                room, task, await_with_stepped_delay(self._compute_bot_action(room, task, slow), least)
            )
            if action is not None:
                await _submit_bot_move(room, task, action)

    async def _compute_bot_action(self, room: Room, task: BotTask, slow: bool) -> int:
        game = room.session.game
        bot = room.services.settings.bots.bot(task.level)

        def choose() -> int:
            effort = self._thinking.allowed_effort_fraction() if slow else 1.0
            return int(choose_with_effort(bot, game, task.view, task.seat, task.seed, effort))

        if slow:
            await room.services.preparations.wait_until_compiled(game.name, task.level)
        lane = self._thinking.run_in_slow_lane if slow else self._thinking.run_in_quick_lane
        with room.services.metrics.bot_choice_timer(task.level):
            return await lane(bot_scheduling_share_of(room), choose)


async def _submit_bot_move(room: Room, task: BotTask, action: int) -> None:
    await room.request_change(lambda session: session.bot_move(task, action, room.services.now()))


async def _await_bot_action_while_needed(room: Room, task: BotTask, work: Coroutine[Any, Any, int]) -> int | None:
    """Return the action that a bot chooses. Return None as soon as no action of the bot is needed any more.

    For example, the player for whom the bot stands in may have come back.
    """
    thinks = asyncio.ensure_future(work)
    try:
        while not thinks.done():
            if not _is_bot_action_needed(room, task):
                return None
            news = asyncio.ensure_future(room.wait_for_change(RECHECK_INTERVAL))
            await asyncio.wait((thinks, news), return_when=asyncio.FIRST_COMPLETED)
            news.cancel()
            if room.services.closing:
                return None
        return thinks.result()
    finally:
        thinks.cancel()


def _is_bot_action_needed(room: Room, task: BotTask) -> bool:
    match = room.session.match
    acts = match is not None and not match.over and task.seat in match.acting
    return acts and room.is_driver and room.session.record.bot_level_at(task.seat) == task.level
