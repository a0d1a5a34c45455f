"""Marked secrets: searched for in everything that is sent to each viewer, in every encoding that they could take."""

from __future__ import annotations

import base64
import json
import random
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import httpx
import pytest
import sqlalchemy as sa

from facedown.check.random_matches import GAMES
from facedown.server.connection import viewer_page_data
from facedown.store import hash_token, schema
from tests.nightly_selection import mostly
from tests.server.api_players import API
from tests.server.http_server import Live, Server, serving, token_of
from tests.wire_secrecy.test_paired_worlds import USUAL

#: Ids of persons start here. No page holds such a number by chance.
NUMBERED_FROM = 910_273_645_831_000_000
#: Number of first digits that all ids share. Six digits may occur by chance, in a hexadecimal seed or in a time.
SAME = 12
#: Number of moves of a match that are checked every day. The long run checks all.
EVERYDAY_MOVES = 24
MOST_MOVES = 600


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(
        tmp_path_factory.mktemp("needles"), review_tries=1, messages_a_second=1e6, pictures_a_minute=1e6
    ) as running:
        with running.rooms.repository._engine.begin() as connection:
            marked = {"id": NUMBERED_FROM, "name": "Nobody", "created": 0.0}
            connection.execute(sa.insert(schema.people).values(marked))
        yield running


def encodings(secret: bytes) -> set[bytes]:
    numbers = list(secret)
    return {
        secret,
        secret.hex().encode(),
        secret.hex().upper().encode(),
        base64.b64encode(secret).rstrip(b"="),
        base64.urlsafe_b64encode(secret).rstrip(b"="),
        base64.b32encode(secret).rstrip(b"="),
        str(numbers).encode(),
        json.dumps(numbers, separators=(",", ":")).encode(),
        str(int.from_bytes(secret, "big")).encode(),
        str(int.from_bytes(secret, "little")).encode(),
    }


class RecordingViewer:
    """A viewer who records every byte that is sent to them."""

    def __init__(self, server: Server, stack: ExitStack) -> None:
        self.client = stack.enter_context(server.client())
        self.client.event_hooks["response"] = [self._answered]
        self.received: list[bytes] = []
        self.key = ""
        self.live: Live | None = None

    def _answered(self, answer: httpx.Response) -> None:
        # A viewer may be sent their own cookie.
        headers = [value for name, value in answer.headers.multi_items() if name != "set-cookie"]
        self.received += [b"\n".join(value.encode("latin-1") for value in headers), answer.read()]

    def listen(self, server: Server, stack: ExitStack, url: str) -> None:
        self.live = stack.enter_context(Live(server, self.client, url))
        receive = self.live.socket.recv

        def recv(timeout: float | None = None) -> str:
            text = str(receive(timeout=timeout))
            self.received.append(text.encode())
            return text

        self.live.socket.recv = recv  # type: ignore[method-assign, assignment]

    def ask(self, code: str) -> None:
        who = {"Authorization": f"Bearer {self.key}"} if self.key else {}
        for path in ("", "/view", "/known", "/again", "/view?beyond=0&wait=0"):
            self.client.get(f"{API}/tables/{code}{path}", headers=who)
        self.client.get(f"{API}/tables", headers=who)
        for path in (f"matches/{code}", f"matches/{code}/review"):
            self.client.get(f"{API}/{path}", headers=who)
        pages = ("/", f"/t/{code}", f"/m/{code}", f"/m/{code}.facedown", f"/m/{code}/moment", f"/t/{code}/preview.png")
        for path in pages:
            self.client.get(path)

    def found(self, secrets: dict[str, set[bytes]]) -> list[str]:
        hay = b"\n".join(self.received)
        return [name for name, looks in secrets.items() if any(look in hay for look in looks)]


class Table:
    """Players with cookies at a table. The first of them also has an API key."""

    def __init__(self, server: Server, stack: ExitStack, game: str, rnd: random.Random) -> None:
        self.server, self.rnd = server, rnd
        seats, options = USUAL[game]
        with server.client() as host:
            body = {"game": game, "name": "Key", "seats": ["me", *["open"] * (seats - 1)], "options": options}
            made = host.post(f"{API}/tables", json=body | {"hints": True}).json()
        self.code = made["table"]["code"]
        url = f"/t/{self.code}"
        self.viewers = [RecordingViewer(server, stack) for _ in range(seats + 1)]
        self.viewers[0].key = made["token"]
        for number, viewer in enumerate(self.viewers[1:seats], 2):
            assert viewer.client.post(f"{url}/sit", data={"name": f"Guest {number}"}).status_code == 303
        for viewer in (self.viewers[0], self.viewers[-1]):
            assert viewer.client.post(f"{url}/watch").status_code == 303
        for viewer in self.viewers[1:]:
            viewer.listen(server, stack, url)
            assert viewer.live is not None
            viewer.live.hello(kind="lobby")
        for viewer in self.viewers[1:seats]:
            assert viewer.live is not None
            viewer.live.send(type="ready", ready=True)
        for viewer in self.viewers[1:]:
            assert viewer.live is not None
            viewer.live.get("table")
        self.session = server.within(server.rooms.room(self.code)).session
        self.asked: Counter[str] = Counter()
        """Number of proposals that all viewers have seen, by their kind."""

    def secrets(self, viewer: RecordingViewer, running: bool = True) -> dict[str, set[bytes]]:
        found: dict[str, set[bytes]] = {}
        if running:
            found["the seed"] = encodings(self.session.record.seed)
            key = self.session.dealt_match.state.key
            found["the key"] = encodings(key.tobytes()) | {
                str(key.tolist()).encode(),
                json.dumps(key.tolist()).encode(),
            }
        for number, other in enumerate(self.viewers):
            token = token_of(other.client)
            found[f"the hash of {number}'s cookie"] = {hash_token(token).encode()}
            if other is not viewer:
                found[f"{number}'s cookie"] = {token.encode(), *encodings(token.encode())}
            if other.key:
                found[f"the hash of {number}'s key"] = {hash_token(other.key).encode()}
                if other is not viewer:
                    found[f"{number}'s key"] = {other.key.encode(), *encodings(other.key.encode())}
        found["somebody's number"] = {str(NUMBERED_FROM)[:SAME].encode()}
        return found

    def play(self, most: int) -> None:
        """Play over the wire. Now and then all viewers load their pages."""
        for number in range(most):
            if self.session.dealt_match.over:
                return
            # Some matches end with their first move.
            self.all_look(number % 8 == 0)
            seat = self.rnd.choice(self.session.dealt_match.acting)
            move = {"action": self.rnd.choice(self.session.legal(seat)), "version": self.session.version(seat)}
            assert self.send(seat, "move", "moves", **move)
            if number % 6 == 0 and not self.session.dealt_match.over:
                self.ask_players(seat, self.rnd.choice(("take-back", "end")))

    def send(self, seat: int, kind: str, path: str, **message: Any) -> bool:
        """Send a request of a player: by the API if the player has a key, else as a live message.

        Returns whether it was accepted, or True for a live message.
        """
        viewer = self.viewers[seat]
        if viewer.live is None:
            who = {"Authorization": f"Bearer {viewer.key}"}
            answer = viewer.client.post(f"{API}/tables/{self.code}/{path}", headers=who, json=message)
            return answer.status_code == 200
        viewer.live.send(type=kind, **message)
        viewer.live.send(type="ping")
        viewer.live.get("pong")
        return True

    def ask_players(self, seat: int, what: str) -> None:
        """Propose something. All viewers load their pages, and then the players answer. They agree to no end."""
        self.send(seat, "propose", "proposals", what=what)
        while (proposal := self.session.record.agreements.proposal) is not None:
            self.asked[what] += 1
            self.all_look(pages=True)
            for asked in proposal.asked:
                self.send(asked, "answer", "answers", proposal=proposal.number, agree=what == "take-back")

    def all_look(self, pages: bool) -> None:
        for viewer in self.viewers:
            if viewer.live is not None:
                viewer.live.hello()
            if pages and not self.session.dealt_match.over:
                viewer.ask(self.code)


@pytest.mark.parametrize(
    ("game", "moves"),
    mostly([(g, m) for m in (EVERYDAY_MOVES, MOST_MOVES) for g in GAMES], [(g, EVERYDAY_MOVES) for g in GAMES], ()),
)
def test_no_viewer_is_sent_the_seed_or_tokens_or_person_ids_of_others(
    server: Server, seed: int, game: str, moves: int
) -> None:
    with ExitStack() as stack:
        table = Table(server, stack, game, random.Random(seed))
        table.play(moves)
        table.all_look(pages=True)
        assert table.asked or table.session.dealt_match.over
        for number, viewer in enumerate(table.viewers):
            assert sum(map(len, viewer.received)) > 10_000
            assert viewer.found(table.secrets(viewer)) == [], f"to {number}"
        if table.session.dealt_match.over:
            for viewer in table.viewers:
                # The seed is public now. The ids of persons are not.
                viewer.ask(table.code)
                assert viewer.found(table.secrets(viewer, running=False)) == []


def page_with_planted_secret(secret: Callable[[Any], str]) -> Callable[..., Any]:
    honest = viewer_page_data.page

    def page(room: Any, *given: Any, **named: Any) -> Any:
        found = honest(room, *given, **named)
        found.html += secret(room.session)
        return found

    return page


@pytest.mark.parametrize(
    ("name", "secret"),
    [
        ("the seed", lambda session: session.record.seed.hex()),
        ("the seed", lambda session: base64.urlsafe_b64encode(session.record.seed).decode()),
        ("the key", lambda session: str(session.dealt_match.state.key.tolist())),
        ("the hash of 0's key", lambda session: session.record.seats[0].key_hash),
        ("somebody's number", lambda session: f"<i data-person={session.record.seats[1].person}>"),
    ],
)
def test_search_for_secrets_in_sent_data_finds_a_secret_planted_in_a_page(
    server: Server, seed: int, monkeypatch: pytest.MonkeyPatch, name: str, secret: Callable[[Any], str]
) -> None:
    monkeypatch.setattr(viewer_page_data, "page", page_with_planted_secret(secret))
    with ExitStack() as stack:
        table = Table(server, stack, "detect", random.Random(seed))
        table.play(3)
        assert all(name in viewer.found(table.secrets(viewer)) for viewer in table.viewers[1:])
