"""Thousands of random WebSocket frames, while another player continues."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
from httpx import Client

from facedown.play import Change, Refusal, Session
from facedown.server.process import refusal_counts
from tests.server.http_server import Live, Serve, Server, open_table, token_of
from tests.server.websocket_fuzzer import fuzz
from tests.waiting import run_ready_tasks, wait_until


@pytest.mark.slow
@pytest.mark.usefixtures("quiet_log")
@pytest.mark.parametrize("frames", [4_000, pytest.param(50_000, marks=pytest.mark.nightly)])
def test_random_websocket_frames_leave_no_connection_open_and_do_not_disturb_another_player(
    start_server: Serve, seed: int, frames: int
) -> None:
    before = Counter(refusal_counts.refusal_counts_by_kind())
    # In the event loop of a real server, because the test concerns its transports.
    server = start_server(usual_loop=True)
    ada, ben, cleo = server.guests(3)
    lobby, running = open_table(ada, "open", "open"), open_table(ada, "low", hints="on")
    cleo.post(f"{running}/watch")
    hers, his = (f"facedown-guest={token_of(client)}" for client in (ada, cleo))
    places = [(lobby, hers), (running, hers), (running, his)]
    with ThreadPoolExecutor(1) as thread, Live(server, ben, open_table(ben, "low")) as live:
        # Another player continues meanwhile.
        message, moves = live.until_yours(live.hello()), 0
        fuzzing = thread.submit(asyncio.run, fuzz(server.port, places, frames, seed))
        while not message["over"] and (not fuzzing.done() or moves < 3):
            message = live.until_yours(live.play(message))
            moves += 1
        counted = fuzzing.result()
    assert counted["frames"] >= frames
    assert moves >= 3
    # The counters change after the connections have closed.
    crowd = server.app.state.crowd
    for client in (ada, ben, cleo):
        client.close()
    counters = (server.limits.open, crowd.of_address, crowd.of_person, crowd.spectators)
    wait_until(lambda: [len(one) for one in counters] == [0, 0, 0, 0])
    wait_until(lambda: not any(room.subscribers for room in server.rooms.all_in_memory()))
    # The frames were strange enough to close some connections.
    new = Counter(refusal_counts.refusal_counts_by_kind()) - before
    assert new["frame-malformed"] > 0
    assert new["binary"] > 0
    assert counted["lines"] > 3


@pytest.mark.slow
@pytest.mark.parametrize(("wrong", "lines"), [(Refusal("closed", "No."), 0), (ValueError("broken"), 1)])
def test_exception_in_a_cancelled_request_is_logged_once_and_a_refusal_is_not_logged(
    server: Server, ada: Client, caplog: pytest.LogCaptureFixture, wrong: Exception, lines: int
) -> None:
    """The caller is cancelled before its turn."""
    room = server.room(open_table(ada, "open"))

    def refuse(session: Session) -> Change | None:
        raise wrong

    async def scene() -> None:
        async with room._lock:
            asked = asyncio.ensure_future(room.request_change(refuse))
            await run_ready_tasks(1)
            asked.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await asked
            del asked
        async with room._lock:
            pass
        await run_ready_tasks(1)
        gc.collect()

    server.within(scene())
    assert len([record for record in caplog.records if record.levelno >= logging.ERROR]) == lines
