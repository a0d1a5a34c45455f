"""Scenarios of the load test; each returns its figures by name."""

from __future__ import annotations

import asyncio
import random
import signal
import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any

from benchmarks.load.players import Table, Tally, open_tables
from benchmarks.load.servers import Server
from benchmarks.load.websocket_client import Socket

Figures = dict[str, float]
#: Number of connections that one player opens in the scenario "crowd".
LINES = 100
#: Server settings in seconds: tables drop spectators' data soon after they are left, and stay in memory.
RESTED = {"rests": 0.5, "sweep": 1.0, "idle": 10**6}


@dataclass(frozen=True)
class Asked:
    """Parameters of a scenario."""

    game: str = "detect"
    tables: int = 48
    every: float = 3.0
    """Seconds between two moves at a table, in an open loop."""
    seconds: float = 30.0
    deflate: bool = True
    moves: int = 12
    """Number of moves at each table before memory is measured or a server is restarted."""
    kill: bool = True
    together: bool = False
    """Whether all seats of a table are connected to one process; otherwise to different ones, which costs the most."""
    people: int = 0
    """Number of players that reconnect to a restarted server, each to a different table; 0: all."""


def percentile(values: list[float], part: float) -> float:
    """Return the value that `part` per cent of the values do not exceed; 0 without values."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(part / 100 * len(ordered)))] if ordered else 0.0


def _throughput_figures(tally: Tally, took: float, used: list[float]) -> Figures:
    """Return the figures of a run that took `took` seconds; `used` has the CPU seconds of each server."""
    moves, cpu = max(1, tally.moves), sum(used)
    return {
        "moves": tally.moves,
        "moves/s": tally.moves / took,
        "CPU ms a move": 1000 * cpu / moves,
        "p50 ms": 1000 * percentile(tally.delays, 50),
        "p99 ms": 1000 * percentile(tally.delays, 99),
        "most ms": 1000 * max(tally.delays, default=0.0),
        # Throughput if each server had a core of its own. Here all servers share two cores with the players and the
        # database, so the elapsed time does not show the effect of a second process.
        "moves/s, a core each": moves / max(used),
        "CPU share": cpu / took,
        "never told": max(0, tally.moves - len(tally.delays)),
        "refused": sum(tally.refused.values()),
        "lines lost": tally.lost,
        "matches ended": tally.finished,
    }


def _tables(servers: list[Server], asked: Asked, tally: Tally, *, closed: bool) -> list[Table]:
    """Return tables whose seats are distributed over the servers."""
    return [
        Table(
            [servers[(number + (0 if asked.together else seat)) % len(servers)].port for seat in range(2)],
            asked.game,
            tally,
            deflate=asked.deflate,
            closed=closed,
        )
        for number in range(asked.tables)
    ]


async def max_throughput(servers: list[Server], asked: Asked) -> Figures:
    """Measure the maximum number of moves per second: all players move as soon as they may."""
    tally = Tally(counting=False)
    tables = _tables(servers, asked, tally, closed=True)
    await open_tables(tables)
    await asyncio.sleep(2)
    tally.counting, before, began = True, [server.cpu for server in servers], time.perf_counter()
    await asyncio.sleep(asked.seconds)
    tally.counting, took = False, time.perf_counter() - began
    used = [server.cpu - then for server, then in zip(servers, before, strict=True)]
    for table in tables:
        table.close()
    return _throughput_figures(tally, took, used)


async def steady_load(servers: list[Server], asked: Asked) -> Figures:
    """Measure a constant load: one move per table every `asked.every` seconds, even if the servers fall behind."""
    tally = Tally(counting=False)
    tables = _tables(servers, asked, tally, closed=False)
    await open_tables(tables)
    await asyncio.sleep(1)
    begins = time.perf_counter()

    async def beat(table: Table) -> None:
        due = begins + random.uniform(0, asked.every)
        while True:
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            if table.playing:
                table.request_move(due)
            due += asked.every

    beats = [asyncio.create_task(beat(table)) for table in tables]
    await asyncio.sleep(2 * asked.every)
    tally.counting, before, began = True, [server.cpu for server in servers], time.perf_counter()
    await asyncio.sleep(asked.seconds)
    took = time.perf_counter() - began
    used = [server.cpu - then for server, then in zip(servers, before, strict=True)]
    for task in beats:
        task.cancel()
    # Wait for the answers to the last moves.
    await asyncio.sleep(1)
    tally.counting = False
    owed = sum(len(table.owed) for table in tables)
    for table in tables:
        table.close()
    return _throughput_figures(tally, took, used) | {"owed": owed}


async def _play_moves(tables: list[Table], moves: int) -> None:
    """Play some moves at each table, as fast as possible."""
    for _number in range(moves):
        for table in tables:
            table.request_move(time.perf_counter())
        until = time.monotonic() + 60
        while any(table.owed or table.moves for table in tables if table.playing) and time.monotonic() < until:  # noqa: ASYNC110
            await asyncio.sleep(0.05)


async def memory_per_table(servers: list[Server], asked: Asked) -> Figures:
    """Measure the memory of a table with two open pages, and of a table that all players have left."""
    (server,), tally = servers, Tally()

    async def idle(count: int) -> None:
        tables = _tables(servers, Asked(asked.game, count), tally, closed=False)
        await open_tables(tables)
        await _play_moves(tables, asked.moves)
        for table in tables:
            table.close()

    async def rested() -> int:
        await asyncio.sleep(3 * RESTED["sweep"])
        server.collect_garbage()
        await asyncio.sleep(1)
        return server.unshared_memory_bytes

    # Fill the server's caches of rendered pages before the measurement.
    for _ in range(30):
        await idle(20)
    before = await rested()
    for _ in range(asked.tables // 20):
        await idle(20)
    left = (await rested() - before) / (asked.tables // 20 * 20)
    tables = _tables(servers, asked, tally, closed=False)
    half = len(tables) // 2
    await open_tables(tables[:half])
    await _play_moves(tables[:half], asked.moves)
    before = await rested()
    await open_tables(tables[half:])
    await _play_moves(tables[half:], asked.moves)
    live = (await rested() - before) / (len(tables) - half)
    for table in tables:
        table.close()
    return {
        "kB a live table": live / 1000,
        "kB an idle table": left / 1000,
        "MB in all": server.unshared_memory_bytes / 1e6,
    }


async def restart(servers: list[Server], asked: Asked) -> Figures:
    """Kill (or stop) the server, start it again, and measure the time until all players see their table."""
    (server,), tally = servers, Tally()
    tables = _tables(servers, asked, tally, closed=False)
    await open_tables(tables)
    await _play_moves(tables, asked.moves)
    for table in tables[asked.people :] if asked.people else ():
        table.close()
    for table in tables[: asked.people]:
        table.players.pop().leave()
    people = asked.people or sum(len(table.players) for table in tables)
    tally.first_pages.clear()
    loop = asyncio.get_running_loop()
    await loop.run_in_executor(None, server.stop, signal.SIGKILL if asked.kill else signal.SIGTERM)
    listens = await loop.run_in_executor(None, server.start)
    until = time.monotonic() + 60
    while len(tally.first_pages) < people and time.monotonic() < until:  # noqa: ASYNC110
        await asyncio.sleep(0.1)
    cpu = server.cpu
    listening = [page - listens for _, page in tally.first_pages]
    hello = [page - opened for opened, page in tally.first_pages]
    for table in tables:
        table.close()
    return {
        "people": people,
        "back": len(tally.first_pages),
        "from listening p50 s": percentile(listening, 50),
        "from listening p99 s": percentile(listening, 99),
        "from hello p50 s": percentile(hello, 50),
        "from hello p99 s": percentile(hello, 99),
        "CPU s of the start": cpu,
    }


async def bystander_ping_under_flood(servers: list[Server], asked: Asked) -> Figures:
    """Measure a bystander's ping times, first without load, then while one player opens a hundred connections to a
    table.
    """
    (server,), tally = servers, Tally()
    theirs, own = _tables(servers, Asked(asked.game, 2), tally, closed=False)
    await open_tables([theirs, own])
    answered = asyncio.Event()

    def heard(text: bytes) -> None:
        if text.startswith(b'{"type":"pong"'):
            answered.set()

    def line(of: Table, hear: Callable[[bytes], None]) -> Socket:
        return Socket(server.port, f"{of.url}/live", of.players[0].cookie, True, hear, lambda: None)

    bystander = line(own, heard)
    await bystander.open()

    async def pinged(seconds: float) -> list[float]:
        delays, until = [], time.perf_counter() + seconds
        while time.perf_counter() < until:
            answered.clear()
            begun = time.perf_counter()
            bystander.send(b'{"type":"ping"}')
            await asyncio.wait_for(answered.wait(), 60)
            delays.append(time.perf_counter() - begun)
            await asyncio.sleep(0.03)
        return delays

    async def one() -> Socket:
        opening = line(theirs, lambda _text: None)
        await opening.open()
        opening.send(b'{"type":"hello","version":0,"patches":true}')
        return opening

    alone = await pinged(asked.seconds / 3)
    crowded = asyncio.create_task(pinged(asked.seconds / 3))
    lines = await asyncio.gather(*(one() for _ in range(LINES)), return_exceptions=True)
    beside = await crowded
    there = [found for found in lines if isinstance(found, Socket)]
    for found in (bystander, *there):
        found.close()
    for table in (theirs, own):
        table.close()
    figures: Figures = {"lines": len(there), "refused": LINES - len(there)}
    for name, delays in (("alone", alone), ("beside", beside)):
        figures |= {f"{name} p{part} ms": 1000 * percentile(delays, part) for part in (50, 99)}
        figures[f"{name} most ms"] = 1000 * max(delays)
    return figures


SCENARIOS: dict[str, Callable[[list[Server], Asked], Coroutine[Any, Any, Figures]]] = {
    "most": max_throughput,
    "steady": steady_load,
    "memory": memory_per_table,
    "restart": restart,
    "crowd": bystander_ping_under_flood,
}
