"""Thousands of frames that were never meant: nothing breaks, and somebody else plays on."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import threading
from collections import Counter
from contextlib import ExitStack
from pathlib import Path

import pytest
from httpx import Client

from facedown.play import Change, Refusal, Session
from facedown.server.process import refusal_counts
from tests.server.fuzzing import fuzz
from tests.server.serving import Live, Server, open_table, serving, token_of
from tests.wait import run_ready_tasks, wait_until


def places(server: Server, stack: ExitStack) -> list[tuple[str, str]]:
    """A table before the deal, a running one as a player and as one who watches, and a finished one: their lines."""
    ada, cleo = stack.enter_context(server.client()), stack.enter_context(server.client())
    lobby, running = open_table(ada, "open", "open"), open_table(ada, "low", hints="on")
    cleo.post(f"{running}/watch")
    hers, his = (f"facedown-guest={token_of(client)}" for client in (ada, cleo))
    return [(lobby, hers), (running, hers), (running, his)]


def play_through(server: Server, frames: int, seed: int) -> tuple[Counter[str], int]:
    """Fuzz a server; what was sent, and how many moves somebody else made meanwhile."""
    with ExitStack() as stack:
        there = places(server, stack)
        ben = stack.enter_context(server.client())
        url = open_table(ben, "low")
        found: list[Counter[str]] = []
        fuzzing = threading.Thread(target=lambda: found.append(asyncio.run(fuzz(server.port, there, frames, seed))))
        with Live(server, ben, url) as live:
            message = live.until_yours(live.hello())
            fuzzing.start()
            moves = 0
            while fuzzing.is_alive() or moves < 3:
                if message["over"]:
                    break
                message = live.until_yours(live.play(message))
                moves += 1
            fuzzing.join()
        wait_until(lambda: not any(room.watchers for room in server.rooms.all_in_memory()))
        assert found
        return found[0], moves


@pytest.mark.slow
@pytest.mark.parametrize(("wrong", "lines"), [(Refusal("closed", "No."), 0), (ValueError("broken"), 1)])
def test_a_refusal_that_nobody_hears_is_no_error(
    server: Server, ada: Client, caplog: pytest.LogCaptureFixture, wrong: Exception, lines: int
) -> None:
    """Whoever asked is gone before it is their turn; what broke is written down all the same, once."""
    room = server.room(open_table(ada, "open"))

    def refuse(session: Session) -> Change | None:
        raise wrong

    async def scene() -> None:
        async with room._lock:
            asked = asyncio.ensure_future(room.request(refuse))
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


@pytest.mark.slow
@pytest.mark.parametrize("frames", [4_000, pytest.param(50_000, marks=pytest.mark.nightly)])
def test_nothing_that_is_sent_breaks_anything(
    tmp_path: Path, seed: int, frames: int, caplog: pytest.LogCaptureFixture
) -> None:
    before = Counter(refusal_counts.counts())
    # In the event loop of a real server: its transports are what is tried.
    with serving(tmp_path, usual_loop=True) as server:
        counted, moves = play_through(server, frames, seed)
        assert counted["frames"] >= frames
        assert moves >= 3
        # Whoever serves a line counts it out after its connection is gone.
        crowd = server.app.state.crowd
        counters = (server.limits.open, crowd.of_address, crowd.of_person, crowd.watchers)
        wait_until(lambda: [len(one) for one in counters] == [0, 0, 0, 0])
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING] == []
    # It was strange enough: lines were closed for what came over them, and opened anew.
    new = Counter(refusal_counts.counts()) - before
    assert new["frame-malformed"] > 0
    assert new["binary"] > 0
    assert counted["lines"] > 3
