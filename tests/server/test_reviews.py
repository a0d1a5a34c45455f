"""Looks back as jobs: kept over a restart and for every language, found again after a crash, given up in the end."""

from __future__ import annotations

import asyncio
import functools
import random
import threading
from pathlib import Path
from typing import Any

import pytest

from facedown.check.random_matches import play_randomly
from facedown.core.language import use_language
from facedown.core.match import Match
from facedown.core.rule import INTERPRETED
from facedown.core.seeds import seed_from_text
from facedown.core.table import Sitter
from facedown.server import worker as process_that_thinks
from facedown.server.cluster.bus import Bus
from facedown.server.table import review_jobs
from facedown.server.table.coach_requests import ReviewRequest
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
from tests.server.live_tables import end, new_room, process, running, scene
from tests.server.test_thinking import SlowBots
from tests.waiting import run_ready_tasks, wait_until_async

pytestmark = pytest.mark.skipif(INTERPRETED, reason="many rounds are played out")
TRIES = 30


async def over(rooms: Rooms) -> Room:
    """A hand of Reveal that bots have played to its end."""
    room, _ = await new_room(rooms, "low", "low", game="reveal", options={"end": "hands(1)"})
    room.mark_viewed()
    await room.request(lambda session: session.begin(2.0))
    await wait_until_async(lambda: room.session.record.status == "finished")
    return room


async def ended_job(rooms: Rooms, room: Room) -> ReviewRequest:
    job = rooms.coach.request_review(room.session, 0)
    await rooms.coach.wait(job, PATIENCE)
    assert job.ended
    return job


async def looked_back(rooms: Rooms, room: Room) -> FullReview:
    return given((await ended_job(rooms, room)).found)


@pytest.fixture
def analysed(monkeypatch: pytest.MonkeyPatch) -> Calls:
    """How often matches are analysed."""
    found = Calls()
    found.of(monkeypatch, review_jobs, "Analysis")
    return found


@scene
async def test_numbers_outlive_a_restart_and_serve_every_language(tmp_path: Path, analysed: Calls) -> None:
    async with running(tmp_path, review_tries=TRIES) as first:
        room = await over(first)
        english = await looked_back(first, room)
        with use_language("de"):
            german = await looked_back(first, room)
    async with running(tmp_path, review_tries=TRIES) as second:
        again = await looked_back(second, await second.room(room.session.code))
        assert analysed["Analysis"] == 1, "it was worked out once"
        assert again == english
        assert [move.chance for move in german.judged] == [move.chance for move in english.judged]
        assert german.judged[0].where != english.judged[0].where
        assert second.repository.jobs.count("review") == 0


def test_what_is_told_of_kept_numbers_is_what_was_found() -> None:
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


@scene
async def test_numbers_that_are_spoiled_are_found_anew(tmp_path: Path, analysed: Calls) -> None:
    async with running(tmp_path, review_tries=TRIES, jobs_every=0.05) as rooms:
        room = await over(rooms)
        rooms.repository.reviews.keep(given(room.number), 0, "{", 1.0)
        await looked_back(rooms, room)
        with use_language("de"):
            await looked_back(rooms, room)
        assert analysed["Analysis"] == 1, "and kept in place of the spoiled ones"


@scene
async def test_a_job_whose_worker_raises_stop_iteration_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[float] = []

    def broken(self: Analysis, seconds: float) -> bool:
        tried.append(seconds)
        raise StopIteration

    monkeypatch.setattr(Analysis, "run_for", broken)
    async with running(tmp_path, review_tries=TRIES, jobs_every=0.05) as rooms:
        job = await ended_job(rooms, await over(rooms))
        assert job.failed
        assert len(tried) == 3
        assert rooms.repository.jobs.count("review") == 0


def assert_given_back(folder: Path) -> None:
    """A look back waits for whoever takes it, as if nobody had begun it."""
    repository = Repository(url_of(folder))
    (left,) = repository.jobs.waiting("review", 5)
    assert left.tries == 0
    repository.close()


@scene
async def test_a_server_that_stops_leaves_its_looks_back_to_others(tmp_path: Path) -> None:
    async with running(tmp_path, review_tries=100_000) as rooms:
        rooms.coach.request_review((await over(rooms)).session, 0)
        await wait_until_async(lambda: rooms.thinking.running("slow") == 1)
        assert rooms.repository.jobs.waiting("review", 1) == []
    assert_given_back(tmp_path)


@scene
async def test_a_server_that_stops_gives_a_look_back_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    taken, may_say_so = threading.Event(), threading.Event()
    claim = Jobs.claim

    @functools.wraps(claim)
    def slowly(self: Jobs, *about: Any) -> Any:
        found = claim(self, *about)
        taken.set()
        assert may_say_so.wait(PATIENCE)
        return found

    monkeypatch.setattr(Jobs, "claim", slowly)
    async with running(tmp_path, review_tries=100_000) as rooms:
        rooms.coach.request_review((await over(rooms)).session, 0)
        await wait_until_async(taken.is_set)
        assert rooms.repository.jobs.waiting("review", 1) == []
        stops = asyncio.ensure_future(rooms.coach.work.stop())
        await run_ready_tasks(3)
        may_say_so.set()
        await stops
    assert_given_back(tmp_path)


@scene
async def test_a_process_that_thinks(tmp_path: Path, analysed: Calls, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process_that_thinks, "POLL_INTERVAL", 0.01)
    bus, bots = Bus(), SlowBots()
    settings: dict[str, Any] = {"review_tries": TRIES, "bots": bots, "jobs_every": 0.05}
    server = process(tmp_path, bus=bus, think_here=False, **settings)
    thinks = process(tmp_path, **settings)
    thinker = Worker(thinks.repository, thinks.settings, bus, thinks.clock)
    # First who thinks: a server that finds nobody who does believes that for a while, and thinks itself.
    ends = asyncio.Event()
    thinking = asyncio.ensure_future(thinker.run(ends))
    await wait_until_async(server.repository.processes.has_live_worker)
    await server.start()
    room = await over(server)
    assert bots.shown
    await looked_back(server, room)
    assert analysed["Analysis"] == 1
    assert not server.coach.work._origins
    await end(server)
    ends.set()
    await thinking
    thinks.repository.close()


@scene
async def test_without_a_thinking_process_a_server_thinks_itself(tmp_path: Path) -> None:
    async with running(tmp_path, bots=LowBots(), think_here=False, review_tries=TRIES) as rooms:
        await looked_back(rooms, await over(rooms))


@pytest.mark.parametrize("turns", range(5))
@scene
async def test_work_ends_though_it_is_told_of_more_just_then(tmp_path: Path, turns: int) -> None:
    async with running(tmp_path) as rooms:
        # It waits for the bell.
        await wait_until_async(lambda: rooms.coach.work._bell._waiters)  # type: ignore[attr-defined]
        rooms.coach.work.wake()
        await run_ready_tasks(turns)
        async with asyncio.timeout(PATIENCE):
            await rooms.coach.work.stop()
