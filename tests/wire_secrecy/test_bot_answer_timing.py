"""Timing of bot moves: it tells neither what a bot sees nor how long it thought."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from facedown.core.game_registry import GameModule
from facedown.core.state import to_bytes
from facedown.play import Bot, Level
from tests.manual_clock import ManualClock
from tests.server.http_server import Live, open_table, serving
from tests.waiting import wait_until

botplay = pytest.importorskip(
    "facedown.server.table.bot_turns",
    reason="bots answer when they are done: there is no moment set for their answers yet",
)

#: Time after which a bot answers, and time that it thinks about positions it dislikes, in seconds.
FLOOR, LONG = 8.0, 2.0
#: Largest number of answers. It is practically impossible that all of them are of one kind by chance.
ANSWERS = 40


class Moody:
    """A bot that is slow or fast depending on what it alone knows."""

    def __init__(self, clock: ManualClock) -> None:
        self.clock = clock
        self.took: list[bool] = []

    @property
    def levels(self) -> Sequence[Level]:
        return [Level("low", "Low", "plays the lowest number")]

    def bot(self, level: str) -> Bot:
        return self

    def choose(self, game: GameModule, view: Any, seat: int, seed: int) -> int:
        long = hashlib.sha256(to_bytes(view)).digest()[0] % 2 == 1
        if long:
            self.clock.advance(LONG)
        self.took.append(long)
        return game.legal(view, seat)[0]


@pytest.mark.slow
def test_bot_answers_after_the_same_time_however_long_it_thought(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, moments = ManualClock(), list[tuple[float, float]]()
    bots = Moody(clock)
    honest = botplay.delayed_move_time

    def delayed_move_time(begun: float, now: float, least: float) -> float:
        at = float(honest(begun, now, least))
        moments.append((now - begun, at - begun))
        # Advance to that moment as soon as the server waits for it.
        asyncio.get_running_loop().call_soon(clock.advance, FLOOR)
        return at

    monkeypatch.setattr(botplay, "delayed_move_time", delayed_move_time)
    with ExitStack() as stack:
        server = stack.enter_context(serving(tmp_path, clock=clock, bots=bots, bot_delay=FLOOR))
        ada = stack.enter_context(server.client())
        live = stack.enter_context(Live(server, ada, open_table(ada, "low")))
        message = live.hello()
        while len(bots.took) < ANSWERS and not message["over"] and len(set(bots.took)) < 2:
            message = live.play(live.until_yours(message))
        # The test knows the bot's last choice before the server has set the time of its answer.
        wait_until(lambda: len(moments) >= len(bots.took))
    assert len(set(bots.took)) == 2, "it took its time for some, and not for others"
    thought, waited = zip(*moments, strict=True)
    # The bot thought for different times and yet answered after the same time.
    assert max(thought) - min(thought) > LONG / 2
    assert {round(one, 6) for one in waited} == {FLOOR}
