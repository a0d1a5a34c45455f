"""A browser that refuses cookies is told so, and nothing is made for it; one that keeps them notices nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from http.cookiejar import DefaultCookiePolicy
from typing import Any

import pytest
from httpx import Client
from sqlalchemy import text

from facedown.server.http.cookie_check import COOKIE
from facedown.server.http.visitors import COOKIE as GUEST
from tests.server.serving import PATIENCE, Server, code_of, finished, open_table, serving

#: Forms that may make a guest, with what they hold.
FORMS: dict[str, dict[str, str]] = {
    "/quick": {"game": "detect"},
    "/tables": {"game": "reveal", "name": "Eve", "seat-0": "you", "seat-1": "low"},
    "/learn/detect/play": {},
    "/t/LOBBY/sit": {"name": "Eve"},
    "/t/LOBBY/watch": {},
    "/m/OVER/from": {"ply": "0", "seat": "0"},
}
ROOTS = ["", "/cards"]


@pytest.fixture(scope="module", params=ROOTS, ids=["root", "below a path"])
def served(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, str]]:
    root: str = request.param
    more: dict[str, Any] = {"prefix": root} if root else {}
    with serving(tmp_path_factory.mktemp("cookies"), **more) as running:
        yield running, root


def made(server: Server) -> list[int]:
    """How many people and matches there are, and how many watch or sit."""
    with server.rooms.repository.engine.connect() as store:
        return [
            int(store.execute(text(f"select count(*) from {table}")).scalar_one())
            for table in ("people", "matches", "seats")
        ]


def browser(server: Server, *, refuses: bool) -> Client:
    """A browser that was never here before."""
    client = Client(base_url=server.origin, headers={"Origin": server.origin}, timeout=PATIENCE)
    client.follow_redirects = True
    if refuses:
        client.cookies.jar.set_policy(DefaultCookiePolicy(allowed_domains=[]))
    return client


def forms(server: Server, root: str) -> Iterator[tuple[str, dict[str, str]]]:
    with server.client() as host:
        over = code_of(finished(server, host))
        lobby = code_of(open_table(host, "open", "open"))
    for path, fields in FORMS.items():
        yield root + path.replace("LOBBY", lobby).replace("OVER", over), fields


def test_nothing_is_made_for_a_browser_that_refuses_cookies(served: tuple[Server, str]) -> None:
    server, root = served
    asked = list(forms(server, root))
    before = made(server)
    for path, fields in asked:
        with browser(server, refuses=True) as eve:
            for _ in range(2):
                answer = eve.post(path, data=fields)
                assert answer.status_code == 422, path
                assert "Your browser refuses cookies" in answer.text
                assert not eve.cookies
    assert made(server) == before


def test_a_browser_that_keeps_cookies_notices_nothing(served: tuple[Server, str]) -> None:
    server, root = served
    for path, fields in forms(server, root):
        with browser(server, refuses=False) as ada:
            answer = ada.post(path, data=fields)
            assert answer.status_code == 200, path
            assert [step.status_code for step in answer.history] == [307, 303], path
            assert re.search(rf"{root}/t/[A-Z0-9]+$", str(answer.url))
            assert {COOKIE, GUEST} <= set(ada.cookies)
            # Next time it is known.
            again = ada.post(f"{root}/quick", data={"game": "detect"})
            assert [step.status_code for step in again.history] == [303]


def test_somebody_who_allows_cookies_then_can_send_the_form_again(served: tuple[Server, str]) -> None:
    server, root = served
    with browser(server, refuses=True) as eve:
        refused = eve.post(f"{root}/quick", data={"game": "detect"})
        assert refused.status_code == 422
        eve.cookies.jar.set_policy(DefaultCookiePolicy())
        # Loading the page that says so again, and then once more.
        eve.post(str(refused.url), data={"game": "detect"})
        assert eve.post(str(refused.url), data={"game": "detect"}).status_code == 200
