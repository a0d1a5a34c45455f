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
from websockets.sync.client import connect

from facedown.core.game import catalogue, info
from facedown.core.slots import known_view, shown_view
from facedown.core.state import SPECTATOR, to_bytes
from facedown.core.view_fields import view_of
from facedown.play import Refusal, Settings
from facedown.server.connection import presenter, program_view
from facedown.server.http import api
from tests.play.table import dealt, lobby, play_by_chance
from tests.server.programs import Player, make, problem, seated, two
from tests.server.serving import PATIENCE, Live, Server, open_table, serving, sit

NOW = 99.0
Opened = Callable[..., "Program"]


class Program(Live):
    """A program's live line."""

    def __init__(self, server: Server, player: Player, token: str = "", scheme: str = "Bearer") -> None:
        address = f"ws://127.0.0.1:{server.port}/t/{player.code}/live"
        headers = {"Authorization": f"{scheme} {token or player.token}"}
        self.socket = connect(address, additional_headers=headers, max_size=None, open_timeout=PATIENCE)
        self.seen = []
        self._open = ExitStack()
        self._open.enter_context(self.socket)

    def ask(self) -> None:
        """Ask for all that the seat knows."""
        self.send(type="hello", version=0, known=True)

    def get(self, kind: str, **wanted: Any) -> dict[str, Any]:
        """The next message, which is of this kind."""
        message: dict[str, Any] = json.loads(self.socket.recv(timeout=PATIENCE))
        assert message["type"] == kind, message
        return message


@pytest.fixture
def line(server: Server) -> Iterator[Opened]:
    """Opens live lines by a token."""
    with ExitStack() as stack:
        yield lambda *given, **named: stack.enter_context(Program(server, *given, **named))


def asked(player: Player, **query: Any) -> Response:
    return player.ask("GET", "known", **query)


# --- what is told -----------------------------------------------------------------------------------------------------


def test_without_the_memory_aid_only_programs_are_told() -> None:
    for memory in (False, True):
        session = dealt(settings=Settings(memory=memory))
        program_view.need_known(session, by_token=True)
        with contextlib.nullcontext() if memory else pytest.raises(Refusal, match="only a program"):
            program_view.need_known(session, by_token=False)
    with pytest.raises(Refusal, match="no seat"):
        program_view.known_fields(session, None, NOW)
    assert program_view.known_message(session, SPECTATOR, [], NOW).code == "forbidden"  # type: ignore[union-attr]
    with pytest.raises(Refusal, match="not dealt yet"):
        program_view.known_fields(lobby(), 0, NOW)


# --- what is told -----------------------------------------------------------------------------------------------------


# --- over the wire ----------------------------------------------------------------------------------------------------


def test_a_program_follows_its_seat_by_its_token(server: Server, ada: Client, line: Opened) -> None:
    made = make(ada, "me", "open")
    player = Player(ada, made["table"]["code"], made["token"])
    assert [seat["program"] for seat in made["table"]["seats"]] == [True, False]
    live = line(player)
    live.ask()
    assert set(live.get("lobby")) == {"type", "version", "say", "title", "filler"}
    assert "not dealt yet" in problem(asked(player), 409, "conflict")
    joined = ada.post(f"{player.path}/seats", json={"name": "Ben"}).json()
    assert [seat["program"] for seat in joined["table"]["seats"]] == [True, True]
    while (message := json.loads(live.socket.recv(timeout=PATIENCE)))["type"] == "lobby":
        pass
    session = server.session(player.code)
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
    player = seated(ada, "me", "open", "open")
    sit(ben, f"/t/{player.code}")
    page = ben.get(f"/t/{player.code}").text
    assert page.count('<span class="line">program, ready') == 1
    assert "not ready yet" in page
    assert [seat["program"] for seat in ben.get(player.path).json()["seats"]] == [True, False, False]


def test_people_and_strangers_are_not_told(server: Server, ada: Client, ben: Client, line: Opened) -> None:
    with Live(server, ada, open_table(ada, "low")) as live:
        assert live.refusal(type="hello", version=0, known=True)["code"] == "forbidden"
        assert "html" in live.hello()
    with Live(server, ada, open_table(ada, "low", memory="on")) as live:
        live.send(type="hello", version=0, known=True)
        assert live.get("known")["seat"] == 0
    (ours, _), (other, _) = two(ben), two(ben)
    assert ben.get(f"{ours.path}/known").status_code == 401
    stranger = Player(ben, ours.code, other.token)
    assert "another table" in problem(asked(stranger), 403, "forbidden")
    assert line(stranger).get("error")["code"] == "closed"
    wrong = line(ours, "made-up-" * 5)
    refused = wrong.get("error")
    assert (refused["code"], refused["reason"]) == ("closed", "This token is unknown.")
    assert wrong.until_closed() == 1008
    with pytest.raises(InvalidStatus):
        line(ours, "dXNlcjpwYXNz", scheme="Basic")


def test_a_line_that_says_nothing_or_whose_server_stops_is_closed_and_may_come_back(tmp_path: Path) -> None:
    with ExitStack() as lines:
        with serving(tmp_path, silence=60.0) as server:
            player = seated(*server.guests(1), "me", "low")
            for silent in (True, True, False):
                live = lines.enter_context(Program(server, player))
                live.ask()
                live.get("known")
                if silent:
                    server.advance(61)
                    assert live.until_closed() == 1008
        assert live.until_closed() == 1012, "it will be back"


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
    for _ in play_by_chance(session, luck, 20):
        for viewer in (*range(match.seats), SPECTATOR):
            table = match.game.tables.table(seeing(match.state, viewer), session.sitters)
            view = api.view_of(session, None if viewer == SPECTATOR else viewer, NOW)
            zones = json.loads(json.dumps(table.to_json()["zones"]))
            assert json.loads(view.model_dump_json())["table"]["zones"] == zones
            html = presenter.drawn(session, viewer, NOW).html
            for piece in (piece for zone in table.zones if zone.kind != "pairs" for piece in zone.pieces):
                assert f'id="at-{piece.place}" class="piece k-{piece.kind}' in html
