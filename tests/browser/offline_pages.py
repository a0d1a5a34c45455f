"""A page of a match without a server, for any position at any window size.

The test sends further messages. Motion, time and style are real. The connection to the server is simulated.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

from playwright.sync_api import Browser, Page

from facedown.check.page_layout import ADDRESS, PAGE_AT_REST, Window
from facedown.core.match import Match
from facedown.core.state import SPECTATOR
from facedown.core.table import Sitter, Table
from facedown.server import rendering
from facedown.server.rendering.replay import Replay
from tests.awkward_names import awkward_sitters
from tests.browser.page_time import wait_for_events, wait_for_frames

CODE = "K7QM"
#: Defines `__scene()`, a key that changes when the table gets another arrangement.
SCENE = Path(__file__).with_name("layout_key.js").read_text(encoding="utf-8")
#: Checks every frame of a table. Problems are in `__watch.faults`.
WATCH = SCENE + Path(__file__).with_name("frame_watcher.js").read_text(encoding="utf-8")
#: `SETTLED`: whether connection `number` may finish opening. `SETTLE`: let connections up to `number` finish opening.
SETTLED = "(number) => window.__settled >= number"
SETTLE = "(number) => { window.__settled = number; }"
#: A live connection: answers each hello and each ping at once.
ANSWERED = """const send = WebSocket.prototype.send;
WebSocket.prototype.send = function (text) {
  send.call(this, text);
  const { type } = JSON.parse(text);
  const pong = new MessageEvent('message', { data: '{"type": "pong"}' });
  if (!window.__dead && ['hello', 'ping'].includes(type)) queueMicrotask(() => this.dispatchEvent(pong));
};"""
#: Window sizes: three phones, smallest first, and a desktop.
PHONES = ((320, 640), (360, 740), (390, 844))
PHONE, DESK = PHONES[-1], (1440, 900)
#: Parts of the hand, the prompt and the buttons that are not completely in the window, and whether the page scrolls.
BEYOND = """() => [...document.querySelectorAll(
    ".hand-area .piece:not(.k-gap), .you-area .piece, #actions .button, #prompt-words")]
  .filter((e) => e.checkVisibility({ visibilityProperty: true }))
  .map((e) => [e.id || e.textContent.trim(), e.getBoundingClientRect()])
  .filter(([, r]) => r.left < -1 || r.top < 0 || r.right > innerWidth + 1 || r.bottom > innerHeight + 1)
  .map(([name, r]) => `${name}: ${[r.left, r.top, r.right, r.bottom].map(Math.round)}`)
  .concat(document.documentElement.scrollHeight > innerHeight + 1 ? ["the page scrolls"] : [])"""
NAMES = ("Ada", "Mara", "Juniper", "Ravi", "Noor", "Wren", "Sol", "Theo")


def sitters(seats: int, turn: int | None = None) -> tuple[Sitter, ...]:
    """Return named players, one for each seat. With `turn`, their names are awkward ones, starting at that one."""
    if turn is not None:
        return awkward_sitters(seats, turn)
    return tuple(Sitter(name) for name in NAMES[:seats])


def played(game: str, seats: int, until: Callable[[Match], bool], **options: str) -> Match:
    """Return a match played at random until a condition holds. The match is the same every time."""
    for number in range(7, 40):
        match = Match(game, seats, options, seed=number.to_bytes(32, "big"))
        chance = random.Random(number)
        while not until(match) and not match.over:
            seat = chance.choice(match.acting)
            match.play(seat, chance.choice(match.legal(seat)))
        if until(match):
            return match
    raise AssertionError(f"no such position in many matches of {game}")


def table_of(match: Match, viewer: int = 0, memory: bool = False, turn: int | None = None) -> Table:
    """Return the table as one viewer sees it."""
    names = sitters(match.seats, turn)
    return match.table(viewer, names, memory).with_log(match.log(viewer, names))


def table_message(
    match: Match, viewer: int = 0, memory: bool = False, turn: int | None = None, **about: Any
) -> dict[str, Any]:
    """Return the live message with the whole table for one viewer."""
    table = table_of(match, viewer, memory, turn)
    return page_message(table, rendering.TableContext(code=CODE, **about), version=match.ply)


def page_message(table: Table, context: rendering.TableContext, version: int) -> dict[str, Any]:
    """Return a live message with all sections of a page and also with the whole page."""
    page = rendering.TablePage(table, context)
    return page.whole_page_message(version=version) | page.page_update_message({}, version=version)


def replay_message(match: Match, ply: int, eyes: int = 0) -> dict[str, Any]:
    """Return the message of one moment of a finished match, as seat `eyes` saw it."""
    replay = Replay(match, sitters(match.seats), eyes)
    return rendering.replay_message(
        replay.static_table_after(ply), replay.moment_at(ply, CODE, None if eyes == SPECTATOR else eyes)
    )


def resize(page: Page, size: tuple[int, int]) -> None:
    """Resize the window and wait until its layout is done and nothing moves."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    # The window changes its size before its content is laid out again.
    wait_for_frames(page)
    page.wait_for_function(PAGE_AT_REST)


class Drawn(Window):
    """A window that shows positions without a server."""

    def __init__(self, browser: Browser, width: int = 0, height: int = 0, **window: Any) -> None:
        """Open a window of a width and a height, or with the options of `players.Window`."""
        self.context = browser.new_context(**{"viewport": {"width": width, "height": height}} | window)
        # A browser context opens pages as the browser itself does.
        super().__init__(cast(Browser, self.context))
        self._shown: dict[str, str] = {}
        """Sections that were sent last."""
        self.sent: list[dict[str, Any]] = []
        self.slow = False
        """While true, a connection that the page opens stays in the opening state until `answer` or `hang_up`."""
        self.pings = 0
        """Number of pings that the page has sent.

        Pings are answered inside the page, however fast its clock runs, until the connection is `dead`.
        """
        self._opening = 0
        self._sockets: list[Any] = []
        self.page.route_web_socket("**/*", self._connect)
        self.page.add_init_script(ANSWERED)

    def _connect(self, socket: Any) -> None:
        socket.on_message(lambda text: self._hear(json.loads(text)))
        self._sockets.append(socket)
        self._opening += 1
        if self.slow:
            self.page.wait_for_function(SETTLED, arg=len(self._sockets))
        self._opening -= 1

    def _hear(self, message: dict[str, Any]) -> None:
        if message["type"] == "ping":
            self.pings += 1
        else:
            self.sent.append(message)

    def dead(self, dead: bool = True) -> None:
        """Stop answering everything that the page sends, pings included. With False, answer again."""
        self.page.evaluate("(dead) => { window.__dead = dead; }", dead)

    def open(self, message: dict[str, Any], game: str, *, hints: bool = False) -> Page:
        """Open a page that starts with a message."""
        shell = rendering.Shell("Ada")
        if message["type"] == "replay":
            self._html = rendering.replay_page(shell, message, game=game, code=CODE)
        else:
            self._html = rendering.table_page(shell, message, game=game, code=CODE, hints=hints)
        self.page.goto(f"{ADDRESS}/")
        return self.page

    def table(self, match: Match, viewer: int = 0, memory: bool = False, turn: int | None = None, **about: Any) -> Page:
        """Open the table of a match as one viewer sees it."""
        return self.open(
            table_message(match, viewer, memory, turn, **about), match.game.info.name, hints=about.get("hints", False)
        )

    def replay(self, match: Match, ply: int, eyes: int = 0) -> Page:
        """Open a moment of a finished match."""
        return self.open(replay_message(match, ply, eyes), match.game.info.name)

    def send(self, message: dict[str, Any]) -> None:
        """Send the page a message with only those sections that have changed."""
        message = {name: value for name, value in message.items() if name != "html" or "sections" not in message}
        if "sections" in message:
            message["sections"], self._shown = self._news(message["sections"]), message["sections"]
        self._sockets[-1].send(json.dumps(message))

    def _news(self, sections: dict[str, str]) -> dict[str, str]:
        """Return the sections that the page does not show yet."""
        return {name: html for name, html in sections.items() if self._shown.get(name) != html}

    def shown(self) -> None:
        """Wait until everything sent is on the page, which takes two frames."""
        wait_for_frames(self.page)

    def moves(self) -> list[int]:
        """Wait for a move and return all moves that the page has sent."""
        wait_for_events(self.page, lambda: any(message["type"] == "move" for message in self.sent))
        # A second move would follow at once.
        wait_for_frames(self.page)
        return [message["action"] for message in self.sent if message["type"] == "move"]

    def hang_up(self) -> None:
        """Drop the connection that is being opened. The next one stays in the opening state."""
        self._sockets[-1].close()
        self.page.evaluate(SETTLE, len(self._sockets))

    def answer(self) -> None:
        """Finish opening the connection."""
        self.slow = False
        self.page.evaluate(SETTLE, len(self._sockets))
        wait_for_events(self.page, lambda: not self._opening)

    def resize(self, size: tuple[int, int]) -> None:
        """Resize the window and wait until nothing moves."""
        resize(self.page, size)

    def close(self) -> None:
        self.context.close()
