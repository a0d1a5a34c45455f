"""Delayed spectators in paired worlds: what they are sent does not depend on what happened within the delay.

Two running servers have the same table and the same moves up to a moment. Then the players of each go on differently:
they make different moves, or none, run out of time, ask each other questions, resign, or begin the next round. What a
spectator is sent in that time is the same, byte for byte: live messages with their number and order, pages, previews
and the API's JSON.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from copy import copy
from dataclasses import replace
from typing import Any

import pytest

from facedown.check.random_matches import GAMES
from facedown.core.match import Match
from facedown.core.match_actions import AGREED_END
from facedown.core.state import SPECTATOR
from facedown.play import Settings, agreements, new_code, open_tables, spectator_view
from facedown.play.records import DELAY_BY_ROUND, Seat, TableRecord
from facedown.play.seat_clocks import turn_state
from facedown.server.connection import viewer_page_data
from facedown.server.table.room import Room
from facedown.store import Person
from tests.nightly_selection import mostly
from tests.not_none import given
from tests.server.http_server import Server
from tests.waiting import run_ready_tasks
from tests.wire_secrecy.test_paired_worlds import USUAL, patch_result
from tests.wire_secrecy.twin_servers import Clock, Side, TableUse, differences, twin_servers
from tests.wire_secrecy.world_pairs import Pair, Twin

Servers = tuple[list[Server], Clock]
DELAY = 60
#: Numbers of moves that both worlds have in common, and of the steps that follow within the delay.
COMMON, STEPS = 6, 8


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servers]:
    with twin_servers(tmp_path_factory.mktemp("twins")) as found:
        yield found


def random_moves(match: Match, rnd: random.Random, most: int) -> list[tuple[int, int]]:
    """Play random moves that do not end the round, and return them."""
    made: list[tuple[int, int]] = []
    while len(made) < most:
        seat = rnd.choice(match.acting)
        action = rnd.choice(match.legal(seat))
        step = match.compute_step(seat, action)
        if int(step.after.over) or turn_state(match.game, step.after).is_scoring:
            break
        match.apply_step(step)
        made.append((seat, action))
    return made


def common_pair(game: str, rnd: random.Random) -> Pair:
    """Return two equal matches of a few moves, after which the tables will go on differently."""
    seats, options = USUAL[game]
    match = Match(game, seats, options, rnd.randbytes(32), (), 0)
    twin = Twin((), tuple(random_moves(match, rnd, COMMON)))
    return Pair(game, options, seats, SPECTATOR, match.seed, 0, (twin, twin), len(twin.moves), False)


class Spectators:
    """A delayed spectator at both tables."""

    def __init__(self, servers: Servers, pair: Pair, way: TableUse, side: type[Side] = Side) -> None:
        self.pair, self.clock = pair, servers[1]
        code = new_code()[:6]
        self.sides: list[Any] = [
            side(server, self.clock, pair, number, way, code) for number, server in enumerate(servers[0])
        ]

    def close(self) -> None:
        for side in self.sides:
            side.close()

    def begin(self) -> None:
        """Open the page in the lobby, deal, and make the common moves. They become visible one after the other."""
        for side in self.sides:
            side.get("/t/CODE")
            side.open()
            side.hear("lobby")
            side.deal()
        self.receive()
        for number in range(self.pair.differing):
            self.pass_time(1)
            for side in self.sides:
                side.play(number)
            self.receive()
        self.pass_time(1)

    def pass_time(self, seconds: float) -> None:
        self.advance(seconds)
        self.receive()

    def advance(self, seconds: float) -> None:
        """Advance the clock and run what is due, without receiving the messages."""
        self.clock.now += seconds
        for side in self.sides:
            side.server.advance(seconds)
            side.server.within(settled(side.room))

    def has_ended(self, delay: int) -> bool:
        """Return whether a match or, where spectators see rounds, a round is over, so that the worlds may differ."""
        return any(
            given(side.session.match).over or (delay == DELAY_BY_ROUND and side.session.last_scoring_ply)
            for side in self.sides
        )

    def receive(self) -> None:
        """Receive everything that both servers have sent so far."""
        for side in self.sides:
            # Writes of the database take a few turns of the loop and of its threads.
            side.server.within(settled(side.room))
            side.say(type="ping")
            while '"pong"' not in side.hear_any():
                pass

    def request_all(self) -> None:
        """Request everything that a spectator can request, and connect again."""
        for side in self.sides:
            for path in ("/t/CODE", "/t/CODE/preview.png", "/m/CODE", "/m/CODE/preview.png", "/m/CODE.facedown"):
                side.get(path)
            for path in ("/api/v1/tables/CODE", "/api/v1/tables/CODE/view", "/api/v1/tables/CODE/view?beyond=0&wait=0"):
                side.get(path)
            side.say(type="move", action=0, version=0)
            side.say(type="hint")
            side.hello()
        self.receive()

    def differences(self) -> list[str]:
        return differences(*self.sides)


async def settled(room: Room) -> None:
    """Wait until the table's requests, its bots and its connections have nothing left to do."""
    for _ in range(3):
        await run_ready_tasks()
        await room.services.writes.drain()
        async with room._lock:
            pass
        if room._bots is not None:
            await asyncio.wait([room._bots])
    await run_ready_tasks()


def disturb(side: Side, rnd: random.Random) -> None:
    """Do one thing that spectators must not notice yet: a move, a question, an answer, or a resignation."""
    session = side.session
    if given(session.match).over:
        return
    if session.record.agreements.proposal is not None:
        side.answer(session.record.agreements.proposal.asked[0], False)
        return
    what = rnd.choice(("move", "move", "ask", "resign", "nothing"))
    if what == "ask":
        seat = rnd.randrange(side.pair.seats)
        if not agreements.why_not_propose(session, seat, AGREED_END):
            side.propose(seat, "end")
    elif what == "resign" and side.pair.seats > 2 and len(session.record.agreements.resigned) < side.pair.seats - 2:
        seat = rnd.randrange(side.pair.seats)
        if not agreements.why_not_resign(session, seat):
            person, now = side.people[seat], side.clock.now
            side.server.within(side.room.request_change(lambda session: agreements.resign(session, person, "low", now)))
    elif what == "move":
        acting = [seat for seat in given(session.match).acting if session.legal(seat)]
        if acting:
            seat = rnd.choice(acting)
            action, version = rnd.choice(session.legal(seat)), session.version(seat)
            step = given(session.match).compute_step(seat, action)
            if not int(step.after.over) and not turn_state(session.game, step.after).is_scoring:
                side.server.within(
                    side.room.request_change(lambda session: session.move(seat, action, version, now=side.clock.now))
                )


def play_apart(spectators: Spectators, rnd: random.Random) -> int:
    """Let the two worlds go on differently. In both, the same chat, absences and requests happen.

    Returns in how many steps they differed.
    """
    count, luck = 0, [random.Random(rnd.getrandbits(64)) for _ in range(2)]
    delay = spectators.sides[0].way.settings.spectator_delay
    for step in range(STEPS):
        for side, chance in zip(spectators.sides, luck, strict=True):
            for _ in range(chance.choice((0, 0, 1, 3))):
                disturb(side, chance)
                side.server.within(settled(side.room))
        spectators.advance(rnd.choice((0.4, 3.0, 6.0)))
        if spectators.has_ended(delay):
            return count
        spectators.receive()
        one, two = (side.session for side in spectators.sides)
        count += one.moves != two.moves or one.record.agreements != two.record.agreements
        event = rnd.choice(("chat", "requests", "away", "away", "away", "back", "", "", ""))
        for side in spectators.sides:
            if event == "chat":
                side.talk(f"Hello {step}")
            elif event in ("away", "back"):
                side.server.call(set_presence, side.room, event == "back")
        spectators.receive()
        if event == "requests" or step == STEPS - 1:
            spectators.request_all()
    return count


def set_presence(room: Room, there: bool) -> None:
    """Open or close all connections of the first player, and send the pages."""
    presence, now = room.session.presence, room.services.now()
    if there == presence.connected(0):
        return
    (presence.connect if there else presence.disconnect)(0, now)
    room.notify_subscribers()


def random_use(rnd: random.Random, delay: int) -> TableUse:
    settings = Settings(
        clock=rnd.choice((0, 30, 100)),
        memory=rnd.random() < 0.5,
        hints=True,
        watchers_talk=True,
        take_backs="always",
        at_zero=rnd.choice(("bot", "seat", "nothing")),
        spectator_delay=delay,
    )
    return TableUse(settings, rnd.random() < 0.5, language=rnd.choice(("en", "de")))


def compare(servers: Servers, game: str, rnd: random.Random, delay: int) -> tuple[list[str], int]:
    """Return the differences in what a spectator is sent, and in how many steps the two worlds differed."""
    spectators = Spectators(servers, common_pair(game, rnd), random_use(rnd, delay))
    try:
        spectators.begin()
        assert not spectators.differences()
        differed = play_apart(spectators, rnd)
        return spectators.differences(), differed
    finally:
        spectators.close()


@pytest.mark.parametrize("delay", [DELAY, DELAY_BY_ROUND])
@pytest.mark.parametrize("game", mostly(GAMES, ("scout",), ("detect",)))
def test_spectator_is_sent_the_same_whatever_happened_within_the_delay(
    servers: Servers, seed: int, game: str, delay: int
) -> None:
    rnd, differed = random.Random(seed), 0
    for _ in range(12):
        wrong, count = compare(servers, game, rnd, delay)
        assert not wrong, f"{game}: {wrong[:3]}"
        differed += count
        if differed >= 2 * STEPS:
            break
    assert differed >= STEPS


class Newcomer:
    """The connection of a spectator who takes over the seat of a bot."""

    def __init__(self, room: Room, person: Person) -> None:
        self.room, self.person = room, person

    @property
    def seat(self) -> int | None:
        return self.room.session.seat_of(self.person.id)

    def ignore(self, *_: object) -> None:
        """Receive a message."""

    on_change = announce = send_chat = close_because_access_revoked = close_if_silent = ignore


class WithBot(Side):
    """A listed table at which a bot has the first seat."""

    def _record(self) -> TableRecord:
        record = super()._record()
        bot = Seat("bot", "Juniper", level="low", ready=True)
        return replace(record.with_seat(0, bot), host=self.people[1], listed=True)

    def admit_newcomer(self) -> None:
        """Let a spectator with an open page take over the seat of the bot in the next round."""
        person = self.server.rooms.repository.store_new_person("Wren", self.token(9), self.clock.now)
        newcomer = Newcomer(self.room, person)
        self.server.call(self.room.subscribers.add, newcomer)
        self.server.call(self.room.record_opened_connection, None)
        self.server.within(
            self.room.request_change(lambda session: open_tables.take_over(session, person.id, "Wren", 0))
        )

    def move(self, seat: int, last: bool = False) -> None:
        action, version = self.session.legal(seat)[-1 if last else 0], self.session.version(seat)
        self.server.within(
            self.room.request_change(lambda session: session.move(seat, action, version, now=self.clock.now))
        )
        self.server.within(settled(self.room))


def play_to_scores(spectators: Spectators) -> None:
    """Play both tables to the end of their first round. The bot plays by itself."""
    for side in spectators.sides:
        session = side.session
        while not turn_state(session.game, given(session.match).state).is_scoring:
            seat = next(seat for seat in given(session.match).acting if seat)
            # Moves that flip the most cards, so that the round ends.
            side.move(seat, last=session.ply % 2 == 1)
    spectators.receive()


def next_round_begins_in_one_world(servers: Servers, delay: int, seed: int) -> list[str]:
    """Let a seat be taken over when one of the two worlds deals the next round; return the differences."""
    rnd = random.Random(seed)
    pair = replace(common_pair("detect", rnd), twins=(Twin((), ()), Twin((), ())), differing=0)
    way = TableUse(Settings(spectator_delay=delay, memory=rnd.random() < 0.5), rnd.random() < 0.5)
    spectators = Spectators(servers, pair, way, WithBot)
    try:
        spectators.begin()
        for side in spectators.sides:
            side.admit_newcomer()
        play_to_scores(spectators)
        if delay != DELAY_BY_ROUND:
            spectators.pass_time(DELAY + 1)
        for side in spectators.sides:
            side.move(1)
        spectators.receive()
        one, two = spectators.sides
        one.move(2)
        assert one.session.record.seats[0].kind == "person"
        assert two.session.record.seats[0].kind == "bot"
        spectators.receive()
        one.move(next(iter(given(one.session.match).acting)))
        spectators.pass_time(20)
        spectators.request_all()
        return spectators.differences()
    finally:
        spectators.close()


@pytest.mark.parametrize("delay", [DELAY, DELAY_BY_ROUND])
def test_spectator_is_not_sent_that_the_next_round_began_and_a_seat_was_taken_over(
    servers: Servers, seed: int, delay: int
) -> None:
    assert next_round_begins_in_one_world(servers, delay, seed) == []


# --- planted leaks ----------------------------------------------------------------------------------------------------


def leaky_session(patch: pytest.MonkeyPatch) -> None:
    """Make everything from the present match."""
    patch.setattr(Room, "session_seen_by", lambda room, viewer: room.session)


def leaky_number_of_messages(patch: pytest.MonkeyPatch) -> None:
    """Send the page at each change, although it is the same."""
    patch_result(patch, viewer_page_data, "page", lambda found, *_: copy(found))


def leaky_announcements(patch: pytest.MonkeyPatch) -> None:
    """Announce to spectators at once what is announced to players."""

    def announce(room: Room, text: Any) -> None:
        for watcher in list(room.subscribers):
            watcher.announce(text)

    patch.setattr(Room, "announce", announce)


def leaky_agreements(patch: pytest.MonkeyPatch) -> None:
    """Show spectators the open question."""

    def shown(found: TableRecord, record: TableRecord, *_: Any) -> TableRecord:
        return replace(found, agreements=record.agreements)

    patch_result(patch, spectator_view, "_record_after", shown)


def leaky_stand_ins(patch: pytest.MonkeyPatch) -> None:
    """Show spectators that a bot plays on for a player."""

    def shown(found: Seat, seat: Seat, *_: Any) -> Seat:
        return replace(found, standin=seat.standin, standin_name=seat.standin_name)

    patch_result(patch, spectator_view, "_seat_after", shown)


def leaky_clocks(patch: pytest.MonkeyPatch) -> None:
    def shown(found: TableRecord, record: TableRecord, *_: Any) -> TableRecord:
        return replace(found, clocks=record.clocks)

    patch_result(patch, spectator_view, "_record_after", shown)


def leaky_chat(patch: pytest.MonkeyPatch) -> None:
    """Show a chat message in the page only at the next change of any kind."""
    honest = Room._publish_change

    def publish(room: Room, change: Any, begun: float) -> None:
        if change.said is None:
            honest(room, change, begun)
            return
        for watcher in list(room.subscribers):
            watcher.send_chat(change.said)

    patch.setattr(Room, "_publish_change", publish)


def leaky_countdown(patch: pytest.MonkeyPatch) -> None:
    """Show an absent player's time to the second, so that the page says when it was made."""
    patch.setattr(viewer_page_data, "has_delayed_view", lambda record, viewer: False)


LEAKS = (
    *(leaky_session, leaky_number_of_messages, leaky_announcements, leaky_agreements, leaky_stand_ins),
    *(leaky_clocks, leaky_chat, leaky_countdown),
)


@pytest.mark.parametrize("leak", mostly(LEAKS, (), (leaky_number_of_messages,)))
def test_comparison_of_delayed_spectators_reports_each_planted_leak(
    servers: Servers, monkeypatch: pytest.MonkeyPatch, leak: Any
) -> None:
    leak(monkeypatch)
    rnd = random.Random(7)
    assert any(compare(servers, "scout", rnd, DELAY)[0] for _ in range(8))


def leaky_seat(patch: pytest.MonkeyPatch) -> None:
    patch_result(patch, spectator_view, "_seat_after", lambda found, seat, *_: seat)


def leaky_watchers(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Room, "spectator_names_seen_by", lambda room, viewer: room.spectator_names)


@pytest.mark.nightly
@pytest.mark.parametrize("leak", [leaky_session, leaky_seat, leaky_watchers])
def test_comparison_of_a_seat_taken_over_reports_each_planted_leak(
    servers: Servers, monkeypatch: pytest.MonkeyPatch, leak: Any
) -> None:
    leak(monkeypatch)
    assert next_round_begins_in_one_world(servers, DELAY, 7)
