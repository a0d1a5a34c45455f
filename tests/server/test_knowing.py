"""Programs are told all that their seat knows, over the live line and by request, and nobody else is."""

from __future__ import annotations

import contextlib
import json
import random
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from facedown.core.chance import key_of
from facedown.core.match import Match
from facedown.core.slots import known_view, redeal, shown_view
from facedown.core.state import SPECTATOR, to_bytes
from facedown.core.view_fields import view_of
from facedown.play import Refusal, Session, Settings
from facedown.server.connection import program_view
from tests.play.table import dealt, lobby
from tests.server.programs import API, Player, make, problem, seated, two
from tests.server.serving import PATIENCE, Live, Server, code_of, open_table, serving, sit
from tests.server.test_leaks import NOW, compare_worlds, played

Opened = Callable[..., "Program"]


class Program:
    """A program's live line."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket

    def hello(self, **more: Any) -> None:
        self.send(type="hello", version=0, known=True, **more)

    def send(self, **message: Any) -> None:
        self.socket.send(json.dumps(message))

    def get(self, kind: str) -> dict[str, Any]:
        """The next message, which is of this kind."""
        message: dict[str, Any] = json.loads(self.socket.recv(timeout=PATIENCE))
        assert message["type"] == kind, message
        return message

    def closed(self) -> int:
        """The code with which the server closes the line, whatever comes before."""
        with contextlib.suppress(ConnectionClosed):
            while True:
                self.socket.recv(timeout=PATIENCE)
        assert self.socket.close_code is not None
        return self.socket.close_code


@contextlib.contextmanager
def program(server: Server, player: Player, headers: dict[str, str] | None = None) -> Iterator[Program]:
    """A live line of a program that has a seat, or of one that shows another header."""
    address = f"ws://127.0.0.1:{server.port}/t/{player.code}/live"
    headers = headers or player.headers
    with connect(address, additional_headers=headers, max_size=None, open_timeout=PATIENCE) as socket:
        yield Program(socket)


@pytest.fixture
def line(server: Server) -> Iterator[Opened]:
    """Opens live lines by a token."""
    with ExitStack() as stack:

        def opened(player: Player, token: str = "", scheme: str = "Bearer") -> Program:
            headers = {"Authorization": f"{scheme} {token or player.token}"}
            return stack.enter_context(program(server, player, headers))

        yield opened


def asked(player: Player, **query: Any) -> httpx.Response:
    return player.ask("GET", "known", **query)


# --- what is told -----------------------------------------------------------------------------------------------------


def told(session: Session, seat: int) -> str:
    """All that a program is told of the match."""
    return json.dumps(program_view.known_fields(session, seat, NOW)) + str(
        program_view.known_message(session, seat, [], NOW).model_copy(update={"filler": None})
    )


@pytest.mark.parametrize(("memory", "clock"), [(False, 60), (True, 0)])
def test_what_is_told_is_equal_for_all_worlds_that_fit(seed: int, memory: bool, clock: int) -> None:
    luck = random.Random(seed)
    changed = 0
    for _ in range(12):
        session = played(luck.getrandbits(32), luck.randrange(70), memory, clock)
        changed += compare_worlds(session, luck, range(3), told)
    assert changed > 50


def test_one_that_tells_the_state_is_caught(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison above must see a leak."""
    luck = random.Random(seed)
    session = played(seed, 10, False)
    match = session.running
    monkeypatch.setattr(program_view, "fields_of", lambda view: {"card": session.running.state.card.tolist()})
    true, seen = match.state, set()
    for _ in range(20):
        match.state = redeal(known_view(true, 1), key_of(luck.randbytes(32)))
        seen.add(told(session, 1))
    assert len(seen) > 1


def test_without_the_memory_aid_only_programs_are_told() -> None:
    for memory in (False, True):
        session = dealt(settings=Settings(memory=memory))
        program_view.need_known(session, by_token=True)
        if memory:
            program_view.need_known(session, by_token=False)
        else:
            with pytest.raises(Refusal, match="only a program"):
                program_view.need_known(session, by_token=False)
    with pytest.raises(Refusal, match="no seat"):
        program_view.known_fields(session, None, NOW)
    assert program_view.known_message(session, SPECTATOR, [], NOW).code == "forbidden"  # type: ignore[union-attr]
    with pytest.raises(Refusal, match="not dealt yet"):
        program_view.known_fields(lobby(), 0, NOW)


def test_a_program_remembers_what_people_are_not_shown_again(seed: int) -> None:
    """So it matters who is told."""
    luck = random.Random(seed)
    match = Match("reveal", 2, {}, luck.randbytes(32))
    differ = 0
    for _ in range(30):
        if match.over:
            break
        seat = luck.choice(match.acting)
        match.play(seat, luck.choice(match.legal(seat)))
        differ += any(
            to_bytes(known_view(match.state, seat)) != to_bytes(shown_view(match.state, seat)) for seat in range(2)
        )
    assert differ


# --- over the wire ----------------------------------------------------------------------------------------------------


def test_a_program_follows_its_seat_by_its_token(server: Server, ada: httpx.Client, line: Opened) -> None:
    made = make(ada, "me", "open")
    player = Player(ada, made["table"]["code"], made["token"])
    assert [seat["program"] for seat in made["table"]["seats"]] == [True, False]
    live = line(player)
    live.hello()
    assert set(live.get("lobby")) == {"type", "version", "say", "title", "filler"}
    assert "not dealt yet" in problem(asked(player), 409, "conflict")
    joined = ada.post(f"{API}/tables/{made['table']['code']}/seats", json={"name": "Ben"}).json()
    assert [seat["program"] for seat in joined["table"]["seats"]] == [True, True]
    while (message := json.loads(live.socket.recv(timeout=PATIENCE)))["type"] == "lobby":
        pass
    session = server.session(player.code)
    assert message["type"] == "known"
    assert message.pop("filler")
    assert (message.pop("type"), message.pop("say")) == ("known", ["Ben sits down.", "Dealing the cards."])
    assert message == {key: value for key, value in asked(player).json().items() if key not in ("code", "status")}
    assert to_bytes(view_of(session.game.dtype, message["view"])) == to_bytes(session.running.known(0))
    assert message["legal"] == session.legal(0)
    live.send(type="move", action=message["legal"][3], version=message["version"])
    # Ben, who has asked for nothing since, may begin to be shown as away: that is told as well.
    while (after := live.get("known"))["version"] == message["version"]:
        pass
    assert after["version"] == 1
    assert after["view"] != message["view"]
    assert after["say"]


def test_the_lobby_says_where_a_program_sits(ada: httpx.Client, ben: httpx.Client) -> None:
    url = f"/t/{seated(ada, 'me', 'open', 'open').code}"
    sit(ben, url)
    page = ben.get(url).text
    assert page.count('<span class="line">program, ready') == 1
    assert "not ready yet" in page
    seats = ben.get(f"{API}/tables/{code_of(url)}").json()["seats"]
    assert [seat["program"] for seat in seats] == [True, False, False]


def test_a_request_waits_for_news(ada: httpx.Client) -> None:
    ours, theirs = two(ada)
    before = asked(ours).json()
    assert before["version"] == asked(ours, beyond=0, wait=0.1).json()["version"]
    assert theirs.play().status_code == 200
    assert ours.move(action=before["legal"][0], version=before["version"]).status_code == 200
    assert asked(ours, beyond=before["version"]).json()["version"] > before["version"]


def test_people_and_strangers_are_not_told(server: Server, ada: httpx.Client, ben: httpx.Client, line: Opened) -> None:
    url = open_table(ada, "low")
    with Live(server, ada, url) as live:
        assert live.refusal(type="hello", version=0, known=True)["code"] == "forbidden"
        assert "html" in live.hello()
    url = open_table(ada, "low", memory="on")
    with Live(server, ada, url) as live:
        live.send(type="hello", version=0, known=True)
        assert live.get("known")["seat"] == 0
    ours, _ = two(ben)
    assert ben.get(f"{ours.path}/known").status_code == 401
    other, _ = two(ben)
    stranger = Player(ben, ours.code, other.token)
    assert "another table" in problem(asked(stranger), 403, "forbidden")
    strange = line(stranger)
    assert strange.get("error")["code"] == "closed"


def test_a_line_needs_a_token_that_somebody_has(ada: httpx.Client, line: Opened) -> None:
    ours, _ = two(ada)
    wrong = line(ours, "made-up-" * 5)
    refused = wrong.get("error")
    assert (refused["code"], refused["reason"]) == ("closed", "This token is unknown.")
    assert wrong.closed() == 1008
    with pytest.raises(InvalidStatus):
        line(ours, "dXNlcjpwYXNz", scheme="Basic")


def test_an_exchanged_token_ends_the_line(ada: httpx.Client, line: Opened) -> None:
    ours, theirs = two(ada)
    live = line(ours)
    live.hello()
    live.get("known")
    fresh = ours.ask("POST", "seats/me/token").json()["token"]
    assert live.closed() == 1008
    assert line(ours).get("error")["code"] == "closed"
    again = line(ours, fresh)
    again.hello()
    assert again.get("known")["seat"] == 0
    assert theirs.view()["seat"] == 1


def test_a_server_that_stops_says_that_it_will_be_back(tmp_path: Path) -> None:
    with ExitStack() as stack:
        with serving(tmp_path) as stopping:
            ada = stack.enter_context(stopping.client())
            live = stack.enter_context(program(stopping, seated(ada, "me", "low")))
            live.hello()
            live.get("known")
        assert live.closed() == 1012


def test_a_line_that_says_nothing_is_closed_and_may_come_back(tmp_path: Path) -> None:
    with serving(tmp_path, silence=60.0) as server, server.client() as ada:
        player = seated(ada, "me", "low")
        for _ in range(2):
            with program(server, player) as live:
                live.hello()
                live.get("known")
                server.advance(61)
                assert live.closed() == 1008


def test_a_table_that_is_closed_says_so(server: Server, ada: httpx.Client, line: Opened) -> None:
    ours, _ = two(ada)
    session = server.session(ours.code)
    assert program_view.known_message(session, 0, [], NOW).type == "known"  # type: ignore[union-attr]
    session.record = replace(session.record, status="finished")
    live = line(ours)
    live.hello()
    assert live.get("error")["code"] == "closed"


def test_at_the_end_the_scores_come_with_it(server: Server, ada: httpx.Client, line: Opened) -> None:
    player = seated(ada, "me", "low", game="uncovered")
    live = line(player)
    live.hello()
    message = live.get("known")
    while not message["over"]:
        assert message["returns"] is None
        if message["legal"]:
            live.send(type="move", action=message["legal"][-1], version=message["version"])
        message = live.get("known")
    session = server.session(player.code)
    assert message["returns"] == session.running.returns
    assert (message["legal"], message["acting"]) == ([], [])
    assert asked(player).json()["status"] == "finished"
