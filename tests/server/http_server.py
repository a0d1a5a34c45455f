"""A real server for tests: the application on a free port, in a thread, with clients that behave like browsers."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, Protocol, TypeVar

import pytest
import uvicorn
from httpx import Client
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from facedown.bots import rollout_search
from facedown.play import Session
from facedown.server.app import create_app
from facedown.server.http import cookie_check
from facedown.server.http.connection_limits import LimitedConfig
from facedown.server.http.per_client_limits import ConnectionLimits
from facedown.server.http.visitors import COOKIE
from facedown.server.main import open_listening_socket
from facedown.server.process import refusal_counts
from facedown.server.process.server_settings import ServerSettings
from facedown.server.table.room import Room
from facedown.server.table.room_registry import Rooms
from facedown.store import url_of
from tests.manual_clock import ClockLoop, ManualClock
from tests.play.table import LowBots
from tests.waiting import PATIENCE, wait_until

T = TypeVar("T")
#: Settings that raise every rate limit and connection limit, so that tests do not reach them.
HIGH_LIMITS: dict[str, Any] = dict.fromkeys(
    (
        *("connections_of_address", "sockets_of_address", "sockets_of_person", "sockets_of_person_at_table"),
        *("watchers_of_table", "polls_of_person", "polls_of_address", "frames_at_once", "messages_at_once"),
        *("hellos_at_once", "requests_at_once", "sockets_a_minute", "new_things_a_minute"),
        *("wrong_codes_at_once", "wrong_tokens_at_once"),
    ),
    10**6,
)
#: Makes visitors with separate cookies.
Visitor = Callable[[], Client]
#: Starts a server with given settings.
Serve = Callable[..., "Server"]
#: More worlds than a coach can try in a test.
ENDLESS_TRIES = 10**7
ONE_HAND = {"game": "reveal", "option-end": "hands", "option-end-hands-0": "1"}


class Server:
    """A running server."""

    def __init__(self, app: Any, listening: socket.socket, server: uvicorn.Server, clock: ManualClock) -> None:
        self.app = app
        self.clock = clock
        self.server = server
        self.listening = listening
        self.visitors = contextlib.ExitStack()
        port: int = listening.getsockname()[1]
        self.origin = f"http://127.0.0.1:{port}"
        self.port = port

    @property
    def loop(self) -> asyncio.AbstractEventLoop:
        """The event loop of the server, which runs in its own thread."""
        sweeper = self.rooms._sweeper
        assert sweeper is not None
        return sweeper.get_loop()

    @property
    def limits(self) -> ConnectionLimits:
        config = self.server.config
        assert isinstance(config, LimitedConfig)
        return config.limits

    @property
    def rooms(self) -> Rooms:
        rooms: Rooms = self.app.state.rooms
        return rooms

    def within(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine in the server's event loop and return its result."""
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result(PATIENCE)

    def call(self, function: Callable[..., object], *given: object) -> None:
        """Call a function in the server's event loop, without interruption."""

        async def called() -> None:
            function(*given)

        self.within(called())

    def room(self, url: str) -> Room:
        """Return the live table of an address or a code."""
        return self.within(self.rooms.room(code_of(url)))

    def session(self, url: str) -> Session:
        return self.room(url).session

    def advance(self, seconds: float) -> None:
        """Advance the server's clock. Its timers up to then fire at once."""
        assert isinstance(self.loop, ClockLoop), "timers of this event loop do not follow the clock"
        self.clock.advance(seconds)

    def client(self) -> Client:
        # The server uses no TLS, and loading the machine's certificates takes 18 ms for each client.
        headers = {"Origin": self.origin}
        return Client(base_url=self.origin, headers=headers, cookies=COOKIES_ACCEPTED, timeout=PATIENCE, verify=False)

    def client_of(self, token: str) -> Client:
        """Return another browser with the cookie of a person."""
        (client,) = self.guests(1)
        client.cookies.set(COOKIE, token)
        return client

    def guests(self, count: int) -> list[Client]:
        return [self.visitors.enter_context(self.client()) for _ in range(count)]


#: The cookie of a browser in which the cookie check has succeeded before.
COOKIES_ACCEPTED = {cookie_check.COOKIE: "kept"}


@contextlib.contextmanager
def serving(
    folder: Path | str, port: int = 0, clock: ManualClock | None = None, usual_loop: bool = False, **settings: Any
) -> Iterator[Server]:
    """Serve tables from the database in a folder until the block ends, at a free or a given port.

    The server uses a clock that the test can advance (`Server.advance`). With `usual_loop` it runs in the event loop of
    a real server, whose timers ignore that clock.
    """
    clock = clock or ManualClock()
    named: dict[str, Any] = {
        "bots": LowBots(),
        "bot_delay": 0.0,
        **HIGH_LIMITS,
        # A test may use its WebSockets one at a time, so the others can be silent for long.
        "silence": 3600.0,
        # Client and server share a process: a pause between connecting and sending a request may be the test's own.
        "head_timeout": 3600.0,
        "body_timeout": 3600.0,
        # On a busy machine a connection may be idle for long between two requests.
        "keep_alive": 3600,
        # A busy disk is slow but does not hang.
        "write_patience": 3600.0,
    } | settings
    app = create_app(ServerSettings(database=url_of(folder), **named), clock=clock)
    listening = open_listening_socket("127.0.0.1", port or None)
    more: dict[str, Any] = {"timeout_graceful_shutdown": 1, "log_config": None, "lifespan": "on"}
    server = uvicorn.Server(LimitedConfig(app, app.state.settings, clock, **more))

    def run() -> None:
        factory = server.config.get_loop_factory() if usual_loop else partial(ClockLoop, clock)
        with asyncio.Runner(loop_factory=factory) as runner:
            runner.run(server.serve(sockets=[listening]))

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        wait_until(lambda: server.started or not thread.is_alive())
        assert server.started, "the server did not start"
        running = Server(app, listening, server, clock)
        with running.visitors:
            yield running
    finally:
        server.should_exit = True
        # uvicorn sleeps 0.1 s before each of its two checks whether to stop.
        for _ in range(2):
            clock.advance(0.1)
            thread.join(0.02)
        thread.join(PATIENCE)
        listening.close()
        assert not thread.is_alive()


def module_server(
    start: Callable[..., contextlib.AbstractContextManager[Server]] = serving, **settings: Any
) -> Callable[..., Iterator[Server]]:
    """Make a fixture: one server with these settings for all tests of a file."""

    @pytest.fixture(scope="module")
    def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
        with start(tmp_path_factory.mktemp("data"), **settings) as server:
            yield server

    return running


def run_with_manual_clock(coroutine: Coroutine[Any, Any, T], clock: ManualClock | None = None) -> T:
    """Run a coroutine in a new event loop with a manual clock.

    It runs in a thread, because a browser's event loop may be running in this one.
    """

    def run() -> T:
        with asyncio.Runner(loop_factory=partial(ClockLoop, clock or ManualClock())) as runner:
            return runner.run(coroutine)

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(run).result()


@contextlib.contextmanager
def serving_endless_hints(folder: Path) -> Iterator[Server]:
    """Serve with a coach whose search has so many worlds that it never ends by itself."""
    with pytest.MonkeyPatch.context() as patch, serving(folder, hint_tries=ENDLESS_TRIES) as running:
        patch.setattr(rollout_search, "MOST_WORLDS", ENDLESS_TRIES // 20)
        patch.setattr(rollout_search, "BEHIND", float("inf"))
        yield running


def open_table(client: Client, *seats: str, name: str = "Ada", **fields: str) -> str:
    """Create a table of Detect by the form, without empty fields, and return its address."""
    form = {"game": "detect", "name": name, "seat-0": "you", "clock": "0", "spectators": "on"} | fields
    form |= {f"seat-{index}": kind for index, kind in enumerate(seats, 1)}
    answer = client.post("/tables", data={name: value for name, value in form.items() if value})
    assert answer.status_code == 303, answer.text
    return answer.headers["location"]


def code_of(url: str) -> str:
    return url.rsplit("/", 1)[-1]


def sit(client: Client, url: str, name: str = "Ben") -> None:
    assert client.post(f"{url}/sit", data={"name": name}).status_code == 303


def shared_table(ada: Client, ben: Client, *seats: str, **fields: str) -> str:
    """Create a table with Ada, Ben and these further seats, and return its address."""
    url = open_table(ada, "open", *seats, **fields)
    sit(ben, url)
    return url


def missing(text: str, *words: str) -> list[str]:
    """Return those words that a text does not contain."""
    return [each for each in words if each not in text]


def refusals(kind: str) -> int:
    return refusal_counts.refusal_counts_by_kind().get(kind, 0)


class Running(Protocol):
    """A running server, in this process or in a separate one."""

    origin: str
    port: int


class Live:
    """The WebSocket of one visitor at a table, used as the page's script does."""

    def __init__(
        self,
        server: Running,
        client: Client,
        url: str,
        origin: str = "",
        lang: str = "",
        sock: socket.socket | None = None,
        **headers: str,
    ) -> None:
        """Connect; further headers are given as keywords, such as `x_forwarded_for`."""
        self.url = url
        cookies = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
        named = {name: client.headers.get(name, "") for name in ("Accept-Language", "Authorization")}
        named |= {"Cookie": cookies, **{name.replace("_", "-"): value for name, value in headers.items()}}
        self._open = contextlib.ExitStack()
        self.socket: ClientConnection = connect(
            f"ws://127.0.0.1:{server.port}{url}/live{f'?lang={lang}' if lang else ''}",
            sock=sock,
            additional_headers={name: value for name, value in named.items() if value},
            origin=origin or server.origin,  # type: ignore[arg-type]
            open_timeout=PATIENCE,
            max_size=None,
            # Unread messages must not stop the client from answering pings: a test reads one WebSocket at a time.
            max_queue=None,
            # A test may compile for long without answering pings.
            ping_interval=None,
        )
        self._open.enter_context(self.socket)
        self.seen: list[dict[str, Any]] = []

    def __enter__(self) -> Live:
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def send(self, **message: Any) -> None:
        self.socket.send(json.dumps(message))

    def get(self, kind: str, **wanted: Any) -> dict[str, Any]:
        """Return the next message of a kind with these values, and skip others."""
        until = time.monotonic() + PATIENCE
        while True:
            message: dict[str, Any] = json.loads(self.socket.recv(timeout=max(0.0, until - time.monotonic())))
            self.seen.append(message)
            if message["type"] == kind and all(message.get(name) == value for name, value in wanted.items()):
                return message

    def hello(self, version: int = 0, kind: str = "table") -> dict[str, Any]:
        """Send hello and return the table or lobby that follows."""
        self.send(type="hello", version=version)
        return self.get(kind)

    def refusal(self, **message: Any) -> dict[str, Any]:
        """Send a message and return the error that follows."""
        self.send(**message)
        return self.get("error")

    def settle(self) -> None:
        """Wait until the server has answered everything sent before."""
        self.send(type="ping")
        self.get("pong")

    def move(self, message: dict[str, Any], last: bool = False) -> None:
        """Send the action at the end of the first (or last) touch path of a table."""
        self.send(type="move", action=action_in(message["step"], last), version=message["version"])

    def play(self, message: dict[str, Any], last: bool = False) -> dict[str, Any]:
        """Do the same and return the table after that move."""
        self.move(message, last)
        # Others may act at the same time. A page after the pong is rendered after this move.
        self.settle()
        return self.hello(message["version"])

    def to_the_end(self, message: dict[str, Any], last: bool = False) -> dict[str, Any]:
        """Play against bots until the match is over, and return the last table."""
        while not (message := self.until_yours(message))["over"]:
            self.move(message, last)
            message = self.beyond(message["version"])
        return message

    def until(self, holds: Callable[[dict[str, Any]], object], kind: str = "table") -> dict[str, Any]:
        """Return the next table or lobby for which a condition holds."""
        while not holds(message := self.get(kind)):
            pass
        return message

    def until_said(self, words: str, kind: str = "lobby") -> dict[str, Any]:
        """Return the next lobby or table with this announcement."""
        return self.until(lambda message: words in message["say"], kind)

    def until_shown(self, words: str, kind: str = "lobby") -> str:
        """Return the HTML of the next lobby or table that contains these words."""
        return str(self.until(lambda message: words in message["html"], kind)["html"])

    def kinds(self) -> list[str]:
        return [message["type"] for message in self.seen]

    def beyond(self, version: int) -> dict[str, Any]:
        """Return the next table with a later version."""
        return self.until(lambda message: message["version"] > version)

    def until_closed(self) -> int | None:
        """Read until the server closes the WebSocket, and return the close code."""
        until = time.monotonic() + PATIENCE
        try:
            while time.monotonic() < until:
                self.seen.append(json.loads(self.socket.recv(timeout=PATIENCE)))
        except ConnectionClosed as closed:
            return closed.rcvd and closed.rcvd.code
        raise AssertionError("the line was not closed")

    def until_yours(self, message: dict[str, Any]) -> dict[str, Any]:
        """Return the next table on which this visitor is to act, or the last one."""
        while not message["yours"] and not message["over"]:
            message = self.get("table")
        return message


@contextlib.contextmanager
def lobby(server: Any, url: str, *clients: Client) -> Iterator[list[Live]]:
    """Connect visitors to a lobby and send hello for each."""
    with contextlib.ExitStack() as stack:
        lives = [stack.enter_context(Live(server, client, url)) for client in clients]
        for live in lives:
            live.hello(kind="lobby")
        yield lives


def start_match(*lives: Live) -> list[dict[str, Any]]:
    """Send hello and ready for every player of a lobby, and return the first table of each."""
    for live in lives:
        live.hello(kind="lobby")
    for live in lives:
        live.send(type="ready", ready=True)
    return [live.get("table") for live in lives]


def play_on(lives: Sequence[Live], shown: list[dict[str, Any]], last: bool = False) -> list[dict[str, Any]]:
    """Play a move for the acting player, and return the next table of every player."""
    acting = next(at for at, message in enumerate(shown) if message["yours"])
    lives[acting].move(shown[acting], last)
    return [live.beyond(message["version"]) for live, message in zip(lives, shown, strict=True)]


def action_in(step: dict[str, Any], last: bool = False) -> int:
    """Return the action at the end of the first (or last) touch path."""
    found = actions_in(step)
    return found[-1 if last else 0]


def actions_in(step: dict[str, Any]) -> list[int]:
    found: list[int] = []
    for choice in step.get("choices", []):
        if choice.get("action") is not None:
            found.append(choice["action"])
        elif choice.get("then"):
            found += actions_in(choice["then"])
    return found


def token_of(client: Client) -> str:
    return client.cookies[COOKIE]


def finished(server: Server, client: Client, level: str = "", **fields: str) -> str:
    """Play a hand of Reveal or a game of Uncovered! to its end and return its address."""
    uncovered = "game" in fields
    url = open_table(client, level or ("high" if uncovered else "low"), **({} if uncovered else ONE_HAND), **fields)
    with Live(server, client, url) as live:
        live.to_the_end(live.hello(), last=uncovered)
    return url


def finished_two_player_match(server: Server, ada: Client, ben: Client) -> str:
    """Play a hand of Reveal between Ada and Ben to its end and return its address."""
    url = shared_table(ada, ben, **ONE_HAND)
    with lobby(server, url, ada, ben) as lines:
        shown = start_match(*lines)
        while not shown[0]["over"]:
            shown = play_on(lines, shown)
    return url


class Calls(Counter[str]):
    """Number of calls of functions by name."""

    def count(self, patch: pytest.MonkeyPatch, owner: Any, function: str, name: str = "") -> None:
        patch.setattr(owner, function, self.counting(getattr(owner, function), name or function))

    def counting(self, plain: Callable[..., Any], name: str) -> Callable[..., Any]:
        def counted(*given: Any, **named: Any) -> Any:
            self[name] += 1
            return plain(*given, **named)

        return counted
