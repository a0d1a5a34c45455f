"""Players who continue through faults: programs that use the API, and pages whose live connections reconnect.

They also ask each other to take moves back, and sometimes to end the match, and answer.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import re
import secrets
from dataclasses import dataclass, field
from typing import Any

import httpx
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from tests.assembled_page import ShownPage
from tests.faults.server_group import ServerGroup, sleep_through_async
from tests.server.http_server import COOKIES_ACCEPTED, actions_in

GAMES = ("detect", "reveal", "reveille", "scout")
#: Delay after which a move without an answer is sent again, as by the page's script, in seconds.
AGAIN = 0.3
LINE_DOWN = (OSError, WebSocketException, TimeoutError, EOFError)
#: Chance that a player asks to take a move back after it, and that a question is to end the match.
ASKS, ENDS = 0.25, 0.1
#: Chance that a player agrees, and that a player withdraws a question before it is answered.
AGREES, WITHDRAWS = 0.6, 0.2
#: The answer that a button of the page sends.
ANSWER = re.compile(r"value='(\{[^']*\"answer\"[^']*\})'")
#: First tag of the element that holds the review.
COACH = '<div class="coach" id="coach">'
#: Parts of a page that differ from drawing to drawing of the same table.
PASSING = (
    re.compile(r' data-(?:left|wait|clock|at|since)="[^"]*"'),
    re.compile(r" ?\bis-fresh\b"),
    # The time left for an absent player, as a ring and in figures.
    re.compile(r' stroke-dasharray="\d+ 100"'),
    re.compile(r'(?<=class="left">)\d+:\d\d'),
    # The address of the request, as text and as a QR code. Each server has its own.
    re.compile(r"(?:https?://)?(?:127\.0\.0\.1|localhost):\d+"),
    re.compile(r'<svg\b[^>]*\bclass="qr".*?</svg>'),
)


@dataclass
class Observations:
    """What the players saw, to be compared with what is stored."""

    acknowledged: list[tuple[str, int, str, int]] = field(default_factory=list)
    """(table, seat, token, action) of every accepted move."""
    refused: list[tuple[str, int, str]] = field(default_factory=list)
    """(table, seat, token) of every refused move."""
    proposed: list[tuple[str, int]] = field(default_factory=list)
    """(table, number) of every accepted proposal of a program."""
    answered: list[tuple[str, int, bool]] = field(default_factory=list)
    """(table, number, whether it agreed) of every accepted answer of a program."""
    moves_of_pages: int = 0
    reconnects: int = 0
    complaints: list[str] = field(default_factory=list)
    codes: list[str] = field(default_factory=list)


class Table:
    """A table for two players, a program and a page, that play one match after the other."""

    def __init__(self, group: ServerGroup, seen: Observations, seed: int) -> None:
        self.group = group
        self.seen = seen
        self.lot = random.Random(seed)
        self.going = True
        self.page: Page | None = None
        self.program: tuple[str, str] | None = None
        """Code and token of the program's seat."""

    async def run(self) -> None:
        while self.going:
            async with httpx.AsyncClient(timeout=20.0, cookies=COOKIES_ACCEPTED) as client:
                made = await self._open(client)
                if made is None:
                    await sleep_through_async(AGAIN)
                    continue
                code, token, cookie = made
                self.seen.codes.append(code)
                self.program = code, token
                self.page = Page(self, code, cookie)
                line = asyncio.ensure_future(self.page.run())
                line.add_done_callback(self._note_failure)
                try:
                    await self._program(client, code, token)
                finally:
                    if self.going:
                        line.cancel()
                        await asyncio.gather(line, return_exceptions=True)
                        self.page = None
                    else:
                        # The page stays open, to be compared at the end.
                        self.line = line

    async def _open(self, client: httpx.AsyncClient) -> tuple[str, str, str] | None:
        """Open a table with both players. Returns None if a request failed."""
        origin = self.group.any_origin(self.lot)
        try:
            game = self.lot.choice(GAMES)
            made = await client.post(
                f"{origin}/api/v1/tables", json={"game": game, "name": "Ada", "seats": ["me", "open"]}
            )
            if made.status_code != 201:
                self._mind(made, "table")
                return None
            code, token = made.json()["table"]["code"], made.json()["token"]
            sat = await client.post(f"{origin}/t/{code}/sit", data={"name": "Ben"}, headers={"Origin": origin})
            cookie = sat.cookies.get("facedown-guest")
            client.cookies.clear()
            if sat.status_code != 303 or not cookie:
                self._mind(sat, "sit")
                return None
            return code, token, cookie
        except (httpx.TransportError, ValueError):
            return None

    async def _program(self, client: httpx.AsyncClient, code: str, token: str) -> None:
        """Play the first seat as a program: look, move, and repeat requests without an answer."""
        headers = {"Authorization": f"Bearer {token}"}
        beyond = -1
        while self.going:
            origin = self.group.any_origin(self.lot)
            try:
                view = await client.get(
                    f"{origin}/api/v1/tables/{code}/view", headers=headers, params={"beyond": beyond, "wait": 2}
                )
            except httpx.TransportError:
                await sleep_through_async(AGAIN)
                continue
            if view.status_code != 200:
                if view.status_code != 409:
                    # Before the deal there is no view.
                    self._mind(view, "view")
                await sleep_through_async(AGAIN)
                continue
            seen = view.json()
            if seen["status"] == "finished":
                return
            if seen["proposal"] is not None and seen["seat"] in seen["proposal"]["asked"]:
                await self._answer(client, code, headers, seen["proposal"]["number"])
                beyond = -1
            elif seen["legal"]:
                await self._move(client, code, headers, seen)
                if self.lot.random() < ASKS:
                    await self._propose(client, code, headers)
                beyond = -1
            else:
                beyond = seen["version"]

    async def _move(self, client: httpx.AsyncClient, code: str, headers: dict[str, str], seen: dict[str, Any]) -> None:
        action = self.lot.choice(seen["legal"])["action"]
        token = secrets.token_urlsafe(12)
        wanted = {"action": action, "version": seen["version"], "token": token}
        while True:
            origin = self.group.any_origin(self.lot)
            try:
                answer = await client.post(f"{origin}/api/v1/tables/{code}/moves", headers=headers, json=wanted)
            except httpx.TransportError:
                # The move may have been saved. Sent again, it counts once.
                if not self.going:
                    return
                await sleep_through_async(AGAIN)
                continue
            if answer.status_code == 200:
                self.seen.acknowledged.append((code, seen["seat"], token, action))
                return
            if answer.status_code < 500:
                self.seen.refused.append((code, seen["seat"], token))
                if answer.json()["code"] not in ("stale", "not-your-turn", "illegal", "conflict"):
                    self._mind(answer, "move")
                return
            if answer.status_code != 503:
                self._mind(answer, "move")
            if not self.going:
                # After 503, too, the move may have been saved.
                return
            await sleep_through_async(AGAIN)

    async def _propose(self, client: httpx.AsyncClient, code: str, headers: dict[str, str]) -> None:
        """Ask once. A second request could take another move back."""
        what = "end" if self.lot.random() < ENDS else "take-back"
        address = f"{self.group.any_origin(self.lot)}/api/v1/tables/{code}/proposals"
        with contextlib.suppress(httpx.TransportError):
            answer = await client.post(address, headers=headers, json={"what": what})
            if answer.status_code == 200 and (proposal := answer.json()["proposal"]) is not None:
                self.seen.proposed.append((code, proposal["number"]))
            elif answer.status_code not in (200, 409):
                self._mind(answer, "proposal")

    async def _answer(self, client: httpx.AsyncClient, code: str, headers: dict[str, str], number: int) -> None:
        """Answer a question, again until there is a response. If it is closed by then, its result is not known."""
        wanted = {"proposal": number, "agree": self.lot.random() < AGREES}
        while self.going:
            address = f"{self.group.any_origin(self.lot)}/api/v1/tables/{code}/answers"
            with contextlib.suppress(httpx.TransportError):
                answer = await client.post(address, headers=headers, json=wanted)
                if answer.status_code == 200:
                    self.seen.answered.append((code, number, bool(wanted["agree"])))
                    return
                if answer.status_code == 409:
                    return
                self._mind(answer, "answer")
            await sleep_through_async(AGAIN)

    def _note_failure(self, line: asyncio.Task[None]) -> None:
        """Note that a page's task ended by an exception: its table would wait for the page forever."""
        if not line.cancelled() and (wrong := line.exception()) is not None:
            self.seen.complaints.append(f"page: {wrong!r}")

    def _mind(self, answer: httpx.Response, what: str) -> None:
        if answer.status_code not in (503, 429):
            self.seen.complaints.append(f"{what}: {answer.status_code} {answer.text[:200]}")


class Page:
    """The open page of the second seat, as its script keeps it. It reconnects by itself and is never reloaded."""

    def __init__(self, table: Table, code: str, cookie: str) -> None:
        self.table = table
        self.code = code
        self.cookie = cookie
        self.version = 0
        self.page = ShownPage()
        self.lobby = ""
        self.status = ""
        self.over = False
        self._moved = self._asked = -1
        self._answered = ""
        self._line: Any = None

    async def run(self) -> None:
        tries = 0
        while True:
            origin = self.table.group.any_origin(self.table.lot)
            with contextlib.suppress(*LINE_DOWN):
                async with connect(
                    f"ws{origin.removeprefix('http')}/t/{self.code}/live",
                    additional_headers={"Cookie": f"facedown-guest={self.cookie}"},
                    origin=origin,  # type: ignore[arg-type]
                    open_timeout=10,
                    max_size=None,
                    ping_interval=None,
                ) as line:
                    tries = 0
                    self._line = line
                    self._moved, self._answered = -1, ""
                    await self._hello(line)
                    await self._say(line, type="ready", ready=True)
                    await self._listen(line)
            self.table.seen.reconnects += 1
            tries += 1
            await sleep_through_async(min(2.0, 0.2 * tries) * self.table.lot.uniform(0.8, 1.2))

    def cut(self) -> None:
        if self._line is not None:
            self._line.transport.abort()

    async def _listen(self, line: Any) -> None:
        while True:
            try:
                async with asyncio.timeout(5):
                    message = json.loads(await line.recv())
            except TimeoutError:
                # Like the page, which pings every 20 s and leaves a server that does not answer for long.
                await self._say(line, type="ping")
                async with asyncio.timeout(15):
                    message = json.loads(await line.recv())
            await self._read(line, message)

    async def _read(self, line: Any, message: dict[str, Any]) -> None:
        kind = message["type"]
        if kind in ("table", "lobby"):
            if kind == "table":
                self.page.take(message)
            else:
                self.lobby = message["html"]
            self.status, self.version = kind, message["version"]
            self.over = bool(message.get("over"))
            if kind == "table" and self.table.going:
                await self._act(line, message)
        elif kind == "review":
            # Meanwhile the coach reviews a finished match.
            if message.get("html") is not None and "coach" in self.page.sections:
                self.page.sections["coach"] = replace_content(self.page.sections["coach"], COACH, message["html"])
        elif kind == "error":
            if message["code"] == "conflict" and self.status == "table":
                # The move could not be saved. Try again a moment later.
                await sleep_through_async(AGAIN)
                self._moved, self._answered = -1, ""
                await self._hello(line)
            elif message["code"] in ("closed", "malformed", "forbidden"):
                self.table.seen.complaints.append(f"page: {message['code']} {message['reason']}")

    async def _act(self, line: Any, message: dict[str, Any]) -> None:
        """Move, answer a question, or ask one."""
        lot = self.table.lot
        answers = ANSWER.findall(self.page.sections.get("actions", ""))
        if message["yours"] and self._moved < self.version:
            self._moved = self.version
            self.table.seen.moves_of_pages += 1
            await self._say(line, type="move", action=lot.choice(actions_in(message["step"])), version=self.version)
        elif answers:
            if answers[0] != self._answered:
                self._answered = answers[0]
                yes, *no = sorted(map(json.loads, answers), key=lambda answer: not answer["agree"])
                if no:
                    await self._say(line, **(yes if lot.random() < AGREES else no[0]))
                elif lot.random() < WITHDRAWS:
                    # The player who asked has only this button.
                    await self._say(line, **yes)
        elif not message["yours"]:
            # A move may have been refused because of a question. When that is closed, the version is the same.
            self._moved = -1
            if not message["over"] and self._asked < self.version and lot.random() < ASKS:
                self._asked = self.version
                await self._say(line, type="propose", what="end" if lot.random() < ENDS else "take-back")

    async def _hello(self, line: Any) -> None:
        await self._say(line, type="hello", version=self.version if self.status == "table" else 0, sections=True)

    @staticmethod
    async def _say(line: Any, **message: Any) -> None:
        await line.send(json.dumps(message))

    @property
    def shown(self) -> str:
        return stable_html(self.page.html if self.status == "table" else self.lobby)

    async def reloaded(self, client: httpx.AsyncClient, origin: str) -> str:
        answer = await client.get(f"{origin}/t/{self.code}", headers={"Cookie": f"facedown-guest={self.cookie}"})
        found = re.search(r'<main id="app"[^>]*>(.*)</main>', answer.text, re.DOTALL)
        if answer.status_code != 200 or not found:
            return f"{answer.status_code}: {answer.text[:300]}"
        return stable_html(found[1])


def replace_content(html: str, box: str, inside: str) -> str:
    """Return a page with another content of the `div` whose first tag is `box`, if the page has this `div`."""
    before, found, after = html.partition(box)
    depth = 1
    for tag in re.finditer(r"<(/?)div\b", after):
        depth += -1 if tag[1] else 1
        if depth == 0:
            return before + found + inside + after[tag.start() :]
    return html


def stable_html(html: str) -> str:
    for passing in PASSING:
        html = passing.sub("", html)
    return html.strip()
