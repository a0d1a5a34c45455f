"""A match that was played without spectators is its sitters' own: every address of the application is tried."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pytest
from fastapi.routing import APIRoute, APIWebSocketRoute
from httpx import Client, Response

from facedown.server.http import lines
from facedown.server.http.docs import _example
from tests.server.programs import API, bearer, seated, to_the_end, two
from tests.server.serving import PATIENCE, Live, Server, code_of, finished, token_of

#: What may be asked by anybody without being told anything: going away.
SAYS_NOTHING = {("POST", "/t/{code}/leave"): 303}
#: What is refused to those who sat there as well: the match is over, and there is nothing of the kind any more.
OVER_NOW = {409, 422}


@dataclass(frozen=True)
class Closed:
    """A finished match without spectators, and who may come to its doors."""

    code: str
    secrets: tuple[str, ...]
    """What only those who sat there may read: who they are, the seed, how it ended."""
    player: Client
    stranger: Client
    watcher: Client
    """Somebody who has a place among the spectators nevertheless, as no form gives it."""
    elsewhere: str
    """A token for a seat at another table."""


@pytest.fixture(scope="module")
def closed(server: Server) -> Iterator[Closed]:
    with server.client() as player, server.client() as stranger, server.client() as watcher:
        code = code_of(finished(server, player, name="Evangeline", spectators=""))
        session = server.session(code)
        watcher.post("/quick", data={"name": "Wanda"})
        wanda = server.rooms.repository.person(token_of(watcher))
        assert wanda is not None
        server.rooms.repository.watch(code, wanda.id)
        secrets = ("Evangeline", session.record.seed.hex(), "wins,")
        yield Closed(code, secrets, player, stranger, watcher, seated(stranger, "me", "low").token)


def every(found: Iterable[Any]) -> Iterator[Any]:
    """All routes, also those that came with a router."""
    for route in found:
        router = getattr(route, "original_router", None)
        yield from [route] if router is None else every(router.routes)


def routes(server: Server) -> list[tuple[str, str]]:
    """Every method and address about one table."""
    return [
        (method, route.path)
        for route in every(server.app.routes)
        if isinstance(route, APIRoute) and "{code}" in route.path
        for method in sorted(route.methods - {"HEAD"})
    ]


def body_of(server: Server, method: str, path: str) -> dict[str, Any]:
    """What is sent along: an example of the description, or a form with all that our forms have."""
    if not path.startswith("/api/"):
        form = {"name": "Sly", "ply": "1", "seat": "0", "answer": "yes", "language": "en"}
        return {"data": form} if method == "POST" else {"params": {"ply": "1", "eyes": "0"}}
    spec = server.app.openapi()
    schemas = spec["components"]["schemas"]
    told = spec["paths"][path][method.lower()].get("requestBody", {})
    schema = told.get("content", {}).get("application/json", {}).get("schema")
    return {"json": _example(schema, schemas)} if schema else {}


def ask(
    server: Server, client: Client, method: str, path: str, code: str, headers: Mapping[str, str] | None = None
) -> Response:
    address = path.replace("{code}", code).replace("{seat}", "0")
    return client.request(method, address, headers=headers, **body_of(server, method, path))


def test_the_walk_sees_every_address_about_a_table(server: Server) -> None:
    found = {path for _method, path in routes(server)}
    described = {path for path in server.app.openapi()["paths"] if "{code}" in path}
    assert described <= found
    assert lines.PATH == "/t/{code}/live"
    assert not [r for r in every(server.app.routes) if isinstance(r, APIWebSocketRoute)], "live lines are let in there"
    assert len(found) >= 20
    # Whatever is put on another name than {code} would not be walked.
    stray = [
        r.path for r in every(server.app.routes) if re.match(r"/(t|m|api/v1/(tables|matches))/", getattr(r, "path", ""))
    ]
    assert all("{code}" in path for path in stray), stray


@pytest.mark.parametrize("who", ["stranger", "watcher", "nobody", "token"])
def test_a_stranger_is_told_nothing(server: Server, closed: Closed, who: str) -> None:
    headers = bearer(closed.elsewhere) if who == "token" else None
    with server.client() as nobody:
        client = {"watcher": closed.watcher, "nobody": nobody}.get(who, closed.stranger)
        for method, path in routes(server):
            answer = ask(server, client, method, path, closed.code, headers)
            allowed = {SAYS_NOTHING.get((method, path), 403), 401 if path.startswith("/api/") and not headers else 403}
            assert answer.status_code in allowed, (method, path, answer.status_code, answer.text[-300:])
            assert not [secret for secret in closed.secrets if secret in answer.text], (method, path)
            if answer.status_code == 403 and "json" in answer.headers["content-type"]:
                assert answer.json()["reason"].endswith(".")


def test_who_sat_there_is_let_in_everywhere(server: Server, closed: Closed) -> None:
    for method, path in routes(server):
        if path.startswith("/api/") or path.endswith("/watch"):
            continue
        answer = ask(server, closed.player, method, path, closed.code)
        assert answer.status_code in {200, 303} | OVER_NOW, (method, path, answer.text[-300:])


def test_a_token_of_a_former_player_opens_the_api(ada: Client) -> None:
    """Any token of theirs, also one for a seat at another table."""
    hers, his = two(ada, game="reveal", spectators=False, options={"end": "hands(1)"})
    to_the_end((hers, his))
    body = {"game": "detect", "name": "Ada", "seats": ["me", "low"]}
    other = ada.post(f"{API}/tables", json=body, headers=hers.headers).json()["token"]
    for token in (hers.token, other):
        for path in (
            f"{API}/matches/{hers.code}",
            f"{API}/matches/{hers.code}/review",
            hers.path,
            f"{hers.path}/again",
        ):
            answer = ada.get(path, headers=bearer(token))
            assert answer.status_code == 200, (path, answer.text)


@pytest.mark.parametrize("who", ["stranger", "watcher"])
def test_the_live_table_is_closed_too(server: Server, closed: Closed, who: str) -> None:
    with Live(server, getattr(closed, who), f"/t/{closed.code}") as live:
        refused = json.loads(live.socket.recv(timeout=PATIENCE))
        assert (refused["type"], refused["code"]) == ("error", "closed")
        live.until_closed()


def test_pictures_of_it_are_kept_by_nobody(closed: Closed) -> None:
    for path in (f"/t/{closed.code}/preview.png", f"/m/{closed.code}/preview.png"):
        assert closed.player.get(path).headers["cache-control"] == "no-store"
