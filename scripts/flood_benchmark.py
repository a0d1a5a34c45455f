"""What a flood from one address does to a bystander: a person who plays against a casual bot.

``python scripts/flood_benchmark.py [SECONDS]`` starts a server of its own on an empty SQLite file and measures how long
casual bots take to answer a bystander, first alone, then while another address floods the server with tables of
masters, moves there, hints, looks back, sums, tables of bots alone and live lines. Client and server share this
machine. Both use addresses of this machine (127.0.0.x), so that the server tells them apart as it would anybody.
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
#: Bots pause so long before they act: what is measured is how much later than that they are.
PAUSE = 0.2
TABLES, SOCKETS = 40, 60


def free_port() -> int:
    """A port that nobody listens on."""
    import socket

    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


class Api:
    """A program's way to the server from an address of its own."""

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
        """A new table."""
        wanted = {"game": game, "name": "Eve", "seats": list(seats)} | more
        answer = await self.client.post("/api/v1/tables", json=wanted)
        answer.raise_for_status()
        found: dict[str, Any] = answer.json()
        return found


class Page:
    """A person with a browser's live line."""

    def __init__(self, api: Api) -> None:
        self.api = api
        self.url = ""

    async def open(self, game: str, *bots: str) -> Any:
        """Make a table by the form, and open its line."""
        form = {"game": game, "name": "Eve", "seat-0": "you", "clock": "0", "spectators": "on", "hints": "on"}
        form |= {f"seat-{at}": level for at, level in enumerate(bots, 1)}
        answer = await self.api.client.post("/tables", data=form)
        assert answer.status_code == 303, answer.text
        self.url = answer.headers["location"]
        return self.line()

    def line(self) -> Any:
        """One more live line to the same table."""
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
    """The first action that a table offers."""
    for choice in step.get("choices", []):
        if choice.get("action") is not None:
            return int(choice["action"])
        if choice.get("then"):
            found = first_action(choice["then"])
            if found >= 0:
                return found
    return -1


async def play_matches(api: Api, game: str, level: str, until: float, took: list[float], asks: bool = False) -> None:
    """One person against bots of a level until a time; `took` receives how long each of their answers took."""
    while time.monotonic() < until:
        page = Page(api)
        async with await page.open(game, level) as line:
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
    """Go on whatever the server says to it."""
    while time.monotonic() < until:
        try:
            await call(api, until)
        except Exception:  # noqa: BLE001 (a flood does not care)
            await asyncio.sleep(0.2)


async def bots_alone(api: Api, until: float) -> None:
    """Tables of masters among themselves."""
    while time.monotonic() < until:
        await api.table("reveal", "master", "master")
        await asyncio.sleep(0.05)


async def sums(api: Api, until: float) -> None:
    """Sums that are hard."""
    while time.monotonic() < until:
        await api.client.post("/api/v1/score/uncovered", json={"seats": 4})
        await asyncio.sleep(0.02)


async def lines(api: Api, until: float) -> None:
    """One table, and as many live lines as may be, each of which asks for whole pages."""
    page = Page(api)
    await page.open("reveal", "master")
    async with contextlib.AsyncExitStack() as held:
        opened = []
        for _ in range(8):
            opened.append(await held.enter_async_context(page.line()))
        while time.monotonic() < until:
            for line in opened:
                await line.send(json.dumps({"type": "hello", "version": 0}))
            await asyncio.sleep(0.1)


async def flood(port: int, until: float) -> None:
    """Everything that one address can think of."""
    work: list[Any] = []
    masters: list[float] = []
    for at in range(TABLES):
        api = Api(port, FLOODER)
        game = ("reveal", "detect", "reveille", "scout", "uncovered")[at % 5]
        work.append(play_on_after_errors(api, game, until, masters))
    work += [repeat_on_errors(bots_alone, Api(port, FLOODER), until) for _ in range(3)]
    work += [repeat_on_errors(sums, Api(port, FLOODER), until) for _ in range(3)]
    work += [repeat_on_errors(lines, Api(port, FLOODER), until) for _ in range(SOCKETS // 8)]
    await asyncio.gather(*work)
    print(latency_text("masters of the flood", masters), flush=True)


async def play_on_after_errors(api: Api, game: str, until: float, took: list[float]) -> None:
    """Plays on against masters and asks for hints, whatever the server says."""
    while time.monotonic() < until:
        try:
            await play_matches(api, game, "master", until, took, asks=True)
        except Exception:  # noqa: BLE001 (a flood does not care)
            await asyncio.sleep(0.2)


def latency_text(name: str, took: list[float]) -> str:
    """The figures of one run."""
    # What came before the pause was over was no bot's doing: a turn of several moves goes on.
    late = sorted(each - PAUSE for each in took if each >= PAUSE)
    if len(late) < 2:
        return f"{name}: too few answers ({len(late)})"
    p50, p95, p99 = (late[round(part * (len(late) - 1))] for part in (0.5, 0.95, 0.99))
    return f"{name}: {len(late)} answers, later than their pause by p50 {p50:.3f}, p95 {p95:.3f}, p99 {p99:.3f} s"


async def measure(port: int, seconds: float) -> None:
    """Both runs."""
    bystander = Api(port, BYSTANDER)
    # Rules are loaded and compiled before anything counts.
    await play_matches(bystander, "reveal", "casual", time.monotonic() + 15, [])
    quiet: list[float] = []
    await play_matches(bystander, "reveal", "casual", time.monotonic() + seconds, quiet)
    print(latency_text("alone", quiet), flush=True)
    until = time.monotonic() + seconds + 5
    flooding = asyncio.create_task(flood_in_process(port, seconds + 5))
    await asyncio.sleep(5)
    flooded: list[float] = []
    await play_matches(bystander, "reveal", "casual", until, flooded)
    print(latency_text("flooded", flooded), flush=True)
    await flooding


async def flood_in_process(port: int, seconds: float) -> None:
    """The flood in a process of its own: what is measured is the server, not the client's loop."""
    process = await asyncio.create_subprocess_exec(sys.executable, __file__, "--flood", str(port), str(seconds))
    await process.wait()


def main() -> None:
    """Measure."""
    if "--flood" in sys.argv:
        port, seconds = int(sys.argv[2]), float(sys.argv[3])
        asyncio.run(flood(port, time.monotonic() + seconds))
        return
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 30.0
    with tempfile.TemporaryDirectory() as folder:
        port = free_port()
        command = [sys.executable, "-m", "facedown", "serve", "--port", str(port), "--data", folder, "--no-browser"]
        # The limits of requests are wide: what is measured is what thinking does.
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
