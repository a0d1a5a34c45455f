"""Looking at a page as a person does: what the table's data holds for a viewer must be seen, at every size.

The data comes from the API, never from the page. A browser's seat gets a key of its own for that: the table is made by
the API, and the browser is given the cookie of whoever made it.
"""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import httpx
from playwright.sync_api import Page

from facedown.check.layout import AT_REST, LOOK
from facedown.server.http.visitors import COOKIE
from facedown.store.repository import hash_token
from tests.browser.page_time import wait_for_frames
from tests.browser.people import PATIENCE, Person, Server

#: Width and height: a small phone upright, two usual ones, a tablet upright and on its side, what is left of a
#: small laptop's screen inside a browser, a usual laptop, a wide screen.
SIZES: tuple[tuple[int, int], ...] = (
    (320, 640),
    (360, 740),
    (390, 844),
    (768, 1024),
    (1024, 768),
    (1280, 650),
    (1440, 900),
    (1920, 1080),
)
#: Gives a page `__scene()`, which tells one setting of the table from another.
SCENE = Path(__file__).with_name("scene.js").read_text(encoding="utf-8")
#: Looks at every frame of a table; what is wrong is in `__watch.faults`.
WATCH = SCENE + Path(__file__).with_name("watch.js").read_text(encoding="utf-8")

LOOKS_AGAIN = 4


class Seen:
    """What one viewer is told by the server, beside what they see in the browser."""

    def __init__(self, person: Person, code: str, token: str) -> None:
        self.person = person
        self.page: Page = person.page
        self.headers = {"Authorization": f"Bearer {token}"} if token else {}
        self.url = f"{person.server.origin}/api/v1/tables/{code}/view"
        self.found: dict[str, str] = {}
        """Everything wrong so far, with where it was first seen."""
        self.looks = 0

    def said(self) -> dict[str, Any]:
        """The viewer's table as the server has it now."""
        answer = httpx.get(self.url, headers=self.headers, timeout=PATIENCE)
        assert answer.status_code == 200, answer.text
        view: dict[str, Any] = answer.json()
        return view

    def rest(self) -> None:
        """Wait until nothing moves."""
        self.page.wait_for_function(AT_REST)

    def look(self, sizes: Sequence[tuple[int, int]] = SIZES, where: str = "") -> None:
        """Look at the page at these sizes, one after the other; what is wrong is kept in `found`."""
        for width, height in sizes:
            self.page.set_viewport_size({"width": width, "height": height})
            for mistake in self._wrong(f"{width}×{height} "):
                self.found.setdefault(f"{width}×{height} {mistake}", where)
            self.looks += 1

    def _wrong(self, size: str) -> list[str]:
        """What is wrong for good: the page may be about to follow the server, or to come to rest."""
        last: list[str] = []
        for again in range(LOOKS_AGAIN):
            self.rest()
            before = self.said()
            seen = list(self.person.look(LOOK, before["table"] if before["status"] == "running" else None))
            if all(size + mistake in self.found for mistake in seen):
                return []
            if seen == last:
                return seen
            last = seen
            wait_for_frames(self.page, 9 * (again + 1))
        return last

    def mistakes(self) -> list[str]:
        """What is wrong, each with where it was seen."""
        return [f"{wrong}   [{where}]" for wrong, where in self.found.items()]


def sit(person: Person, game: str, *bots: str, name: str = "Ada", **options: str) -> Seen:
    """Open a table with bots whose first seat is this browser's, and begin."""
    server = person.server
    answer = httpx.post(
        f"{server.origin}/api/v1/tables",
        json={"game": game, "name": name, "seats": ["me", *bots], "options": options},
        timeout=PATIENCE,
    )
    assert answer.status_code == 201, answer.text
    joined = answer.json()
    cookie = secrets.token_urlsafe(32)
    give_cookie(server, joined["token"], cookie)
    person.context.add_cookies([{"name": COOKIE, "value": cookie, "url": server.origin}])
    code = joined["table"]["code"]
    person.page.goto(f"{server.origin}/t/{code}")
    person.ready()
    person.page.wait_for_selector("#board")
    return Seen(person, code, joined["token"])


def watch(person: Person, seen: Seen) -> Seen:
    """Look on at somebody's table."""
    code = seen.url.split("/")[-2]
    person.page.goto(f"{person.server.origin}/t/{code}")
    button = person.page.locator('form[action$="/watch"] button')
    if button.count():
        button.click()
    person.page.wait_for_selector("#board")
    return Seen(person, code, "")


def give_cookie(server: Server, token: str, cookie: str) -> None:
    """Make a seat's owner known by a browser's cookie, too."""
    with sqlite3.connect(server.folder / "facedown.sqlite3") as database:
        owner = database.execute("SELECT person FROM seats WHERE key_hash = ?", (hash_token(token),)).fetchone()
        database.execute("UPDATE people SET token_hash = ? WHERE id = ?", (hash_token(cookie), owner[0]))


def sizes_in_turn() -> Iterator[tuple[tuple[int, int], ...]]:
    """One size after the other, for ever."""
    while True:
        yield from ((size,) for size in SIZES)
