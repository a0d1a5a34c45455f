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
from facedown.server.http.request_limits import ConnectionLimits
from facedown.server.http.visitors import COOKIE
from facedown.server.main import listen
from facedown.server.process import refusal_counts
from facedown.server.process.settings import ServerSettings
from facedown.server.table.room import Room
from facedown.server.table.room_registry import Rooms
from facedown.store import url_of
from tests.manual_clock import ClockLoop, ManualClock
from tests.play.table import LowBots
from tests.waiting import PATIENCE, wait_until

T = TypeVar("T")
#: The settings of a server that is to be tried with as much as it can do: whatever is counted is many.
WIDE: dict[str, Any] = dict.fromkeys(
    (
        *("connections_of_address", "sockets_of_address", "sockets_of_person", "sockets_of_person_at_table"),
        *("watchers_of_table", "polls_of_person", "polls_of_address", "frames_at_once", "messages_at_once"),
        *("hellos_at_once", "requests_at_once", "sockets_a_minute", "new_things_a_minute"),
        *("wrong_codes_at_once", "wrong_tokens_at_once"),
    ),
    10**6,
)
#: Makes visitors, each with cookies of their own.
Visitor = Callable[[], Client]
#: Starts a server with some settings.
Serve = Callable[..., "Server"]
#: More worlds than a coach ever comes to the end of.
MANY = 10**7
ONE_HAND = {"game": "reveal", "option-end": "hands", "option-end-hands-0": "1"}


class Server:
    """A server that is running."""

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
        """The loop that the server runs in, in a thread of its own."""
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
        """What a coroutine comes to in the server's own loop."""
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result(PATIENCE)

    def call(self, function: Callable[..., object], *given: object) -> None:
        """Call a function in one step of the server's own loop."""

        async def called() -> None:
            function(*given)

        self.within(called())

    def room(self, url: str) -> Room:
        """The table at an address, or of a code."""
        return self.within(self.rooms.room(code_of(url)))

    def session(self, url: str) -> Session:
        return self.room(url).session

    def advance(self, seconds: float) -> None:
        """Turn the server's clock forward: whatever it waits for until then happens now."""
        assert isinstance(self.loop, ClockLoop), "timers of this event loop do not follow the clock"
        self.clock.advance(seconds)

    def client(self) -> Client:
        # The server speaks no TLS, and loading the machine's certificates takes a client 18 ms.
        headers = {"Origin": self.origin}
        return Client(base_url=self.origin, headers=headers, cookies=KEEPS, timeout=PATIENCE, verify=False)

    def client_of(self, token: str) -> Client:
        """Another browser with somebody's key."""
        (client,) = self.guests(1)
        client.cookies.set(COOKIE, token)
        return client

    def guests(self, count: int) -> list[Client]:
        return [self.visitors.enter_context(self.client()) for _ in range(count)]


#: A browser that keeps cookies, as an earlier form of it has found out.
KEEPS = {cookie_check.COOKIE: "kept"}


@contextlib.contextmanager
def serving(
    folder: Path | str, port: int = 0, clock: ManualClock | None = None, usual_loop: bool = False, **settings: Any
) -> Iterator[Server]:
    """Serve the table from a folder's database until the block ends, at a free port or one that was free before.

    The server goes by a clock that the test may turn (`Server.advance`). With `usual_loop` it runs in the event loop of
    a real server, whose timers do not follow that clock.
    """
    clock = clock or ManualClock()
    named: dict[str, Any] = {
        "bots": LowBots(),
        "bot_delay": 0.0,
        **WIDE,
        # Who plays for others reads and sends by one line at a time: the others are silent for as long as it takes.
        "silence": 3600.0,
        # Who asks shares a process with the server: whatever holds that up between opening a line and asking is theirs.
        "head_timeout": 3600.0,
        "body_timeout": 3600.0,
        # On a busy machine a connection may be idle for long between two questions.
        "keep_alive": 3600,
        # A disk that others keep busy is slow, and does not hang.
        "write_patience": 3600.0,
    } | settings
    app = create_app(ServerSettings(database=url_of(folder), **named), clock=clock)
    listening = listen("127.0.0.1", port or None)
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
        # uvicorn sleeps for a tenth of a second before it looks whether it is to end, and once more before it does.
        for _ in range(2):
            clock.advance(0.1)
            thread.join(0.02)
        thread.join(PATIENCE)
        listening.close()
        assert not thread.is_alive()


def module_server(
    start: Callable[..., contextlib.AbstractContextManager[Server]] = serving, **settings: Any
) -> Callable[..., Iterator[Server]]:
    """Make a fixture: a server with these settings for all tests of a file."""

    @pytest.fixture(scope="module")
    def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
        with start(tmp_path_factory.mktemp("data"), **settings) as server:
            yield server

    return running


def awaited(coroutine: Coroutine[Any, Any, T], clock: ManualClock | None = None) -> T:
    """Run a coroutine in a loop that goes by a clock, in a thread of its own: a browser's loop may run in this one."""

    def run() -> T:
        with asyncio.Runner(loop_factory=partial(ClockLoop, clock or ManualClock())) as runner:
            return runner.run(coroutine)

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(run).result()


@contextlib.contextmanager
def pondering(folder: Path) -> Iterator[Server]:
    """A server whose coach has a great many worlds to try, and never is sure enough of a move to end before."""
    with pytest.MonkeyPatch.context() as patch, serving(folder, hint_tries=MANY) as running:
        patch.setattr(rollout_search, "MOST_WORLDS", MANY // 20)
        patch.setattr(rollout_search, "BEHIND", float("inf"))
        yield running


def open_table(client: Client, *seats: str, name: str = "Ada", **fields: str) -> str:
    """Make a table of Detect by the form, without the fields that are empty; its address."""
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
    """Make a table at which both sit, with these seats besides; its address."""
    url = open_table(ada, "open", *seats, **fields)
    sit(ben, url)
    return url


def missing(text: str, *words: str) -> list[str]:
    """Which of these a text does not hold."""
    return [each for each in words if each not in text]


def refusals(kind: str) -> int:
    return refusal_counts.counts().get(kind, 0)


class Running(Protocol):
    """A server that is running, in this process or in one of its own."""

    origin: str
    port: int


class Live:
    """The live table of one visitor, as the page's script would use it."""

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
        """Other headers are named as keywords are: `x_forwarded_for`."""
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
            # Who plays through one line does not read the others: unread, they would stop to answer pings.
            max_queue=None,
            # A test may compile for long, and this thread of its own answers no pings meanwhile.
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
        """The next message of a kind, with these values; others are passed over."""
        until = time.monotonic() + PATIENCE
        while True:
            message: dict[str, Any] = json.loads(self.socket.recv(timeout=max(0.0, until - time.monotonic())))
            self.seen.append(message)
            if message["type"] == kind and all(message.get(name) == value for name, value in wanted.items()):
                return message

    def hello(self, version: int = 0, kind: str = "table") -> dict[str, Any]:
        """Say hello; the table or lobby that comes."""
        self.send(type="hello", version=version)
        return self.get(kind)

    def refusal(self, **message: Any) -> dict[str, Any]:
        """Send a message that is refused; the error."""
        self.send(**message)
        return self.get("error")

    def settle(self) -> None:
        """Wait until the server has answered whatever was sent before."""
        self.send(type="ping")
        self.get("pong")

    def move(self, message: dict[str, Any], last: bool = False) -> None:
        """Play the first (or last) path of touches that a table offers."""
        self.send(type="move", action=action_in(message["step"], last), version=message["version"])

    def play(self, message: dict[str, Any], last: bool = False) -> dict[str, Any]:
        """The same; the table as it stands then."""
        self.move(message, last)
        # Others may act at the same time: what comes after the pong was drawn after this move.
        self.settle()
        return self.hello(message["version"])

    def to_the_end(self, message: dict[str, Any], last: bool = False) -> dict[str, Any]:
        """Play against bots until the match is over; the last table."""
        while not (message := self.until_yours(message))["over"]:
            self.move(message, last)
            message = self.beyond(message["version"])
        return message

    def until(self, holds: Callable[[dict[str, Any]], object], kind: str = "table") -> dict[str, Any]:
        """The next table or lobby of which something is true."""
        while not holds(message := self.get(kind)):
            pass
        return message

    def until_said(self, words: str, kind: str = "lobby") -> dict[str, Any]:
        """The next lobby or table with which this is said."""
        return self.until(lambda message: words in message["say"], kind)

    def until_shown(self, words: str, kind: str = "lobby") -> str:
        """The next page of a lobby or table with these words on it."""
        return str(self.until(lambda message: words in message["html"], kind)["html"])

    def kinds(self) -> list[str]:
        return [message["type"] for message in self.seen]

    def beyond(self, version: int) -> dict[str, Any]:
        """The next table with a later version."""
        return self.until(lambda message: message["version"] > version)

    def until_closed(self) -> int | None:
        """Read on until the server closes the line; the code with which it does."""
        until = time.monotonic() + PATIENCE
        try:
            while time.monotonic() < until:
                self.seen.append(json.loads(self.socket.recv(timeout=PATIENCE)))
        except ConnectionClosed as closed:
            return closed.rcvd and closed.rcvd.code
        raise AssertionError("the line was not closed")

    def until_yours(self, message: dict[str, Any]) -> dict[str, Any]:
        """The next table on which this visitor is to act, or the last one."""
        while not message["yours"] and not message["over"]:
            message = self.get("table")
        return message


@contextlib.contextmanager
def lobby(server: Any, url: str, *clients: Client) -> Iterator[list[Live]]:
    """The pages of visitors to a lobby, each of which has said hello."""
    with contextlib.ExitStack() as stack:
        lives = [stack.enter_context(Live(server, client, url)) for client in clients]
        for live in lives:
            live.hello(kind="lobby")
        yield lives


def begun(*lives: Live) -> list[dict[str, Any]]:
    """All of a lobby say hello and that they are ready; the table that each is sent."""
    for live in lives:
        live.hello(kind="lobby")
    for live in lives:
        live.send(type="ready", ready=True)
    return [live.get("table") for live in lives]


def play_on(lives: Sequence[Live], shown: list[dict[str, Any]], last: bool = False) -> list[dict[str, Any]]:
    """Whoever is to act plays; the table that each is shown then."""
    acting = next(at for at, message in enumerate(shown) if message["yours"])
    lives[acting].move(shown[acting], last)
    return [live.beyond(message["version"]) for live, message in zip(lives, shown, strict=True)]


def action_in(step: dict[str, Any], last: bool = False) -> int:
    """The action at the end of the first (or last) path of touches."""
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
    """A hand of Reveal, or a game of Uncovered!, that was played to its end; its address."""
    uncovered = "game" in fields
    url = open_table(client, level or ("high" if uncovered else "low"), **({} if uncovered else ONE_HAND), **fields)
    with Live(server, client, url) as live:
        live.to_the_end(live.hello(), last=uncovered)
    return url


def ended(server: Server, ada: Client, ben: Client) -> str:
    """A hand of Reveal between Ada and Ben that is over; its address."""
    url = shared_table(ada, ben, **ONE_HAND)
    with lobby(server, url, ada, ben) as lines:
        shown = begun(*lines)
        while not shown[0]["over"]:
            shown = play_on(lines, shown)
    return url


class Calls(Counter[str]):
    """How often functions were called, by name."""

    def of(self, patch: pytest.MonkeyPatch, owner: Any, function: str, name: str = "") -> None:
        patch.setattr(owner, function, self.counting(getattr(owner, function), name or function))

    def counting(self, plain: Callable[..., Any], name: str) -> Callable[..., Any]:
        def counted(*given: Any, **named: Any) -> Any:
            self[name] += 1
            return plain(*given, **named)

        return counted
