"""Effect of a flood of requests from one address on another player, who plays against a casual bot.

``python scripts/flood_bystander_delay.py [SECONDS]`` starts a server on an empty SQLite database and measures how long
casual bots take to answer the player (the bystander): first without load, then while another address floods the server
with tables of master bots, moves, hints, reviews, score calculations, tables of bots only, and WebSocket connections.
Clients and server run on this machine; each client uses its own loopback address (127.0.0.x), so the server can tell
them apart.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import connect

FLOODER, BYSTANDER = "127.0.0.66", "127.0.0.7"
#: Seconds that bots pause before they move; the benchmark measures the delay beyond this pause.
PAUSE = 0.2
TABLES, SOCKETS = 40, 60


def free_port() -> int:
    """Return a TCP port that is not in use."""
    import socket

    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


class Api:
    """HTTP client with a source address of its own."""

    def __init__(self, port: int, address: str) -> None:
        self.address = address
        self.origin = f"http://127.0.0.1:{port}"
        transport = httpx.AsyncHTTPTransport(local_address=address, limits=httpx.Limits(max_connections=100))
        self.client = httpx.AsyncClient(
            base_url=self.origin,
            transport=transport,
            timeout=60,
            headers={"Origin": self.origin},
            cookies={"facedown-cookies": "kept"},
        )

    async def table(self, game: str, *seats: str, **more: Any) -> dict[str, Any]:
        """Create a table through the API and return the answer."""
        wanted = {"game": game, "name": "Eve", "seats": list(seats)} | more
        answer = await self.client.post("/api/v1/tables", json=wanted)
        answer.raise_for_status()
        found: dict[str, Any] = answer.json()
        return found


class Page:
    """A player in a browser with a WebSocket connection."""

    def __init__(self, api: Api) -> None:
        self.api = api
        self.url = ""

    async def open_table_and_connect(self, game: str, *bots: str) -> Any:
        """Create a table with the HTML form, and return a WebSocket connection to it."""
        form = {"game": game, "name": "Eve", "seat-0": "you", "clock": "0", "spectators": "on", "hints": "on"}
        form |= {f"seat-{at}": level for at, level in enumerate(bots, 1)}
        answer = await self.api.client.post("/tables", data=form)
        assert answer.status_code == 303, answer.text
        self.url = answer.headers["location"]
        return self.line()

    def line(self) -> Any:
        """Return another WebSocket connection to the same table."""
        cookies = "; ".join(f"{name}={value}" for name, value in self.api.client.cookies.items())
        where = self.api.origin.replace("http", "ws") + self.url + "/live"
        return connect(
            where,
            additional_headers={"Cookie": cookies},
            origin=self.api.origin,  # type: ignore[arg-type]
            local_addr=(self.api.address, 0),
            max_size=None,
        )


def first_action(step: dict[str, Any]) -> int:
    """Return the first action that a step of the table offers; −1 if it offers no action."""
    for choice in step.get("choices", []):
        if choice.get("action") is not None:
            return int(choice["action"])
        if choice.get("then"):
            found = first_action(choice["then"])
            if found >= 0:
                return found
    return -1


async def play_matches(api: Api, game: str, level: str, until: float, took: list[float], asks: bool = False) -> None:
    """Play matches against bots of a level until a time; append the duration of each of the bots' answers to `took`.

    With `asks`, a hint is requested before each move.
    """
    while time.monotonic() < until:
        page = Page(api)
        async with await page.open_table_and_connect(game, level) as line:
            await line.send(json.dumps({"type": "hello", "version": 0}))
            moved = 0.0
            async for text in line:
                message = json.loads(text)
                if message["type"] != "table":
                    continue
                if moved and (message["yours"] or message["over"]):
                    took.append(time.monotonic() - moved)
                    moved = 0.0
                if message["over"]:
                    await line.send(json.dumps({"type": "review", "seat": 1}))
                    break
                if time.monotonic() >= until:
                    break
                if message["yours"] and not moved:
                    if asks:
                        await line.send(json.dumps({"type": "hint"}))
                    move = {"type": "move", "action": first_action(message["step"]), "version": message["version"]}
                    await line.send(json.dumps(move))
                    moved = time.monotonic()


async def repeat_on_errors(call: Callable[[Api, float], Awaitable[None]], api: Api, until: float) -> None:
    """Repeat a call until a time, ignoring all errors."""
    while time.monotonic() < until:
        try:
            await call(api, until)
        except Exception:  # noqa: BLE001 (the flood continues after any error)
            await asyncio.sleep(0.2)


async def bots_alone(api: Api, until: float) -> None:
    """Create tables of master bots without players."""
    while time.monotonic() < until:
        await api.table("reveal", "master", "master")
        await asyncio.sleep(0.05)


async def request_slow_score_calculations(api: Api, until: float) -> None:
    """Request score calculations that take the server long."""
    while time.monotonic() < until:
        await api.client.post("/api/v1/score/uncovered", json={"seats": 4})
        await asyncio.sleep(0.02)


async def lines(api: Api, until: float) -> None:
    """Open eight WebSocket connections to one table and request whole pages on each of them."""
    page = Page(api)
    await page.open_table_and_connect("reveal", "master")
    async with contextlib.AsyncExitStack() as held:
        opened = []
        for _ in range(8):
            opened.append(await held.enter_async_context(page.line()))
        while time.monotonic() < until:
            for line in opened:
                await line.send(json.dumps({"type": "hello", "version": 0}))
            await asyncio.sleep(0.1)


async def flood(port: int, until: float) -> None:
    """Run all kinds of load from one address."""
    work: list[Any] = []
    masters: list[float] = []
    for at in range(TABLES):
        api = Api(port, FLOODER)
        game = ("reveal", "detect", "reveille", "scout", "uncovered")[at % 5]
        work.append(flood_with_master_matches_and_hints(api, game, until, masters))
    work += [repeat_on_errors(bots_alone, Api(port, FLOODER), until) for _ in range(3)]
    work += [repeat_on_errors(request_slow_score_calculations, Api(port, FLOODER), until) for _ in range(3)]
    work += [repeat_on_errors(lines, Api(port, FLOODER), until) for _ in range(SOCKETS // 8)]
    await asyncio.gather(*work)
    print(delay_beyond_pause_text("masters of the flood", masters), flush=True)


async def flood_with_master_matches_and_hints(api: Api, game: str, until: float, took: list[float]) -> None:
    """Play against master bots and request hints until a time, ignoring all errors."""
    while time.monotonic() < until:
        try:
            await play_matches(api, game, "master", until, took, asks=True)
        except Exception:  # noqa: BLE001 (the flood continues after any error)
            await asyncio.sleep(0.2)


def delay_beyond_pause_text(name: str, took: list[float]) -> str:
    """Return percentiles of the delays beyond the bots' pause as text."""
    # An answer before the end of the pause is not a bot's move: the player's own turn continues.
    late = sorted(each - PAUSE for each in took if each >= PAUSE)
    if len(late) < 2:
        return f"{name}: too few answers ({len(late)})"
    p50, p95, p99 = (late[round(part * (len(late) - 1))] for part in (0.5, 0.95, 0.99))
    return f"{name}: {len(late)} answers, later than their pause by p50 {p50:.3f}, p95 {p95:.3f}, p99 {p99:.3f} s"


async def measure(port: int, seconds: float) -> None:
    """Measure the bystander's delays without and with the flood."""
    bystander = Api(port, BYSTANDER)
    # Load and compile the rules before the measurement.
    await play_matches(bystander, "reveal", "casual", time.monotonic() + 15, [])
    quiet: list[float] = []
    await play_matches(bystander, "reveal", "casual", time.monotonic() + seconds, quiet)
    print(delay_beyond_pause_text("alone", quiet), flush=True)
    until = time.monotonic() + seconds + 5
    flooding = asyncio.create_task(flood_in_process(port, seconds + 5))
    await asyncio.sleep(5)
    flooded: list[float] = []
    await play_matches(bystander, "reveal", "casual", until, flooded)
    print(delay_beyond_pause_text("flooded", flooded), flush=True)
    await flooding


async def flood_in_process(port: int, seconds: float) -> None:
    """Run the flood in a separate process, so that it does not slow down the client that measures."""
    process = await asyncio.create_subprocess_exec(sys.executable, __file__, "--flood", str(port), str(seconds))
    await process.wait()


def main() -> None:
    """Run the benchmark, or, with ``--flood``, the flood in its own process."""
    if "--flood" in sys.argv:
        port, seconds = int(sys.argv[2]), float(sys.argv[3])
        asyncio.run(flood(port, time.monotonic() + seconds))
        return
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 30.0
    with tempfile.TemporaryDirectory() as folder:
        port = free_port()
        command = [sys.executable, "-m", "facedown", "serve", "--port", str(port), "--data", folder, "--no-browser"]
        # The limits on requests are raised, because the benchmark measures the load of thinking bots.
        wide = {"NEW_THINGS_A_MINUTE": "6000", "REQUESTS_A_SECOND": "6000", "REQUESTS_AT_ONCE": "6000"}
        wide |= {"SOCKETS_A_MINUTE": "6000"}
        environment = os.environ | {f"FACEDOWN_{name}": value for name, value in wide.items()}
        with Path(folder, "log").open("w") as log:
            server = subprocess.Popen(
                [*command, "--bot-delay", str(PAUSE)], env=environment, stdout=log, stderr=subprocess.STDOUT
            )
            try:
                wait_for(port)
                asyncio.run(measure(port, seconds))
            finally:
                server.terminate()
                server.wait(20)


def wait_for(port: int) -> None:
    """Wait until the server answers."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        with contextlib.suppress(httpx.TransportError):
            if httpx.get(f"http://127.0.0.1:{port}/health").status_code == 200:
                return
        time.sleep(0.1)
    raise SystemExit("the server did not start")


if __name__ == "__main__":
    main()
