"""Marked secrets are looked for in all that comes over the wire to each viewer, in every form that they could take."""

from __future__ import annotations

import base64
import json
import random
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import httpx
import pytest
import sqlalchemy as sa

from facedown.check.random_matches import GAMES
from facedown.server.connection import presenter
from facedown.store import hash_token, schema
from tests.nightly_selection import mostly
from tests.server.api_players import API
from tests.server.http_server import Live, Server, serving, token_of
from tests.wire_secrecy.test_paired_worlds import USUAL

#: People are numbered from here on: no page says such a number by chance.
NUMBERED_FROM = 910_273_645_831_000_000
#: So many digits all of them begin with. Six stand by chance in what is sent: in the hexadecimals of a seed, in a time.
SAME = 12
#: Moves of a match that are looked at every day; in the long run, all.
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


def forms(secret: bytes) -> set[bytes]:
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


class Ear:
    """A viewer, and every byte that they are sent."""

    def __init__(self, server: Server, stack: ExitStack) -> None:
        self.client = stack.enter_context(server.client())
        self.client.event_hooks["response"] = [self._answered]
        self.heard: list[bytes] = []
        self.key = ""
        self.live: Live | None = None

    def _answered(self, answer: httpx.Response) -> None:
        # The cookie is theirs to be given.
        headers = [value for name, value in answer.headers.multi_items() if name != "set-cookie"]
        self.heard += [b"\n".join(value.encode("latin-1") for value in headers), answer.read()]

    def listen(self, server: Server, stack: ExitStack, url: str) -> None:
        self.live = stack.enter_context(Live(server, self.client, url))
        receive = self.live.socket.recv

        def recv(timeout: float | None = None) -> str:
            text = str(receive(timeout=timeout))
            self.heard.append(text.encode())
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

    def found(self, needles: dict[str, set[bytes]]) -> list[str]:
        hay = b"\n".join(self.heard)
        return [name for name, looks in needles.items() if any(look in hay for look in looks)]


class Table:
    """People with cookies at a table; the first of them has a program's key as well."""

    def __init__(self, server: Server, stack: ExitStack, game: str, rnd: random.Random) -> None:
        self.server, self.rnd = server, rnd
        seats, options = USUAL[game]
        with server.client() as host:
            body = {"game": game, "name": "Key", "seats": ["me", *["open"] * (seats - 1)], "options": options}
            made = host.post(f"{API}/tables", json=body | {"hints": True}).json()
        self.code = made["table"]["code"]
        url = f"/t/{self.code}"
        self.ears = [Ear(server, stack) for _ in range(seats + 1)]
        self.ears[0].key = made["token"]
        for number, ear in enumerate(self.ears[1:seats], 2):
            assert ear.client.post(f"{url}/sit", data={"name": f"Guest {number}"}).status_code == 303
        for ear in (self.ears[0], self.ears[-1]):
            assert ear.client.post(f"{url}/watch").status_code == 303
        for ear in self.ears[1:]:
            ear.listen(server, stack, url)
            assert ear.live is not None
            ear.live.hello(kind="lobby")
        for ear in self.ears[1:seats]:
            assert ear.live is not None
            ear.live.send(type="ready", ready=True)
        for ear in self.ears[1:]:
            assert ear.live is not None
            ear.live.get("table")
        self.session = server.within(server.rooms.room(self.code)).session

    def needles(self, ear: Ear, running: bool = True) -> dict[str, set[bytes]]:
        found: dict[str, set[bytes]] = {}
        if running:
            found["the seed"] = forms(self.session.record.seed)
            key = self.session.dealt_match.state.key
            found["the key"] = forms(key.tobytes()) | {str(key.tolist()).encode(), json.dumps(key.tolist()).encode()}
        for number, other in enumerate(self.ears):
            token = token_of(other.client)
            found[f"the hash of {number}'s cookie"] = {hash_token(token).encode()}
            if other is not ear:
                found[f"{number}'s cookie"] = {token.encode(), *forms(token.encode())}
            if other.key:
                found[f"the hash of {number}'s key"] = {hash_token(other.key).encode()}
                if other is not ear:
                    found[f"{number}'s key"] = {other.key.encode(), *forms(other.key.encode())}
        found["somebody's number"] = {str(NUMBERED_FROM)[:SAME].encode()}
        return found

    def play(self, most: int) -> None:
        """Play over the wire, and let everybody look now and then."""
        for number in range(most):
            if self.session.dealt_match.over:
                return
            # Some matches are over with their first move.
            self.all_look(number % 8 == 0)
            seat = self.rnd.choice(self.session.dealt_match.acting)
            move = {"action": self.rnd.choice(self.session.legal(seat)), "version": self.session.version(seat)}
            ear = self.ears[seat]
            if ear.live is None:
                who = {"Authorization": f"Bearer {ear.key}"}
                assert ear.client.post(f"{API}/tables/{self.code}/moves", headers=who, json=move).status_code == 200
            else:
                ear.live.send(type="move", **move)
                ear.live.send(type="ping")
                ear.live.get("pong")

    def all_look(self, pages: bool) -> None:
        for ear in self.ears:
            if ear.live is not None:
                ear.live.hello()
            if pages and not self.session.dealt_match.over:
                ear.ask(self.code)


@pytest.mark.parametrize(
    ("game", "moves"),
    mostly([(g, m) for m in (EVERYDAY_MOVES, MOST_MOVES) for g in GAMES], [(g, EVERYDAY_MOVES) for g in GAMES]),
)
def test_no_secret_is_sent_to_anybody(server: Server, seed: int, game: str, moves: int) -> None:
    with ExitStack() as stack:
        table = Table(server, stack, game, random.Random(seed))
        table.play(moves)
        table.all_look(pages=True)
        for number, ear in enumerate(table.ears):
            assert sum(map(len, ear.heard)) > 10_000
            assert ear.found(table.needles(ear)) == [], f"to {number}"
        if table.session.dealt_match.over:
            for ear in table.ears:
                # The seed is public now; who is who is not.
                ear.ask(table.code)
                assert ear.found(table.needles(ear, running=False)) == []


def planted(secret: Callable[[Any], str]) -> Callable[..., Any]:
    honest = presenter.page

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
def test_a_needle_in_a_page_is_found(
    server: Server, seed: int, monkeypatch: pytest.MonkeyPatch, name: str, secret: Callable[[Any], str]
) -> None:
    monkeypatch.setattr(presenter, "page", planted(secret))
    with ExitStack() as stack:
        table = Table(server, stack, "detect", random.Random(seed))
        table.play(3)
        assert all(name in ear.found(table.needles(ear)) for ear in table.ears[1:])
