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

import pytest
from httpx import Client, Response
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect

from facedown.core.game import catalogue, info
from facedown.core.slots import known_view, shown_view
from facedown.core.state import SPECTATOR, to_bytes
from facedown.core.view_fields import view_of
from facedown.play import Refusal, Settings
from facedown.server.connection import presenter, program_view
from facedown.server.http import api
from tests.play.table import dealt, grant, lobby
from tests.server.programs import API, Player, make, problem, seated, two
from tests.server.serving import PATIENCE, Live, Server, code_of, open_table, serving, sit

NOW = 99.0

Opened = Callable[..., "Program"]


class Program(Live):
    """A program's live line."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket, self.seen = socket, []

    def ask(self) -> None:
        """Ask for all that the seat knows."""
        self.send(type="hello", version=0, known=True)

    def get(self, kind: str, **wanted: Any) -> dict[str, Any]:
        """The next message, which is of this kind."""
        message: dict[str, Any] = json.loads(self.socket.recv(timeout=PATIENCE))
        assert message["type"] == kind, message
        return message


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


def asked(player: Player, **query: Any) -> Response:
    return player.ask("GET", "known", **query)


# --- what is told -----------------------------------------------------------------------------------------------------


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


# --- over the wire ----------------------------------------------------------------------------------------------------


def test_a_program_follows_its_seat_by_its_token(server: Server, ada: Client, line: Opened) -> None:
    made = make(ada, "me", "open")
    player = Player(ada, made["table"]["code"], made["token"])
    assert [seat["program"] for seat in made["table"]["seats"]] == [True, False]
    live = line(player)
    live.ask()
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


def test_the_lobby_says_where_a_program_sits(ada: Client, ben: Client) -> None:
    url = f"/t/{seated(ada, 'me', 'open', 'open').code}"
    sit(ben, url)
    page = ben.get(url).text
    assert page.count('<span class="line">program, ready') == 1
    assert "not ready yet" in page
    seats = ben.get(f"{API}/tables/{code_of(url)}").json()["seats"]
    assert [seat["program"] for seat in seats] == [True, False, False]


def test_a_request_waits_for_news(ada: Client) -> None:
    ours, theirs = two(ada)
    before = asked(ours).json()
    assert before["version"] == asked(ours, beyond=0, wait=0.1).json()["version"]
    assert theirs.play().status_code == 200
    assert ours.move(action=before["legal"][0], version=before["version"]).status_code == 200
    assert asked(ours, beyond=before["version"]).json()["version"] > before["version"]


def test_people_and_strangers_are_not_told(server: Server, ada: Client, ben: Client, line: Opened) -> None:
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


def test_a_line_needs_a_token_that_somebody_has(ada: Client, line: Opened) -> None:
    ours, _ = two(ada)
    wrong = line(ours, "made-up-" * 5)
    refused = wrong.get("error")
    assert (refused["code"], refused["reason"]) == ("closed", "This token is unknown.")
    assert wrong.until_closed() == 1008
    with pytest.raises(InvalidStatus):
        line(ours, "dXNlcjpwYXNz", scheme="Basic")


def test_an_exchanged_token_ends_the_line(ada: Client, line: Opened) -> None:
    ours, theirs = two(ada)
    live = line(ours)
    live.ask()
    live.get("known")
    fresh = ours.ask("POST", "seats/me/token").json()["token"]
    assert live.until_closed() == 1008
    assert line(ours).get("error")["code"] == "closed"
    again = line(ours, fresh)
    again.ask()
    assert again.get("known")["seat"] == 0
    assert theirs.view()["seat"] == 1


def test_a_server_that_stops_says_that_it_will_be_back(tmp_path: Path) -> None:
    with ExitStack() as stack:
        with serving(tmp_path) as stopping:
            ada = stack.enter_context(stopping.client())
            live = stack.enter_context(program(stopping, seated(ada, "me", "low")))
            live.ask()
            live.get("known")
        assert live.until_closed() == 1012


def test_a_line_that_says_nothing_is_closed_and_may_come_back(tmp_path: Path) -> None:
    with serving(tmp_path, silence=60.0) as server, server.client() as ada:
        player = seated(ada, "me", "low")
        for _ in range(2):
            with program(server, player) as live:
                live.ask()
                live.get("known")
                server.advance(61)
                assert live.until_closed() == 1008


def test_a_table_that_is_closed_says_so(server: Server, ada: Client, line: Opened) -> None:
    ours, _ = two(ada)
    session = server.session(ours.code)
    assert program_view.known_message(session, 0, [], NOW).type == "known"  # type: ignore[union-attr]
    session.record = replace(session.record, status="finished")
    live = line(ours)
    live.ask()
    assert live.get("error")["code"] == "closed"


def test_at_the_end_the_scores_come_with_it(server: Server, ada: Client, line: Opened) -> None:
    player = seated(ada, "me", "low", game="uncovered")
    live = line(player)
    live.ask()
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


# --- who is shown what ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("memory", [False, True])
@pytest.mark.parametrize("game", catalogue())
def test_everybody_is_shown_their_own_view(game: str, memory: bool, seed: int) -> None:
    """Page and JSON of each viewer are made from that viewer's view; what others see is not on them."""
    luck = random.Random(seed)
    words = " ".join(["me", *["open"] * (max(2, info(game).seats[0]) - 1)])
    session = dealt(words, game=game, settings=Settings(memory=memory), seed=luck.randbytes(32))
    match, seeing = session.running, known_view if memory else shown_view
    while match.ply < 20 and not match.over:
        for viewer in (*range(match.seats), SPECTATOR):
            table = match.game.tables.table(seeing(match.state, viewer), session.sitters)
            view = api.view_of(session, None if viewer == SPECTATOR else viewer, NOW)
            assert json.loads(view.model_dump_json())["table"]["zones"] == json.loads(
                json.dumps(table.to_json()["zones"])
            )
            html = presenter.drawn(session, viewer, NOW).html
            for piece in (piece for zone in table.zones if zone.kind != "pairs" for piece in zone.pieces):
                assert f'id="at-{piece.place}" class="piece k-{piece.kind}' in html
        seat = luck.choice(match.acting)
        grant(session, session.move(seat, luck.choice(session.legal(seat)), session.version(seat), now=20.0))
