"""A page drawn from a match without a server: a position stands at once at any size.

Other messages can be sent to it. Motion, time and style are those of a real page; the line to the server is a stand-in.
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
#: Gives a page `__scene()`, which tells one setting of the table from another.
SCENE = Path(__file__).with_name("scene.js").read_text(encoding="utf-8")
#: Looks at every frame of a table; what is wrong is in `__watch.faults`.
WATCH = SCENE + Path(__file__).with_name("watch.js").read_text(encoding="utf-8")
#: Whether the line of this number need not be opened any longer, and says so of all lines up to a number.
SETTLED = "(number) => window.__settled >= number"
SETTLE = "(number) => { window.__settled = number; }"
#: A line that is up: each hello and each ping has an answer at once.
ANSWERED = """const send = WebSocket.prototype.send;
WebSocket.prototype.send = function (text) {
  send.call(this, text);
  const { type } = JSON.parse(text);
  const pong = new MessageEvent('message', { data: '{"type": "pong"}' });
  if (!window.__dead && ['hello', 'ping'].includes(type)) queueMicrotask(() => this.dispatchEvent(pong));
};"""
#: Sizes of windows: phones from the smallest to the usual one, and a desk.
PHONES = ((320, 640), (360, 740), (390, 844))
PHONE, DESK = PHONES[-1], (1440, 900)
#: What of the hand, the words and the buttons is not whole in the window.
BEYOND = """() => [...document.querySelectorAll(
    ".hand-area .piece:not(.k-gap), .you-area .piece, #actions .button, #prompt-words")]
  .filter((e) => e.checkVisibility({ visibilityProperty: true }))
  .map((e) => [e.id || e.textContent.trim(), e.getBoundingClientRect()])
  .filter(([, r]) => r.left < -1 || r.top < 0 || r.right > innerWidth + 1 || r.bottom > innerHeight + 1)
  .map(([name, r]) => `${name}: ${[r.left, r.top, r.right, r.bottom].map(Math.round)}`)
  .concat(document.documentElement.scrollHeight > innerHeight + 1 ? ["the page scrolls"] : [])"""
NAMES = ("Ada", "Mara", "Juniper", "Ravi", "Noor", "Wren", "Sol", "Theo")


def sitters(seats: int, turn: int | None = None) -> tuple[Sitter, ...]:
    """People with names, one for each seat; with a `turn`, awkward ones."""
    if turn is not None:
        return awkward_sitters(seats, turn)
    return tuple(Sitter(name) for name in NAMES[:seats])


def played(game: str, seats: int, until: Callable[[Match], bool], **options: str) -> Match:
    """A match played at random, always the same, until a position of a kind has come."""
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
    """The table as one viewer sees it."""
    names = sitters(match.seats, turn)
    return match.table(viewer, names, memory).with_log(match.log(viewer, names))


def table_message(
    match: Match, viewer: int = 0, memory: bool = False, turn: int | None = None, **about: Any
) -> dict[str, Any]:
    """The live message with the whole table for one viewer."""
    table = table_of(match, viewer, memory, turn)
    return page_message(table, rendering.TableContext(code=CODE, **about), version=match.ply)


def page_message(table: Table, context: rendering.TableContext, version: int) -> dict[str, Any]:
    """The live message with all sections of a page, and with the whole of it."""
    page = rendering.TablePage(table, context)
    return page.message(version=version) | page.message_since({}, version=version)


def replay_message(match: Match, ply: int, eyes: int = 0) -> dict[str, Any]:
    """One moment of a finished match."""
    replay = Replay(match, sitters(match.seats), eyes)
    return rendering.replay_message(replay.table(ply), replay.moment_at(ply, CODE, None if eyes == SPECTATOR else eyes))


def resize(page: Page, size: tuple[int, int]) -> None:
    """Give the window another size, and wait until everything is laid out anew and lies still."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    # The window has its new size before anything in it is laid out anew.
    wait_for_frames(page)
    page.wait_for_function(PAGE_AT_REST)


class Drawn(Window):
    """A window of a size in which positions are drawn."""

    def __init__(self, browser: Browser, width: int = 0, height: int = 0, **window: Any) -> None:
        """Open it, of a width and a height or as `people.Window` has it."""
        self.context = browser.new_context(**{"viewport": {"width": width, "height": height}} | window)
        # A window of the browser opens pages as the browser itself does.
        super().__init__(cast(Browser, self.context))
        self._shown: dict[str, str] = {}
        """The sections that were sent last."""
        self.sent: list[dict[str, Any]] = []
        self.slow = False
        """While this is true, a line that the page asks for is being opened: `answer`, or `hang_up`."""
        self.pings = 0
        """So often the page has asked whether the server is there.

        That is answered inside of the page, however fast its clock is turned, until the line is `dead`.
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
        """From now on nothing that the page sends is answered, not even a ping; or it is again."""
        self.page.evaluate("(dead) => { window.__dead = dead; }", dead)

    def open(self, message: dict[str, Any], game: str, *, hints: bool = False) -> Page:
        """A page that begins with a message."""
        shell = rendering.Shell("Ada")
        if message["type"] == "replay":
            self._html = rendering.replay_page(shell, message, game=game, code=CODE)
        else:
            self._html = rendering.table_page(shell, message, game=game, code=CODE, hints=hints)
        self.page.goto(f"{ADDRESS}/")
        return self.page

    def table(self, match: Match, viewer: int = 0, memory: bool = False, turn: int | None = None, **about: Any) -> Page:
        """The table of a match as one viewer sees it."""
        return self.open(
            table_message(match, viewer, memory, turn, **about), match.game.info.name, hints=about.get("hints", False)
        )

    def replay(self, match: Match, ply: int, eyes: int = 0) -> Page:
        """A moment of a finished match."""
        return self.open(replay_message(match, ply, eyes), match.game.info.name)

    def send(self, message: dict[str, Any]) -> None:
        """What the server would send next."""
        message = {name: value for name, value in message.items() if name != "html" or "sections" not in message}
        if "sections" in message:
            message["sections"], self._shown = self._news(message["sections"]), message["sections"]
        self._sockets[-1].send(json.dumps(message))

    def _news(self, sections: dict[str, str]) -> dict[str, str]:
        """The sections that the page does not show."""
        return {name: html for name, html in sections.items() if self._shown.get(name) != html}

    def shown(self) -> None:
        """Wait until everything that was sent is on the page: it is brought there in two frames, whenever they come."""
        wait_for_frames(self.page)

    def moves(self) -> list[int]:
        """The moves that the page has sent, once there is one."""
        wait_for_events(self.page, lambda: any(message["type"] == "move" for message in self.sent))
        # A second one would come with it.
        wait_for_frames(self.page)
        return [message["action"] for message in self.sent if message["type"] == "move"]

    def hang_up(self) -> None:
        """The line that is being opened drops; the next one is being opened for as long as nobody answers."""
        self._sockets[-1].close()
        self.page.evaluate(SETTLE, len(self._sockets))

    def answer(self) -> None:
        """A line that is being opened is open."""
        self.slow = False
        self.page.evaluate(SETTLE, len(self._sockets))
        wait_for_events(self.page, lambda: not self._opening)

    def resize(self, size: tuple[int, int]) -> None:
        """Give the window another size, and wait until everything lies still."""
        resize(self.page, size)

    def close(self) -> None:
        self.context.close()
