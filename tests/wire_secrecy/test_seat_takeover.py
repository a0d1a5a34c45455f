"""Paired worlds with a seat taken over: the new player is sent nothing that depends on what the bot's seat saw before.

Two servers have the same table, which a spectator watches who takes over the seat of a bot. The worlds differ in what
was hidden from spectators before that; from the next round on, the seat sees the same in both.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from facedown.core.state import SPECTATOR
from facedown.play import Seat, Settings, TableRecord, ViewerLog
from facedown.play.seat_clocks import turn_state
from facedown.server.table.room_registry import Rooms
from tests.nightly_selection import mostly
from tests.wire_secrecy.test_paired_worlds import USUAL, Servers
from tests.wire_secrecy.twin_servers import Side, TableUse, differences, twin_servers
from tests.wire_secrecy.world_pairs import Pair, Twin, find_pair, known_bytes

#: Seat of the bot that is taken over.
SEAT = 0
PLIES = 300
#: Games in which cards stay hidden from spectators while a match goes on to the next round.
GAMES = ("scout", "reveille")


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servers]:
    with twin_servers(tmp_path_factory.mktemp("twins")) as found:
        yield found


class TakenOver(Side):
    """A listed table at which a spectator takes over the seat of a bot. The bot's moves are those of the pair."""

    def _record(self) -> TableRecord:
        record = super()._record()
        bot = Seat("bot", "Juniper", level="low", ready=True)
        return replace(record.with_seat(SEAT, bot), host=self.people[self.pair.seats - 1], listed=True)

    def keep_others_present(self) -> None:
        """Connect the other players again. After a change of the seats, only real connections count."""
        for seat in range(1, self.pair.seats):
            self.session.presence.connect(seat, self.clock.now)
        self.room._set_alarm_for_next_event()


def find_takeover_pair(game: str, rnd: random.Random) -> tuple[Pair, int]:
    """Return a pair that spectators cannot tell apart and that goes on to a second round, and the first ply of it.

    In the second round, the seat of the bot sees the same in both worlds. In the first, it does not.
    """
    while True:
        seats, options = USUAL[game]
        pair = find_pair(game, seats, {} if game == "reveille" else options, SPECTATOR, rnd, PLIES)
        if pair is not None and (found := _second_round(pair)) is not None:
            deal, end = found
            one, two = pair.twins
            twins = Twin(one.deck, one.moves[:end]), Twin(two.deck, two.moves[:end])
            return replace(pair, twins=twins, over=False), deal


def _second_round(pair: Pair) -> tuple[int, int] | None:
    """Return the ply at which the second round is dealt, and the ply up to which the seat sees the same in it."""
    one, two = pair.match(0), pair.match(1)
    deal, scoring, differed = 0, False, False
    for ply, (mine, yours) in enumerate(zip(pair.twins[0].moves, pair.twins[1].moves, strict=True), 1):
        one.play(*mine)
        two.play(*yours)
        same = known_bytes(one.state, SEAT) == known_bytes(two.state, SEAT)
        if one.over or (deal and (not same or mine[0] == SEAT)):
            return (deal, ply - 1) if deal and differed else None
        differed |= not deal and not same
        was, scoring = scoring, turn_state(one.game, one.state).is_scoring
        if was and not scoring and not deal:
            if not same:
                return None
            deal = ply
    return (deal, ply) if deal and differed else None


def play_both(servers: Servers, pair: Pair, deal: int, way: TableUse, rnd: random.Random) -> list[str]:
    code = f"OVER{rnd.randrange(10**4):04}"
    sides = [TakenOver(server, servers[1], pair, number, way, code) for number, server in enumerate(servers[0])]

    def each(do: Any) -> None:
        for side in sides:
            do(side)

    def look(side: TakenOver) -> None:
        side.get("/t/CODE")
        side.get("/")
        side.get("/open")
        side.hello()
        side.hear("table")
        side.expect_silence()

    try:
        for side in sides:
            side.get("/t/CODE")
            side.open()
            side.hear("lobby")
            side.deal()
            side.hear("table")
            side.say(type="takeover")
            side.hear("table")
            side.expect_silence()
        for number in range(len(pair.twins[0].moves)):
            servers[1].now += rnd.choice((0.0, 0.4, 3.0))
            for side in sides:
                side.play(number)
                side.hear("table")
                if number + 1 == deal:
                    side.server.call(side.keep_others_present)
            if number + 1 in (deal - 1, deal, len(pair.twins[0].moves)):
                each(look)
        assert all(side.session.seat_of(side.people[pair.seats]) == SEAT for side in sides)
    finally:
        each(Side.close)
    return differences(*sides)


@pytest.fixture
def no_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    async def play_nothing(rooms: Rooms, room: Any) -> None:
        pass

    monkeypatch.setattr(Rooms, "play_bots", play_nothing)


@pytest.mark.usefixtures("no_bots")
@pytest.mark.parametrize("game", mostly(GAMES, ("scout",), ()))
def test_the_new_player_is_sent_nothing_that_the_bots_seat_saw_before(servers: Servers, seed: int, game: str) -> None:
    rnd = random.Random(seed)
    for _pair in range(3):
        pair, deal = find_takeover_pair(game, rnd)
        settings = Settings(memory=rnd.random() < 0.5, clock=rnd.choice((0, 60)))
        way = TableUse(settings, sections=rnd.random() < 0.5, language=rnd.choice(("en", "de")))
        assert not play_both(servers, pair, deal, way, rnd)


@pytest.mark.usefixtures("no_bots")
def test_the_comparison_finds_the_log_of_the_bots_seat(
    servers: Servers, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Put the defect in: the log of the new player has the seat's own lines."""
    honest = ViewerLog.__init__

    def leaky(log: ViewerLog, viewer: int, memory: bool, seats: Any, match: Any) -> None:
        honest(log, viewer, memory, [replace(seat, since=0) for seat in seats], match)

    monkeypatch.setattr(ViewerLog, "__init__", leaky)
    rnd = random.Random(seed)
    found: list[str] = []
    for _pair in range(6):
        pair, deal = find_takeover_pair("scout", rnd)
        found = found or play_both(servers, pair, deal, TableUse(Settings()), rnd)
    assert found
