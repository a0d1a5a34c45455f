"""Scheduling of bots and coach: fair shares, pools for short and long jobs, cancellation, effort, and bot delays."""

from __future__ import annotations

import asyncio
import contextlib
import math
import os
import sys
import threading
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from facedown.bots import bot
from facedown.bots.rollout_search import search_by_rollouts
from facedown.bots.search_common import Budget
from facedown.core.bot import choose_with_effort
from facedown.core.match import Match
from facedown.core.seeds import seed_from_text
from facedown.play import Level, Refusal
from facedown.server.i18n import run_in_thread
from facedown.server.process.server_settings import ServerSettings
from facedown.server.scheduling import Rank, Share, ThreadLanes
from facedown.server.scheduling.client_address_hash import LENGTH, Origins
from facedown.server.scheduling.fair_queue import LOW_RANK_INTERVAL, FairQueue
from facedown.server.scheduling.thread_lanes import LEAST_EFFORT
from facedown.server.table import bot_turns
from tests.manual_clock import ManualClock, pass_time
from tests.not_none import given
from tests.play.table import LowBots
from tests.server.api_players import create_table
from tests.server.http_server import PATIENCE, Serve, code_of, finished, run_with_manual_clock
from tests.server.live_tables import new_room, running_process, tables_of_process, with_manual_clock
from tests.waiting import run_ready_tasks, wait_until, wait_until_async


class QueueClients:
    """Clients by name with their shares, and the fair queue."""

    def __init__(self, **shares: Share) -> None:
        self.shares = shares
        self.queue: FairQueue[str] = FairQueue(1.0)

    def put(self, tasks: int, *names: str) -> None:
        """Queue this number of tasks for each of these names, or for all."""
        for name in list(names or self.shares) * tasks:
            self.queue.put(self.shares[name], name)

    def served(self, most: int, **seconds: float) -> list[str]:
        """Return the names served in order. A task takes one second, or as given."""
        found: list[str] = []
        while len(found) < most and (who := self.queue.next()) is not None:
            found.append(who)
            self.queue.record_time(self.shares[who], seconds.get(who, 1.0))
        return found


@contextlib.asynccontextmanager
async def thread_pools(*held: str, **settings: Any) -> AsyncIterator[ThreadLanes]:
    """Yield thread pools with one thread each. The first of `held` occupies the long-job thread, the others wait."""
    thinking = ThreadLanes(ServerSettings(database="", **({"quick_threads": 1, "slow_threads": 1} | settings)))
    go_on = threading.Event()
    tasks = [asyncio.ensure_future(thinking.run_in_slow_lane(Share(who), go_on.wait, PATIENCE)) for who in held]
    await wait_until_async(lambda: thinking.running_count("slow") + thinking.waiting_count("slow") == len(held))
    try:
        yield thinking
        assert not any(task.done() for task in tasks)
        go_on.set()
        await wait_until_async(lambda: not thinking.running_count("slow") and not thinking.waiting_count("slow"))
        await asyncio.gather(*tasks)
    finally:
        thinking.stop()


# --- the fair queue ---------------------------------------------------------------------------------------------------


def test_fair_queue_shares_computing_time_equally_and_idle_clients_gain_no_credit() -> None:
    line = QueueClients(many=Share("many", "t"), few=Share("few", "u"))
    line.put(100, "many")
    assert line.served(20) == ["many"] * 20
    line.put(5, "few")
    served = line.served(10)
    assert Counter(served) == {"many": 5, "few": 5}
    assert served[:2].count("few") == 1, "whoever comes anew has a turn at once"
    # Time is shared, not the number of tasks. An idle client saves none.
    line = QueueClients(slow=Share("slow"), quick=Share("quick"))
    line.put(100)
    served = line.served(50, slow=4.0)
    assert served.count("quick") == pytest.approx(4 * served.count("slow"), abs=4)
    line = QueueClients(busy=Share("busy"), silent=Share("silent"))
    line.put(1, "silent")
    line.served(1)
    line.put(200, "busy")
    line.served(100)
    line.put(100, "silent")
    assert Counter(line.served(20)) == {"busy": 10, "silent": 10}


def test_fair_queue_splits_time_by_client_address_and_prefers_tables_with_viewers() -> None:
    line = QueueClients(a=Share("one", "a"), b=Share("one", "b"), other=Share("other", "c"))
    line.put(40)
    assert Counter(line.served(40)) == {"a": 10, "b": 10, "other": 20}
    line = QueueClients(**{rank.name: Share("one", rank.name, rank) for rank in Rank})
    line.put(100)
    served = line.served(8 * LOW_RANK_INTERVAL)
    assert served[0] == "WATCHED"
    assert Counter(served) == {"WATCHED": 8 * (LOW_RANK_INTERVAL - 1), "LATER": 4, "UNSEEN": 4}
    # Removed tasks are not served.
    queue: FairQueue[str] = FairQueue(1.0)
    share = Share("one", "a")
    queue.put(share, "first")
    queue.put(share, "second")
    for _twice in range(2):
        queue.remove(share, "first")
    assert (queue.next(), queue.next(), len(queue)) == ("second", None, 0)


# --- the thread pools -------------------------------------------------------------------------------------------------


@with_manual_clock
async def test_short_jobs_do_not_wait_for_long_jobs_or_for_the_loading_of_code() -> None:
    go_on = threading.Event()
    async with thread_pools(*map(str, range(50))) as thinking:
        loading = [asyncio.ensure_future(thinking.run_preparation(go_on.wait, PATIENCE)) for _ in range(5)]
        await run_ready_tasks()
        assert await thinking.run_in_quick_lane(Share("ada"), threading.get_ident) != threading.get_ident(), (
            "beside the loop"
        )
        assert not any(work.done() for work in loading)
        go_on.set()
        await asyncio.gather(*loading)


@with_manual_clock
async def test_cancelled_waiting_job_is_never_started() -> None:
    begun: list[str] = []
    async with thread_pools("a") as thinking:
        second, third = (
            asyncio.ensure_future(thinking.run_in_slow_lane(Share("a"), begun.append, name))
            for name in ("second", "third")
        )
        await wait_until_async(lambda: thinking.waiting_count("slow") == 2)
        second.cancel()
        await asyncio.wait((second,))
        assert thinking.waiting_count("slow") == 1
    await third
    assert begun == ["third"]


@pytest.mark.parametrize("kind", [StopIteration, GeneratorExit, SystemExit, KeyboardInterrupt, asyncio.CancelledError])
@with_manual_clock
async def test_job_that_raises_any_exception_leaves_its_thread_alive(kind: type[BaseException]) -> None:
    def broken() -> None:
        raise kind("no more")

    async with thread_pools() as thinking:
        with pytest.raises(RuntimeError, match=kind.__name__):
            await thinking.run_in_slow_lane(Share(), broken)
        assert await thinking.run_in_slow_lane(Share(), lambda: 1) == 1, "the thread lives on"
    # The same holds for helper threads outside of the pools.
    with pytest.raises(RuntimeError, match="StopIteration"):
        await run_in_thread(next, iter(()))


@with_manual_clock
async def test_too_many_waiting_jobs_of_one_client_address_are_refused() -> None:
    async with thread_pools(*["flood"] * 3, questions_waiting=2) as thinking:
        with pytest.raises(Refusal) as refused:
            thinking.refuse_too_many_waiting_of_origin("flood")
        assert refused.value.code == "too-fast"
        thinking.refuse_too_many_waiting_of_origin("ada")


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere threads have no priority of their own")
@with_manual_clock
async def test_job_threads_keep_the_normal_os_priority() -> None:
    """A thread with a lower priority could hold the interpreter lock for long, and pages and moves would wait."""

    def priority() -> int:
        return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

    async with thread_pools() as thinking:
        assert [await lane(Share(), priority) for lane in (thinking.run_in_quick_lane, thinking.run_in_slow_lane)] == [
            priority()
        ] * 2


@pytest.mark.parametrize(("waiting", "effort"), [(0, 1.0), (1, 1.0), (3, 0.5), (19, 0.1), (500, LEAST_EFFORT)])
@with_manual_clock
async def test_search_effort_of_bots_falls_with_the_number_of_waiting_jobs(waiting: int, effort: float) -> None:
    """One thread, one second per job, and two seconds of patience."""
    async with thread_pools(*map(str, range(waiting + 1)), slow_patience=2.0) as thinking:
        assert thinking.allowed_effort_fraction() == pytest.approx(effort)


def test_bot_whose_search_effort_cannot_be_reduced_is_called_normally() -> None:
    match = Match("reveal", 2, {}, seed_from_text("effort"))
    view = match.known(0)
    rigid: Any = SimpleNamespace(choose=lambda *_: 7)
    told: Any = SimpleNamespace(choose=lambda *_: 100, choose_within=lambda *given: round(100 * given[-1]))
    for asked, answers in ((told, [100, 50]), (rigid, [7, 7])):
        assert [choose_with_effort(asked, match.game, view, 0, 1, effort) for effort in (1.0, 0.5)] == answers
    for wrong in (0.0, -1.0, 1.5, float("nan")):
        with pytest.raises(ValueError, match="effort"):
            choose_with_effort(told, match.game, view, 0, 1, wrong)


@pytest.mark.parametrize("game", ["reveal", "uncovered", "reveille", "detect", "scout"])
def test_strong_bot_chooses_its_usual_move_at_full_effort_and_a_legal_one_at_low_effort(game: str) -> None:
    match = Match(game, 2, {}, seed_from_text("full effort"))
    while match.ply < 6 and not match.over:
        seat = match.acting[0]
        view, legal = match.known(seat), match.legal(seat)
        strong = bot("strong")
        usual = strong.choose(match.game, view, seat, 5)
        assert choose_with_effort(strong, match.game, view, seat, 5, 1.0) == usual
        assert choose_with_effort(strong, match.game, view, seat, 5, 0.05) in legal
        match.play(seat, usual)


def test_hash_of_a_client_address_differs_between_addresses_and_between_keys() -> None:
    ours, others = Origins(b"a key"), Origins(b"another")
    assert ours.hash_address("192.0.2.7") == ours.hash_address("192.0.2.7") != ours.hash_address("192.0.2.8")
    assert ours.hash_address("192.0.2.7") != others.hash_address("192.0.2.7")
    assert len(ours.hash_address("2001:db8::/64")) == LENGTH


@pytest.mark.parametrize("game", ["reveal", "detect", "scout", "reveille"])
def test_search_at_the_lowest_effort_still_runs_as_many_simulations_as_the_strong_bot_level(game: str) -> None:
    match = Match(game, 2, {}, seed_from_text("small effort"))
    levels = match.game.levels
    assert Budget(0, 1.0).reduce_to_share(LEAST_EFFORT, levels.strong) == Budget(0, LEAST_EFFORT, levels.strong)
    assert Budget(levels.strong).reduce_to_share(LEAST_EFFORT, levels.strong).simulations == levels.strong
    hasty = Budget(0, 1e-9).reduce_to_share(1.0, levels.strong)
    seat = next(seat for seat in match.acting if len(match.legal(seat)) > 1)
    found = search_by_rollouts(match.game, match.known(seat), seat, 1, hasty)
    bare = search_by_rollouts(match.game, match.known(seat), seat, 1, Budget(0, 1e-9))
    assert bare.simulations < found.simulations, "however little time there is, it goes on"


# --- bot moves --------------------------------------------------------------------------------------------------------


def answer_time(seconds: float, least: float) -> float:
    """Return when the answer of a bot that thinks for this time arrives, in steps of 1 ms."""
    clock = ManualClock(0.0)

    async def scene() -> float:
        loop = asyncio.get_running_loop()
        # Use the manual clock only.
        loop.time = clock.monotonic  # type: ignore[method-assign]
        thought = loop.create_future()
        loop.call_later(seconds, thought.set_result, 1)
        answer = loop.create_task(bot_turns.await_with_stepped_delay(thought, least))
        for thousandth in range(5000):
            clock.turned = thousandth / 1000
            await run_ready_tasks(3)
            if answer.done():
                assert await answer == 1
                return clock.turned
        raise AssertionError("no answer")

    return run_with_manual_clock(scene(), clock)


def test_bot_move_delay_does_not_depend_on_thinking_time(tmp_path: Path) -> None:
    """Otherwise a bot that thinks longer with good cards would disclose them."""
    assert {answer_time(seconds, 1.5) for seconds in (0.0, 0.001, 0.4, 1.0, 1.49)} == {1.5}
    # Longer delays are rounded up to a few values that disclose little.
    assert {answer_time(seconds, 1.5) for seconds in (1.51, 1.6, 1.74)} == {1.75}
    assert answer_time(1.76, 1.5) == 2.0
    assert answer_time(0.25, 0.0) == 0.25, "where people do not want to see bots pause, nothing is waited for"
    rooms = tables_of_process(tmp_path, clock=ManualClock(), bot_delay=1.1, slow_floor=1.5)
    settings = rooms.settings
    assert [bot_turns.shortest_bot_delay(settings, slow, False) for slow in (False, True)] == [1.1, 1.5]
    assert bot_turns.shortest_bot_delay(settings, True, True) == settings.zero_delay
    rooms.repository.close()


class SlowBots(LowBots):
    """Low bots that count as slow."""

    @property
    def levels(self) -> Sequence[Level]:
        return [replace(level, slow=True) for level in super().levels]


@with_manual_clock
async def test_bots_at_a_table_without_people_stop_moving_while_nobody_watches(tmp_path: Path) -> None:
    bots = LowBots()
    async with running_process(tmp_path, bots=bots) as rooms:
        room, _ = await new_room(rooms, "low", "low", game="uncovered")
        # Pretend that the table was created long ago.
        room.looked = -math.inf
        await room.request_change(lambda session: session.begin_match_of_bots_only(2.0))
        assert room.has_paused_bots
        await rooms.sweep()
        await run_ready_tasks()
        assert (room.session.ply, bots.shown) == (0, [])
        assert bot_turns.bot_scheduling_share_of(room).rank == Rank.UNSEEN
        room.record_view_and_resume_bots()
        assert bot_turns.bot_scheduling_share_of(room).rank == Rank.WATCHED
        await wait_until_async(lambda: room.session.ply > 3)
        # After a while without viewers the bots pause again.
        await pass_time(rooms.settings.unseen_for + 1)
        await wait_until_async(lambda: not room.must_stay_in_memory)
        assert not room.session.dealt_match.over
        ply = room.session.ply
    # A restart does not resume them.
    async with running_process(tmp_path, bots=bots) as second:
        assert second.all_in_memory() == []
        found = await second.room(room.session.code)
        assert (found.session.ply, found.must_stay_in_memory) == (ply, False)
        found.record_view_and_resume_bots()
        await wait_until_async(lambda: found.session.ply > ply)


def test_bot_only_tables_per_address_are_limited(start_server: Serve) -> None:
    server = start_server(bots_alone=2, bot_delay=60.0)
    (client,) = server.guests(1)
    # A table with a person is no bot-only table.
    kinds = [["low", "low"]] * 3 + [["me", "low"]]
    answers = [client.post("/api/v1/tables", json={"game": "reveal", "name": "Ada", "seats": kind}) for kind in kinds]
    assert [answer.status_code for answer in answers] == [201, 201, 429, 201], answers[0].text
    assert answers[2].json()["code"] == "too-fast"
    # A table stores the origin of its creator.
    code = answers[3].json()["table"]["code"]
    origins = (server.session(code).record.origin, given(server.rooms.repository.load(code)).record.origin)
    assert origins == (server.rooms.origins.hash_address("127.0.0.1"),) * 2 != ("", "")


class BlockingBots:
    """Slow bots that think until the test releases them, and fast ones that answer at once."""

    levels: Sequence[Level] = (
        Level("slow", "Slow", "thinks until it is let go", slow=True),
        Level("low", "Low", "plays the first", usual=True),
    )

    def __init__(self) -> None:
        self.go_on = threading.Event()
        self.begun = 0

    def bot(self, level: str) -> Any:
        return self if level == "slow" else LowBots().bot(level)

    def choose(self, game: Any, view: Any, seat: int, seed: int) -> int:
        self.begun += 1
        # No timeout: after each released bot the next one of the flood would start.
        self.go_on.wait()
        return int(game.legal(view, seat)[0])


def test_match_continues_while_slow_bots_of_another_address_fill_the_bot_threads(start_server: Serve) -> None:
    """Slow bots of one address fill the pool, while the match of another visitor ends normally."""
    bots = BlockingBots()
    server = start_server(bots=bots, slow_threads=2, bots_alone=50, questions_waiting=3)
    eve, ben = server.guests(2)
    try:
        for _ in range(30):
            create_table(eve, "slow", "slow", game="reveal")
        thinking = server.rooms.thinking
        wait_until(lambda: thinking.running_count("slow") == 2 and thinking.waiting_count("slow") == 28)
        # Further refusable work of that address is refused.
        assert eve.post("/api/v1/score/uncovered", json={"seats": 4}).status_code == 429
        url = finished(server, ben)
        assert ben.get(f"/api/v1/matches/{code_of(url)}").json()["moves"]
        assert (bots.begun, thinking.running_count("slow")) == (2, 2), "the flood stands where it stood"
    finally:
        bots.go_on.set()
