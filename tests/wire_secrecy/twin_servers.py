"""Two running servers that differ only in what one viewer cannot know, and everything that this viewer is sent.

Both have the same persons, codes, credentials, random numbers and clock. The random filler is made constant and the
date header is left out. Nothing else is changed.
"""

from __future__ import annotations

import contextlib
import json
import socket
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.sync.client import ClientConnection, connect

from facedown.core.seeds import commitment_of
from facedown.core.state import SPECTATOR
from facedown.play import Seat, Session, Settings, TableRecord, agreements
from facedown.play.new_tables import new_table_record
from facedown.server.connection import messages
from facedown.server.connection.commands import PROPOSALS
from facedown.server.http import request_guard
from facedown.server.http.visitors import COOKIE
from facedown.server.process.breach_padding import MOST_FILLER
from facedown.server.table.room import Room
from facedown.store import hash_token
from tests.not_none import given
from tests.server.http_server import Server, serving
from tests.wire_secrecy.world_pairs import Pair

#: Host name of both servers, so that both have the same address.
HOST = "cards.example"
ORIGIN = f"http://{HOST}"
BEGUN = 1_795_000_000.0
#: Time after which an expected message counts as missing, in seconds.
PATIENCE = 60.0
#: Messages about progress. They depend on the clock and are not compared.
BY_THE_CLOCK = ("thinking", "review")
NAMES = ("Ilse", "Ravi", "Juniper", "Mara", "Theo", "Noor", "Sol", "Wren")


@dataclass
class Clock:
    """The time of both servers. It advances only when a test says so."""

    now: float = BEGUN

    def __call__(self) -> float:
        return self.now


@contextlib.contextmanager
def twin_servers(folder: Path, **settings: Any) -> Iterator[tuple[list[Server], Clock]]:
    """Run two servers with databases of their own, one clock, and a filler that never changes."""
    with contextlib.ExitStack() as stack:
        patch = stack.enter_context(pytest.MonkeyPatch.context())
        for module in (request_guard, messages):
            patch.setattr(module, "random_padding", lambda: "f" * MOST_FILLER)
        clock = Clock()
        named = {"review_tries": 1, "hint_tries": 40, "messages_a_second": 1e6, "pictures_a_minute": 1e6}
        # The clock jumps. A server that notices would take it for a sleep of the machine.
        named |= {"pulse": 1e6, "sweep": 1e6} | settings
        servers = []
        for number in range(2):
            (home := folder / str(number)).mkdir()
            servers.append(stack.enter_context(serving(home, **named)))
            servers[-1].rooms.now = clock
        yield servers, clock


@dataclass
class TableUse:
    """How a table is played, besides its rules, and how the viewer accesses it."""

    settings: Settings = field(default_factory=lambda: Settings(hints=True))
    sections: bool = False
    program: bool = False
    """Whether the viewer moves by the JSON API."""
    language: str = "en"
    knows: bool = False
    """Whether the viewer's connection is a program's, which is sent what its seat knows instead of pages."""

    @property
    def page(self) -> str:
        return "known" if self.knows else "table"


@dataclass
class Side:
    """One of the two tables with the viewer's connections. Everything that they receive is kept in `sent`."""

    server: Server
    clock: Clock
    pair: Pair
    number: int
    way: TableUse
    code: str
    sent: list[tuple[str, Any]] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Open the table. All players sit there, and the last of them is not ready yet."""
        self.people = [self._person(seat) for seat in range(self.pair.seats + 1)]
        record = self._record()
        self._patch_deal(record)
        self.room: Room = self.server.within(self.server.rooms.store_new_table(record))
        assert self.room.session.code == self.code
        self.server.within(self._all_are_there())
        spectator = self.pair.viewer == SPECTATOR
        me = self.pair.seats if spectator else self.pair.viewer
        if spectator:
            self.server.rooms.repository.add_spectator(self.code, self.people[me])
        self.headers = {"Host": HOST, "Origin": ORIGIN, "Accept-Language": self.way.language}
        self.cookie = f"{COOKIE}={self.token(me)}"
        self.key = {} if spectator else {"Authorization": f"Bearer {self.token(me, 'key')}"}
        self.line: ClientConnection | None = None
        self._open = contextlib.ExitStack()
        self.http = httpx.Client(base_url=self.server.origin, headers=self.headers, timeout=PATIENCE)

    def token(self, seat: int, kind: str = "cookie") -> str:
        return hash_token(f"{self.code} {kind} {seat}")[:43]

    @property
    def credentials(self) -> dict[str, str]:
        return {"Cookie": self.cookie, **self.key}

    def _person(self, seat: int) -> int:
        repository = self.server.rooms.repository
        return repository.store_new_person(NAMES[seat % len(NAMES)], self.token(seat), BEGUN).id

    def _record(self) -> TableRecord:
        pair = self.pair
        seats = tuple(
            Seat(
                "person",
                NAMES[seat],
                self.people[seat],
                ready=seat < pair.seats - 1,
                key_hash=hash_token(self.token(seat, "key")),
            )
            for seat in range(pair.seats)
        )
        options = pair.match(0).options
        made = new_table_record(pair.game, options, self.way.settings, seats, self.people[0], BEGUN, pair.seed)
        assert made.commitment == commitment_of(pair.seed)
        return replace(made, code=self.code)

    def _patch_deal(self, record: TableRecord) -> None:
        """Deal this table from this side's deck whenever the server loads it. No stored table names a deck.

        This is the only change to the server.
        """
        repository = self.server.rooms.repository
        load_all, deck = repository.load_all, self.pair.twins[self.number].deck

        def loaded(codes: Sequence[str]) -> dict[str, Any]:
            found: dict[str, Any] = dict(load_all(codes))
            if (table := found.get(record.code)) is not None:
                found[record.code] = replace(table, record=replace(table.record, deal=deck, first=self.pair.first))
            return found

        repository.load_all = loaded  # type: ignore[method-assign]

    async def _all_are_there(self) -> None:
        for seat in range(self.pair.seats):
            self.room.session.presence.connect(seat, self.clock.now)

    def close(self) -> None:
        self.http.close()
        self._open.close()

    # --- messages over the wire ---------------------------------------------------------------------------------------

    def get(self, path: str, method: str = "GET", program: bool = False, **more: Any) -> httpx.Response:
        """Send a request as the viewer. Status, headers, size on the wire and body are kept."""
        who = self.key if program else {"Cookie": self.cookie}
        with self.http.stream(method, path.replace("CODE", self.code), headers=who, **more) as answer:
            raw = sum(len(part) for part in answer.iter_raw())
        # Request again for the text: compressed data holds the time of its compression.
        again = self.http.request(method, path.replace("CODE", self.code), headers=who, **more)
        for one in (answer, again):
            headers = sorted((name, value) for name, value in one.headers.items() if name != "date")
            self.sent.append((f"{method} {path}", (one.status_code, headers)))
        self.sent.append((f"{method} {path}: size on the wire", raw))
        self.sent.append((f"{method} {path}: body", again.content))
        return again

    def open(self) -> None:
        line = connect(
            f"ws://{HOST}/t/{self.code}/live",
            sock=socket.create_connection(("127.0.0.1", self.server.port)),
            additional_headers={
                **(self.key if self.way.knows else {"Cookie": self.cookie}),
                "Accept-Language": self.way.language,
            },
            origin=ORIGIN,  # type: ignore[arg-type]
            max_size=None,
            max_queue=None,
            ping_interval=None,
            open_timeout=PATIENCE,
        )
        self.line = self._open.enter_context(line)
        self.hello()

    def hello(self) -> None:
        self.say(type="hello", version=0, sections=self.way.sections, known=self.way.knows)

    def say(self, **message: Any) -> None:
        assert self.line is not None
        self.line.send(json.dumps(message))

    def hear(self, *kinds: str) -> list[dict[str, Any]]:
        """Receive messages of these kinds, in this order. Each is kept as it came."""
        assert self.line is not None
        found = []
        for kind in kinds:
            while True:
                text = self.line.recv(timeout=PATIENCE)
                message: dict[str, Any] = json.loads(text)
                if message["type"] in BY_THE_CLOCK:
                    continue
                self.sent.append((f"live {message['type']}", text))
                assert message["type"] == kind, f"{kind} should come, not {text[:200]!r}"
                found.append(message)
                break
        return found

    def hear_any(self) -> str:
        """Receive the next message of any kind, except those about progress."""
        assert self.line is not None
        while json.loads(text := str(self.line.recv(timeout=PATIENCE)))["type"] in BY_THE_CLOCK:
            pass
        self.sent.append(("live", text))
        return text

    def expect_silence(self) -> None:
        """Check that nothing more comes: the next message is the answer to this ping."""
        self.say(type="ping")
        self.hear("pong")

    # --- actions ------------------------------------------------------------------------------------------------------

    @property
    def session(self) -> Session:
        return self.room.session

    def deal(self) -> None:
        last = self.people[self.pair.seats - 1]
        self.server.within(self.room.request_change(lambda session: session.ready(last, True, self.clock.now)))

    def play(self, number: int) -> None:
        """Play one of the moves: the viewer's own over the wire, others' inside the server."""
        seat, action = self.pair.twins[self.number].moves[number]
        version = self.session.version(seat)
        if seat != self.pair.viewer:
            self.server.within(self.room.request_change(partial(_moved, seat, action, version, self.clock.now)))
        elif self.way.program:
            self.program_moves(action, version)
        else:
            self.say(type="move", action=action, version=version)

    def program_moves(self, action: int, version: int) -> None:
        """Move by the JSON API and keep the answer."""
        self._program_asks("moves", action=action, version=version)

    def _program_asks(self, path: str, **body: Any) -> None:
        answer = self.http.post(f"/api/v1/tables/{self.code}/{path}", headers=self.key, json=body)
        self.sent.append((f"POST {path}", (answer.status_code, answer.content)))

    def propose(self, seat: int, what: str) -> None:
        """Propose to take a move back or to end the match: the viewer over the wire, others inside the server."""
        if seat != self.pair.viewer:
            person, action, now = self.people[seat], PROPOSALS[what], self.clock.now
            self.server.within(
                self.room.request_change(lambda session: agreements.propose(session, person, action, now))
            )
        elif self.way.program:
            self._program_asks("proposals", what=what)
        else:
            self.say(type="propose", what=what)

    def answer(self, seat: int, agree: bool) -> None:
        """Answer the open proposal."""
        number = given(self.session.record.agreements.proposal).number
        if seat != self.pair.viewer:
            person, now = self.people[seat], self.clock.now
            self.server.within(
                self.room.request_change(lambda session: agreements.answer(session, person, number, agree, now))
            )
        elif self.way.program:
            self._program_asks("answers", proposal=number, agree=agree)
        else:
            self.say(type="answer", proposal=number, agree=agree)

    def talk(self, text: str) -> None:
        from facedown.play.records import ChatMessage

        said = ChatMessage(NAMES[0], text, self.clock.now, 0)
        self.server.within(self.room.request_change(lambda session: session.say(said)))


def _moved(seat: int, action: int, version: int, now: float, session: Session) -> Any:
    return session.move(seat, action, version, now=now)


def differences(one: Side, two: Side) -> list[str]:
    found = []
    for (name, mine), (other, yours) in zip(one.sent, two.sent, strict=False):
        if name != other or mine != yours:
            found.append(f"{name}: {first_difference(mine, yours)}")
    if len(one.sent) != len(two.sent):
        found.append(f"{len(one.sent)} things or {len(two.sent)}")
    return found


def first_difference(mine: Any, yours: Any) -> str:
    one, two = str(mine), str(yours)
    at = next((i for i, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), min(len(one), len(two)))
    return f"{one[max(0, at - 80) : at + 60]!r} or {two[at : at + 60]!r}"
