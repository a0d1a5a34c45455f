"""Moves per second of one server process: ``python benchmarks/server_throughput.py [--against COMMIT]``.

There are N tables of two simulated players. Each player has a page of their own over a real WebSocket, compressed as
browsers request it. The server is a separate process with a new database. The players are tasks of this process and
move as soon as their page allows it.

The benchmark prints:

* moves per second of elapsed time;
* moves per second of the server's CPU time, which is steadier on a busy machine;
* the time from sending a move to receiving the other player's page (median and 95th percentile);
* the number of pages per move, and the CPU time of each. A busy server sends fewer pages, because a page shows only the
  newest state.

Every run measures the same number of moves, at the beginning of matches, so that hardly any match ends and the coach
reviews none of them meanwhile.

``--against`` runs the same players against the server at a commit as well, in turns, and prints how many times as many
moves the current version serves.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect

HERE = Path(__file__).resolve().parent.parent
PATIENCE = 120.0
#: Number of moves at each table before the measured ones.
BEGINNING = 4
#: Form for a new table without time limit, with two players.
FORM = {"spectators": "on", "clock": "0", "seat-0": "you", "seat-1": "open"}
#: Code that runs the server from the source tree in PYTHONPATH like `facedown serve`, with the limits per address
#: raised and without compiling other games. It prints the server's address. Then, for each line of input, it prints the
#: CPU seconds used.
SERVE = """
import inspect, sys, threading, time
try:
    from facedown.server.process import server_settings as settings
    from facedown.server.main import serve
except ImportError:  # Names of the modules in earlier versions.
    from facedown.server import settings
    from facedown.server.running import serve
made = settings.ServerSettings
free = dict(new_things_a_minute=1e9, messages_at_once=10**9, sockets_a_minute=1e9, warm_up=False)
settings.ServerSettings = lambda **given: made(**{**given, **free})
def tell():
    for _ in sys.stdin:
        print(time.process_time(), flush=True)
threading.Thread(target=tell, daemon=True).start()
if "settings" in inspect.signature(serve).parameters:
    from facedown.store import url_of
    serve(made(database=url_of(sys.argv[1]), port=0, **free), False)
else:
    serve("127.0.0.1", None, sys.argv[1], False, None)
"""


@dataclass
class Count:
    """Measurements of one run."""

    moves: int = 0
    delays: list[float] = field(default_factory=list)
    """Seconds from sending a move until it reaches the other player's page."""
    received: int = 0
    """Number of characters received by all pages."""
    pages: int = 0
    """Number of "table" messages received by all pages."""


@dataclass
class Rate:
    """Results of one run."""

    by_clock: float
    by_cpu: float
    median: float
    late: float
    characters: float
    """Characters received by all pages, per move."""
    pages: float
    """"table" messages received by all pages, per move; fewer on a busy server, because a page shows only the newest
    state."""


class Page:
    """The open page of one simulated player."""

    def __init__(self, line: ClientConnection, count: Count) -> None:
        self.line = line
        self.count = count
        self.version = 0
        self.waits: list[tuple[int, float]] = []
        """Moves of the other player that have not reached this page: pairs (version before the move, time of
        sending)."""
        self.other: Page = self

    async def send(self, **message: Any) -> None:
        """Send a message."""
        await self.line.send(json.dumps(message))

    async def play(self, lot: random.Random, running: asyncio.Event) -> None:
        """Play random legal moves until the match is over or `running` is cleared."""
        moved = -1
        while running.is_set():
            text = await self.line.recv()
            self.count.received += len(text)
            message = json.loads(text)
            if message["type"] == "error":
                if message["code"] != "stale":
                    raise RuntimeError(message["reason"])
                # Both players were asked to move at once, and the other one was first; an updated table follows.
                self.count.moves -= 1
                self.other.waits = self.other.waits[:-1]
                moved = -1
            if message["type"] != "table":
                continue
            self._record_table(message["version"])
            if message["over"]:
                return
            if message["yours"] and self.version > moved:
                moved = self.version
                self.other.waits.append((self.other.version, time.perf_counter()))
                self.count.moves += 1
                await self.send(type="move", action=lot.choice(actions_in(message["step"])), version=self.version)

    def _record_table(self, version: int) -> None:
        now = time.perf_counter()
        self.version = version
        self.count.pages += 1
        self.count.delays += [now - sent for before, sent in self.waits if version > before]
        self.waits = [(before, sent) for before, sent in self.waits if version <= before]


def actions_in(step: dict[str, Any]) -> list[int]:
    """Return the actions of all touch sequences of a step."""
    found: list[int] = []
    for choice in step.get("choices", []):
        if choice.get("action") is not None:
            found.append(choice["action"])
        elif choice.get("then"):
            found += actions_in(choice["then"])
    return found


async def play_at_table(origin: str, game: str, seed: int, count: Count, running: asyncio.Event) -> None:
    """Let two players play one match after another, each at a new table, until `running` is cleared."""
    lot = random.Random(seed)
    while running.is_set():
        async with contextlib.AsyncExitStack() as stack:
            clients = [
                await stack.enter_async_context(
                    httpx.AsyncClient(
                        base_url=origin,
                        headers={"Origin": origin},
                        cookies={"facedown-cookies": "kept"},
                        timeout=PATIENCE,
                    )
                )
                for _ in range(2)
            ]
            made = await clients[0].post("/tables", data=FORM | {"game": game, "name": "Ada"})
            url = made.headers["location"]
            await clients[1].post(f"{url}/sit", data={"name": "Ben"})
            pages = []
            for client in clients:
                cookies = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
                line = await stack.enter_async_context(
                    connect(
                        f"ws{origin.removeprefix('http')}{url}/live",
                        additional_headers={"Cookie": cookies},
                        origin=origin,  # type: ignore[arg-type]
                        max_size=None,
                        ping_interval=None,
                        open_timeout=PATIENCE,
                    )
                )
                pages.append(Page(line, count))
            pages[0].other, pages[1].other = pages[1], pages[0]
            for page in pages:
                await page.send(type="hello", version=0, sections=True, patches=True)
                await page.send(type="ready", ready=True)
            await asyncio.gather(*(page.play(lot, running) for page in pages))


@contextlib.contextmanager
def run_server(tree: Path) -> Iterator[tuple[str, Callable[[], float]]]:
    """Run the server from the source tree `tree` until the block ends.

    Yields its address, and a function that returns the CPU seconds that it has used.
    """
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(
            [sys.executable, "-c", SERVE, folder],
            env=os.environ | {"PYTHONPATH": str(tree / "src")},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert process.stdin is not None
        assert process.stdout is not None
        asked, told = process.stdin, process.stdout

        def used() -> float:
            print(file=asked, flush=True)
            return float(told.readline())

        try:
            origin = told.readline().split()[-1].rstrip("/")
            until = time.monotonic() + PATIENCE
            while True:
                with contextlib.suppress(httpx.TransportError):
                    httpx.get(f"{origin}/health")
                    break
                if process.poll() is not None or time.monotonic() > until:
                    raise RuntimeError(f"the server in {tree} did not start")
                time.sleep(0.05)
            yield origin, used
        finally:
            process.terminate()
            process.wait(PATIENCE)


async def measure_run(origin: str, used: Callable[[], float], game: str, tables: int, moves_each: int) -> Rate:
    """Measure `moves_each` moves at each of `tables` tables of two, after the first moves of each match."""
    count, running = Count(), asyncio.Event()
    running.set()
    tasks = [asyncio.create_task(play_at_table(origin, game, seed, count, running)) for seed in range(tables)]

    async def played(moves: int) -> None:
        """Wait until `moves` moves have been made at all tables together."""
        while count.moves < moves:
            await asyncio.wait(tasks, timeout=0.02, return_when=asyncio.FIRST_EXCEPTION)
            for task in tasks:
                if task.done():
                    task.result()

    # Now the rules are loaded and all players are seated.
    await played(BEGINNING * tables)
    before, characters, pages = count.moves, count.received, count.pages
    count.delays.clear()
    began, busy = time.perf_counter(), used()
    await played((BEGINNING + moves_each) * tables)
    took, busy = time.perf_counter() - began, used() - busy
    moves, characters, pages = count.moves - before, count.received - characters, count.pages - pages
    delays = sorted(count.delays)
    running.clear()
    for task in tasks:
        task.cancel()
    for found in await asyncio.gather(*tasks, return_exceptions=True):
        if isinstance(found, Exception):
            raise found
    return Rate(
        moves / took,
        moves / busy,
        statistics.median(delays),
        delays[int(0.95 * len(delays))],
        characters / moves,
        pages / moves,
    )


@contextlib.contextmanager
def checked_out(commit: str) -> Iterator[Path]:
    """Yield a temporary folder with the source tree at a commit; the browser bundle is linked from here if it is
    missing.
    """
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "before"
        tree.mkdir()
        archive = subprocess.run(["git", "archive", commit, "src"], cwd=HERE, check=True, capture_output=True).stdout
        subprocess.run(["tar", "-x"], cwd=tree, input=archive, check=True)
        built = Path("src/facedown/server/static/dist")
        if not (tree / built).exists():
            (tree / built).symlink_to(HERE / built)
        yield tree


def best_run(rates: list[Rate]) -> Rate:
    """Return the run with the least disturbance: the most moves per CPU second."""
    return max(rates, key=lambda rate: rate.by_cpu)


def main() -> None:
    """Parse the command line, measure, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="detect")
    parser.add_argument("--tables", type=int, default=48)
    parser.add_argument("--moves", type=int, default=24, help="moves at each table in each run")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--against", metavar="COMMIT", help="also measure the server at this commit")
    args = parser.parse_args()
    with contextlib.ExitStack() as stack:
        trees = {"now": HERE}
        if args.against:
            trees = {f"at {args.against[:12]}": stack.enter_context(checked_out(args.against))} | trees
        found: dict[str, list[Rate]] = {name: [] for name in trees}
        for _ in range(args.runs):
            for name, tree in trees.items():
                with run_server(tree) as (origin, used):
                    found[name].append(asyncio.run(measure_run(origin, used, args.game, args.tables, args.moves)))
    print(f"{args.game}, {args.tables} tables of two; best of {args.runs} runs of {args.moves} moves at each")
    heads = f"{'':16} {'moves/s':>9} {'per CPU s':>13} {'median':>9} {'95 %':>9}"
    print(f"{heads} {'kB/move':>10} {'pages':>6} {'CPU ms':>7}")
    rates = {name: best_run(runs) for name, runs in found.items()}
    for name, rate in rates.items():
        print(
            f"{name:16} {rate.by_clock:9.0f} {rate.by_cpu:13.0f}"
            f" {1000 * rate.median:6.0f} ms {1000 * rate.late:6.0f} ms {rate.characters / 1000:10.1f}"
            f" {rate.pages:6.2f} {1000 / rate.by_cpu / rate.pages:7.2f}"
        )
    if args.against:
        before, now = rates.values()
        print(
            f"{now.by_clock / before.by_clock:.1f} times the moves per second of elapsed time,"
            f" {now.by_cpu / before.by_cpu:.1f} times per second of the server's CPU time"
        )


if __name__ == "__main__":
    main()
