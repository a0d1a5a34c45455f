"""What goes over the wire to each viewer: to whoever acts, to the others, to who only watches; also at the end.

Each viewer is a client of their own with a real socket. The state in the server's memory is replaced by another world
that fits what this viewer knows: nothing that is sent may change. And what is sent shows this viewer's own view.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from contextlib import ExitStack
from functools import cache, partial
from typing import Any

import httpx
import numpy as np
import pytest

from facedown.core.chance import key_of
from facedown.core.match import Match
from facedown.core.slots import known_view, redeal, shown_view
from facedown.core.state import SPECTATOR
from facedown.play import Session
from facedown.server.connection import presenter
from facedown.server.http import api
from facedown.server.table.room import Room
from tests.server.programs import API, Player
from tests.server.serving import Live, Server, code_of, open_table, serving, sit
from tests.wait import wait_until

#: The seats of each game, and house rules that make a match short.
GAMES = {
    "reveal": (2, {"end": "hands(1)"}),
    "detect": (3, {}),
    "reveille": (2, {}),
    "uncovered": (3, {}),
    "scout": (3, {}),
}
LOOKS = 2
MOVES_BETWEEN = 8
NOW = 20.0


class Eyes:
    """A viewer at a table and all that the server sends them."""

    def __init__(self, viewer: int, client: httpx.Client, url: str, live: Live | None, api: Player | None) -> None:
        self.viewer = viewer
        self.client = client
        self.url = url
        self.live = live
        self.api = api

    def sent(self) -> dict[str, Any]:
        """Everything, asked for anew."""
        found: dict[str, Any] = {}
        if self.live is not None:
            # What comes after the pong was drawn after the world was replaced.
            self.live.send(type="ping")
            self.live.get("pong")
            message = self.live.hello()
            message.pop("filler")
            # What was said since the last time is told once only.
            found["live"] = json.dumps({**message, "say": None}, sort_keys=True)
            found["page"] = self.client.get(self.url).text
        if self.api is not None:
            found["json"] = self.api.view()
        elif self.viewer == SPECTATOR:
            code = code_of(self.url)
            found["json"] = self.client.get(f"{API}/tables/{code}/view").json()
        return found


@cache
def compiled(game: str, seats: int) -> None:
    """Compile what the tests themselves need first: the server in this process stands still meanwhile."""
    match = Match(game, seats, seed=bytes(32))
    redeal(known_view(match.state, 0), key_of(bytes(32)))
    match.play(match.acting[0], match.legal(match.acting[0])[0])
    match.shown(0)


def move(seat: int, action: int, version: int, session: Session) -> Any:
    """A move as a request."""
    return session.move(seat, action, version, now=NOW)


def room_of(server: Server, code: str) -> Room:
    """A table in the server's memory."""
    return server.room(code)


class Place:
    """A running table with everybody who looks at it."""

    def __init__(self, server: Server, stack: ExitStack, game: str, memory: bool, seed: int) -> None:
        self.luck = random.Random(f"{game} {memory} {seed}")
        self.memory = memory
        seats, options = GAMES[game]
        compiled(game, seats)
        clients = [stack.enter_context(server.client()) for _ in range(seats + 1)]
        fields = {f"option-{name}": value.split("(")[0] for name, value in options.items()}
        fields |= {f"option-{n}-{v.split('(')[0]}-0": v.split("(")[1][:-1] for n, v in options.items() if "(" in v}
        fields |= {"memory": "on"} if memory else {}
        url = open_table(clients[0], *["open"] * (seats - 1), game=game, **fields)
        for number, client in enumerate(clients[1:seats], 2):
            sit(client, url, f"Guest {number}")
        assert clients[-1].post(f"{url}/watch").status_code == 303
        lives = [stack.enter_context(Live(server, client, url)) for client in clients]
        for live in lives:
            live.hello(kind="lobby")
        for live in lives[:seats]:
            live.send(type="ready", ready=True)
        for live in lives:
            live.get("table")
        self.room = room_of(server, code_of(url))
        self.session: Session = self.room.session
        self.server = server
        self.lives = lives
        self.eyes = [Eyes(v, clients[v], url, lives[v], None) for v in range(seats)]
        self.eyes.append(Eyes(SPECTATOR, clients[-1], url, lives[-1], None))

    def play(self, moves: int) -> None:
        """So many random moves, in the server's own time."""

        async def scene() -> None:
            for _ in range(moves):
                if self.session.running.over:
                    return
                seat = self.luck.choice(self.session.running.acting)
                action, version = self.luck.choice(self.session.legal(seat)), self.session.version(seat)
                await self.room.request(partial(move, seat, action, version))

        self.server.within(scene())

    def settle(self) -> None:
        """Wait until the coach has said all there is to say of a finished match."""
        for eyes in self.eyes:
            wait_until(lambda eyes=eyes: 'aria-busy="true"' not in eyes.sent()["live"].replace("\\", ""))  # type: ignore[misc]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("wire"), review_tries=1, messages_a_second=1e6) as running:
        yield running


def leaks(place: Place, key: np.ndarray[Any, Any]) -> list[str]:
    """What is sent differently to somebody when only what they cannot know is different."""
    match = place.session.running
    true = match.state
    found = []
    for eyes in place.eyes:
        before = eyes.sent()
        match.state = redeal(known_view(true, eyes.viewer), key)
        try:
            after = eyes.sent()
        finally:
            match.state = true
        for name in before:
            if before[name] != after[name]:
                found.append(f"{name} to {eyes.viewer}: {differing(str(before[name]), str(after[name]))}")
    return found


def differing(one: str, other: str) -> str:
    """Where two texts begin to differ."""
    at = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return f"{one[max(0, at - 80) : at + 60]!r} or {other[at : at + 60]!r}"


def others_views(place: Place) -> list[str]:
    """What is sent to somebody and is not made from their own view: the table's JSON, the page's faces."""
    match = place.session.running
    seeing = known_view if place.memory else shown_view
    found = []
    for eyes in place.eyes:
        sent = eyes.sent()
        table = match.game.tables.table(seeing(match.state, eyes.viewer), place.session.sitters)
        if "json" in sent and sent["json"]["table"]["zones"] != json.loads(json.dumps(table.to_json()["zones"])):
            found.append(f"json to {eyes.viewer}")
        if not match.over:
            html = json.loads(sent["live"])["html"]
            for zone in table.zones:
                for piece in zone.pieces:
                    wanted = f'id="at-{piece.place}" class="piece k-{piece.kind}'
                    if zone.kind != "pairs" and wanted not in html:
                        found.append(f"{piece.place} of the page to {eyes.viewer}")
    return found


@pytest.mark.parametrize("memory", [False, pytest.param(True, marks=pytest.mark.nightly)], ids=["", "memory"])
@pytest.mark.parametrize("game", GAMES)
def test_nobody_is_sent_what_they_cannot_know(server: Server, seed: int, game: str, memory: bool) -> None:
    with ExitStack() as stack:
        place = Place(server, stack, game, memory, seed)
        differing = 0
        for _ in range(LOOKS):
            key = key_of(place.luck.randbytes(32))
            assert leaks(place, key) == []
            assert others_views(place) == []
            state = place.session.running.state
            differing += sum(
                not np.array_equal(redeal(known_view(state, eyes.viewer), key).card, state.card) for eyes in place.eyes
            )
            place.play(MOVES_BETWEEN)
            if place.session.running.over:
                break
        assert differing > 1


@pytest.mark.slow
@pytest.mark.parametrize("memory", [False, pytest.param(True, marks=pytest.mark.nightly)], ids=["", "memory"])
@pytest.mark.parametrize("game", GAMES)
def test_nor_when_the_match_has_ended(server: Server, seed: int, game: str, memory: bool) -> None:
    with ExitStack() as stack:
        place = Place(server, stack, game, memory, seed)
        place.play(10_000)
        assert place.session.running.over
        place.settle()
        for _ in range(2):
            assert leaks(place, key_of(place.luck.randbytes(32))) == []
        assert others_views(place) == []


@pytest.mark.parametrize("wrong", ["page", "json"])
def test_a_watcher_who_is_sent_somebodys_view_is_noticed(
    server: Server, seed: int, monkeypatch: pytest.MonkeyPatch, wrong: str
) -> None:
    """The comparison must see it: here whoever only watches is sent what the first seat sees."""
    with ExitStack() as stack:
        place = Place(server, stack, "scout", False, seed)
        assert leaks(place, key_of(place.luck.randbytes(32))) == []
        if wrong == "page":
            honest = presenter.drawn
            monkeypatch.setattr(
                presenter,
                "drawn",
                lambda session, viewer, *rest, **more: honest(session, viewer % SPECTATOR, *rest, **more),
            )
        else:
            view_of = api.view_of
            monkeypatch.setattr(api, "view_of", lambda session, seat, *rest: view_of(session, seat or 0, *rest))
        key = key_of(place.luck.randbytes(32))
        assert any(f" to {SPECTATOR}:" in found for found in leaks(place, key))
        assert any(found.endswith(f" to {SPECTATOR}") for found in others_views(place))


def test_programs_are_sent_their_own_views(server: Server, seed: int) -> None:
    """By the JSON API every seat has a token of its own."""
    luck = random.Random(seed)
    with server.client() as client:
        made = client.post(f"{API}/tables", json={"game": "scout", "name": "A", "seats": ["me", "open", "open"]}).json()
        code = made["table"]["code"]
        tokens = [made["token"]]
        tokens += [client.post(f"{API}/tables/{code}/seats", json={"name": n}).json()["token"] for n in "BC"]
        players = [Player(client, code, token) for token in tokens]
        session = room_of(server, code).session
        match = session.running
        for _ in range(12):
            true, key = match.state, key_of(luck.randbytes(32))
            for seat, player in enumerate(players):
                before = player.view()
                table = match.game.tables.table(shown_view(true, seat), session.sitters)
                assert before["table"]["zones"] == json.loads(json.dumps(table.to_json()["zones"]))
                match.state = redeal(known_view(true, seat), key)
                after = player.view()
                match.state = true
                assert after == before
            seat = luck.choice(match.acting)
            view = players[seat].view()
            action = luck.choice(view["legal"])["action"]
            assert players[seat].move(action=action, version=view["version"]).status_code == 200
