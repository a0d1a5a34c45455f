"""Reviews as jobs: stored over restarts and for every language, resumed after a crash, given up after some tries."""

from __future__ import annotations

import asyncio
import functools
import random
import threading
from pathlib import Path
from typing import Any

import pytest

from facedown.check.random_matches import play_randomly
from facedown.core.match import Match
from facedown.core.rule import INTERPRETED
from facedown.core.seeds import seed_from_text
from facedown.core.table import Sitter
from facedown.core.translation import use_language
from facedown.server import worker as process_that_thinks
from facedown.server.cluster.bus import Bus
from facedown.server.table import review_jobs
from facedown.server.table.review_requests import ReviewRequest
from facedown.server.table.room import Room
from facedown.server.table.room_registry import Rooms
from facedown.server.worker import Worker
from facedown.store import Repository, url_of
from facedown.store.jobs import Jobs
from facedown.study import match_analysis
from facedown.study.match_analysis import Analysis
from facedown.study.review import FullReview, review_match
from tests.not_none import given
from tests.play.table import LowBots
from tests.reviews import look_back
from tests.server.http_server import PATIENCE, Calls
from tests.server.live_tables import new_room, running_process, stop_processes, tables_of_process, with_manual_clock
from tests.server.test_scheduling import SlowBots
from tests.waiting import run_ready_tasks, wait_until_async

pytestmark = pytest.mark.skipif(INTERPRETED, reason="many rounds are played out")
TRIES = 30


async def finished_room(rooms: Rooms) -> Room:
    """Return the live table of a finished hand of Reveal between bots."""
    room, _ = await new_room(rooms, "low", "low", game="reveal", options={"end": "hands(1)"})
    room.record_view_and_resume_bots()
    await room.request_change(lambda session: session.begin_match_of_bots_only(2.0))
    await wait_until_async(lambda: room.session.record.status == "finished")
    return room


async def ended_job(rooms: Rooms, room: Room) -> ReviewRequest:
    job = rooms.coach.request_review(room.session, 0)
    await rooms.coach.wait_for_review_end(job, PATIENCE)
    assert job.ended
    return job


async def finished_review(rooms: Rooms, room: Room) -> FullReview:
    return given((await ended_job(rooms, room)).found)


@pytest.fixture
def analysis_calls(monkeypatch: pytest.MonkeyPatch) -> Calls:
    """Count the analyses of matches."""
    found = Calls()
    found.count(monkeypatch, review_jobs, "Analysis")
    return found


@with_manual_clock
async def test_saved_review_survives_a_restart_and_serves_every_language(tmp_path: Path, analysis_calls: Calls) -> None:
    async with running_process(tmp_path, review_tries=TRIES) as first:
        room = await finished_room(first)
        english = await finished_review(first, room)
        with use_language("de"):
            german = await finished_review(first, room)
    async with running_process(tmp_path, review_tries=TRIES) as second:
        again = await finished_review(second, await second.room(room.session.code))
        assert analysis_calls["Analysis"] == 1, "it was worked out once"
        assert again == english
        assert [move.chance for move in german.judged] == [move.chance for move in english.judged]
        assert german.judged[0].where != english.judged[0].where
        assert second.repository.jobs.count_waiting_and_running("review") == 0


def test_review_from_saved_analysis_equals_the_original() -> None:
    sitters = [Sitter("Ada"), Sitter("Ben", True)]
    for game, options in (("reveal", {"end": "hands(1)"}), ("uncovered", {})):
        match = Match(game, 2, options, seed_from_text("kept numbers"))
        play_randomly(match, random.Random(1), 1000)
        seat_from = None if match.game.info.together else 0
        analysis = Analysis(match, seat_from, TRIES)
        while not analysis.run_for(0.0):
            pass
        kept = match_analysis.moves_from_json(match_analysis.moves_to_json(analysis.found))
        assert kept == tuple(analysis.found)
        assert review_match(match, seat_from, sitters, kept) == look_back(match, seat_from, sitters, TRIES)
    for spoiled in ('{"form": 0, "decisions": []}', "{", "[]", '{"form": 2, "decisions": [[1]]}'):
        assert match_analysis.moves_from_json(spoiled) is None, spoiled


@with_manual_clock
async def test_corrupt_saved_analysis_is_recomputed(tmp_path: Path, analysis_calls: Calls) -> None:
    async with running_process(tmp_path, review_tries=TRIES, jobs_every=0.05) as rooms:
        room = await finished_room(rooms)
        rooms.repository.reviews.store_review_json(given(room.number), 0, "{", 1.0)
        await finished_review(rooms, room)
        with use_language("de"):
            await finished_review(rooms, room)
        assert analysis_calls["Analysis"] == 1, "and kept in place of the spoiled ones"


@with_manual_clock
async def test_review_job_that_raises_stop_iteration_fails_after_three_tries(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[float] = []

    def broken(self: Analysis, seconds: float) -> bool:
        tried.append(seconds)
        raise StopIteration

    monkeypatch.setattr(Analysis, "run_for", broken)
    async with running_process(tmp_path, review_tries=TRIES, jobs_every=0.05) as rooms:
        job = await ended_job(rooms, await finished_room(rooms))
        assert job.failed
        assert len(tried) == 3
        assert rooms.repository.jobs.count_waiting_and_running("review") == 0


def assert_job_waits(folder: Path) -> None:
    """Check that a review job waits in the queue with no try counted."""
    repository = Repository(url_of(folder))
    (left,) = repository.jobs.unclaimed_in_fair_order("review", 5)
    assert left.tries == 0
    repository.close()


@with_manual_clock
async def test_running_review_job_returns_to_the_queue_when_its_server_stops(tmp_path: Path) -> None:
    async with running_process(tmp_path, review_tries=100_000) as rooms:
        rooms.coach.request_review((await finished_room(rooms)).session, 0)
        await wait_until_async(lambda: rooms.thinking.running_count("slow") == 1)
        assert rooms.repository.jobs.unclaimed_in_fair_order("review", 1) == []
    assert_job_waits(tmp_path)


@with_manual_clock
async def test_review_job_that_is_being_claimed_returns_to_the_queue_when_its_server_stops(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken, may_say_so = threading.Event(), threading.Event()
    claim = Jobs.claim

    @functools.wraps(claim)
    def slowly(self: Jobs, *about: Any) -> Any:
        found = claim(self, *about)
        taken.set()
        assert may_say_so.wait(PATIENCE)
        return found

    monkeypatch.setattr(Jobs, "claim", slowly)
    async with running_process(tmp_path, review_tries=100_000) as rooms:
        rooms.coach.request_review((await finished_room(rooms)).session, 0)
        await wait_until_async(taken.is_set)
        assert rooms.repository.jobs.unclaimed_in_fair_order("review", 1) == []
        stops = asyncio.ensure_future(rooms.coach.work.stop())
        await run_ready_tasks(3)
        may_say_so.set()
        await stops
    assert_job_waits(tmp_path)


@with_manual_clock
async def test_worker_process_computes_bot_moves_and_reviews(
    tmp_path: Path, analysis_calls: Calls, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process_that_thinks, "POLL_INTERVAL", 0.01)
    bus, bots = Bus(), SlowBots()
    settings: dict[str, Any] = {"review_tries": TRIES, "bots": bots, "jobs_every": 0.05}
    server = tables_of_process(tmp_path, bus=bus, think_here=False, **settings)
    thinks = tables_of_process(tmp_path, **settings)
    thinker = Worker(thinks.repository, thinks.settings, bus, thinks.clock)
    # Start the worker first: a server that finds no worker thinks itself and does not check again for a while.
    ends = asyncio.Event()
    thinking = asyncio.ensure_future(thinker.run(ends))
    await wait_until_async(server.repository.processes.has_live_worker)
    await server.start()
    room = await finished_room(server)
    assert bots.shown
    await finished_review(server, room)
    assert analysis_calls["Analysis"] == 1
    assert not server.coach.work._origins
    await stop_processes(server)
    ends.set()
    await thinking
    thinks.repository.close()


@with_manual_clock
async def test_server_computes_reviews_itself_without_a_worker_process(tmp_path: Path) -> None:
    async with running_process(tmp_path, bots=LowBots(), think_here=False, review_tries=TRIES) as rooms:
        await finished_review(rooms, await finished_room(rooms))


@pytest.mark.parametrize("turns", range(5))
@with_manual_clock
async def test_background_review_loop_stops_even_if_it_is_woken_at_the_same_time(tmp_path: Path, turns: int) -> None:
    async with running_process(tmp_path) as rooms:
        # Wait until the loop waits for work.
        await wait_until_async(lambda: rooms.coach.work._bell._waiters)  # type: ignore[attr-defined]
        rooms.coach.work.wake()
        await run_ready_tasks(turns)
        async with asyncio.timeout(PATIENCE):
            await rooms.coach.work.stop()
