"""What a viewer cannot know makes no difference to anything the server shows them."""

from __future__ import annotations

import asyncio
import json
import random
import re
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import pytest

from facedown.core.chance import key_of
from facedown.core.slots import known_view, redeal
from facedown.core.state import SPECTATOR
from facedown.play import Session, Settings
from facedown.server import look
from facedown.server.connection import presenter
from facedown.server.http import api
from facedown.server.look.sections import Section
from tests.play.table import dealt, grant
from tests.selection import mostly
from tests.server.serving import awaited
from tests.wait import run_ready_tasks

NOW = 99.0


def shown(session: Session, viewer: int) -> str:
    """All that the server would send to this viewer: page, live message, JSON."""
    seat = None if viewer == SPECTATOR else viewer
    message = presenter.drawn(session, viewer, NOW).message(version=session.version(viewer))
    page = look.table_page(look.Shell(), message, game=session.record.game, code=session.code)
    view = api.view_of(session, seat, NOW).model_dump_json()
    return page + json.dumps(message, sort_keys=True) + view + str(presenter.whose_turn(session, viewer))


def played(seed: int, moves: int, memory: bool, clock: int = 0) -> Session:
    """A table after that many random moves; with a clock, some of them were made at zero or are about to be."""
    luck = random.Random(seed)
    session = dealt("me open open", settings=Settings(memory=memory, clock=clock), seed=luck.randbytes(32))
    for _ in range(moves):
        if session.running.over:
            break
        if clock and luck.random() < 0.2 and (late := session.run_out("low", 20.0 + 2 * clock)) is not None:
            grant(session, late)
            continue
        task = session.bot_task()
        if task is not None:
            grant(session, session.bot_move(task, luck.choice(session.game.legal(task.view, task.seat)), 20.0))
            continue
        seat = luck.choice(session.running.acting)
        grant(session, session.move(seat, luck.choice(session.legal(seat)), session.version(seat), now=20.0))
    return session


def compare_worlds(
    session: Session, luck: random.Random, viewers: Iterable[int], seen: Callable[[Session, int], Any], worlds: int = 3
) -> int:
    """Check that a table looks the same to each viewer in all worlds that fit; return how many of them differed."""
    match, changed = session.running, 0
    true = match.state
    for viewer in viewers:
        match.state = true
        before = seen(session, viewer)
        for _ in range(worlds):
            match.state = redeal(known_view(true, viewer), key_of(luck.randbytes(32)))
            changed += not np.array_equal(match.state.card, true.card)
            assert seen(session, viewer) == before, f"viewer {viewer}"
    match.state = true
    return changed


@pytest.mark.parametrize(
    ("memory", "clock"),
    mostly([(False, 0), (False, 60), (True, 0), (True, 60)], [(False, 60), (True, 0)]),
)
def test_pages_and_json_are_equal_for_all_worlds_that_fit(seed: int, memory: bool, clock: int) -> None:
    luck = random.Random(seed)
    changed = 0
    for _ in range(12):
        session = played(luck.getrandbits(32), luck.randrange(70), memory, clock)
        changed += compare_worlds(session, luck, (0, 1, 2, SPECTATOR), shown)
    assert changed > 50


def test_a_page_that_prints_a_hidden_card_is_caught(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison above must see a leak: here the cards' codes are planted into the live message."""
    luck = random.Random(seed)
    session = played(seed, 10, False)
    match = session.running
    honest = presenter.drawn

    def leaky(session: Session, viewer: int, now: float, **beside: Any) -> look.TablePage:
        drawn = honest(session, viewer, now, **beside)
        cards = str(session.running.state.card.tolist())
        drawn.sections = {**drawn.sections, "where": Section("where", (cards,))}
        return drawn

    monkeypatch.setattr(presenter, "drawn", leaky)
    true, seen = match.state, set()
    for _ in range(20):
        match.state = redeal(known_view(true, 1), key_of(luck.randbytes(32)))
        seen.add(shown(session, 1))
    assert len(seen) > 1


def test_no_address_and_no_page_holds_a_secret(seed: int) -> None:
    session = played(seed, 30, False)
    record = session.record
    for viewer in (0, 1, 2, SPECTATOR):
        text = shown(session, viewer)
        for secret in (record.seed.hex(), str(list(record.seed))):
            assert secret not in text
        numbers = {int(n) for n in re.findall(r'"version": ?(\d+)', text)}
        assert numbers == {session.version(viewer)}


def test_a_bot_sees_its_view_and_nothing_else(seed: int) -> None:
    """The task that a bot is handed is equal for all worlds that fit its view, but for its own luck."""
    luck = random.Random(seed)
    session = dealt("me low high", seed=luck.randbytes(32))
    task = session.bot_task()
    assert task is not None
    match = session.running
    true = match.state
    for _ in range(10):
        match.state = redeal(known_view(true, task.seat), key_of(luck.randbytes(32)))
        again = session.bot_task()
        assert again is not None
        for name in true.dtype.names:
            assert np.array_equal(again.view[name], task.view[name]), name


@pytest.mark.slow
def test_bots_think_outside_the_event_loop(tmp_path: Any) -> None:
    """While a bot thinks, the loop goes on."""
    import threading

    from facedown.play import NewSeat, new_table
    from facedown.server.process.settings import ServerSettings
    from facedown.server.table.rooms import Rooms
    from facedown.store import Repository, url_of
    from tests.play.table import LowBots

    thinking, go_on = threading.Event(), threading.Event()

    class Slow(LowBots):
        def bot(self, level: str) -> Any:
            inner = super().bot(level)

            class Bot:
                def choose(self, *arguments: Any) -> int:
                    thinking.set()
                    assert go_on.wait(30)
                    return inner.choose(*arguments)

            return Bot()

    async def scene() -> None:
        # However long they take to the end: bots among themselves do not wait for somebody who looks.
        settings = ServerSettings(database="", bots=Slow(), bot_delay=0.0, unseen_for=3600.0)
        rooms = Rooms(Repository(url_of(tmp_path)), settings)
        await rooms.start()
        try:
            bots = [NewSeat("bot", "low")] * 2
            room = await rooms.add(new_table("reveal", bots, LowBots(), 1.0, host=None, options={"end": "hands(1)"}))
            await room.request(lambda session: session.begin(1.0))
            await asyncio.to_thread(thinking.wait, 30)
            await run_ready_tasks(100)
            assert room.session.ply == 0
            go_on.set()
            while room.session.record.status != "finished":
                await room.news(30)
        finally:
            go_on.set()
            await rooms.stop()
            rooms.repository.close()

    awaited(scene())
