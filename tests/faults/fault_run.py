"""A run with faults: players play while things fail, and in the end everything is compared."""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import httpx

from facedown.play import Session
from facedown.store import Repository, url_of
from tests.faults.faults import RECOVERY, FaultTarget, inject_faults
from tests.faults.players import Observations, Page, Table
from tests.faults.server_group import ServerGroup, sleep_through_async
from tests.waiting import wait_until_async


@dataclass
class Outcome:
    faults: Counter[str]
    acknowledged: int
    moves_of_pages: int
    stored: int
    tables: int
    pages_compared: int
    reconnects: int
    wrong: list[str]

    def __str__(self) -> str:
        kinds = ", ".join(f"{name} {count}" for name, count in sorted(self.faults.items()))
        return (
            f"{sum(self.faults.values())} faults ({kinds}); {self.tables} tables, {self.stored} moves written,"
            f" {self.acknowledged} acknowledged to programs, {self.moves_of_pages} sent by pages,"
            f" {self.reconnects} lines opened anew, {self.pages_compared} pages compared; wrong: {len(self.wrong)}"
        )


async def run_with_faults(
    make: Callable[[ServerGroup, list[Table], random.Random], FaultTarget],
    group: ServerGroup,
    *,
    tables: int,
    faults: int,
    seed: int,
) -> Outcome:
    """Let players play at some tables while faults occur."""
    lot, seen = random.Random(seed), Observations()
    all_tables = [Table(group, seen, lot.getrandbits(32)) for _ in range(tables)]
    running = [asyncio.ensure_future(table.run()) for table in all_tables]
    world = make(group, all_tables, lot)
    # The players have begun.
    with contextlib.suppress(AssertionError):
        await wait_until_async(lambda: len(seen.acknowledged) >= tables, RECOVERY)
    done = await inject_faults(world, faults)
    await asyncio.to_thread(group.heal, world.mend)
    for table in all_tables:
        table.going = False
    await asyncio.gather(*running)
    pages = [table.page for table in all_tables if table.page is not None]
    wrong = [*seen.complaints, *group.broken(), *await _compare_pages(pages, group)]
    for table in all_tables:
        if (line := getattr(table, "line", None)) is not None:
            line.cancel()
            await asyncio.gather(line, return_exceptions=True)
    stored, lost = await asyncio.to_thread(_compare_moves, group.servers[0].database, seen)
    return Outcome(
        done, len(seen.acknowledged), seen.moves_of_pages, stored, len(seen.codes), len(pages), seen.reconnects,
        [*wrong, *lost],
    )  # fmt: skip


async def _compare_pages(pages: list[Page], group: ServerGroup) -> list[str]:
    """Compare every page with a fresh load of it from every server. Returns the differences."""
    wrong: dict[tuple[str, str], str] = {}
    until = time.monotonic() + RECOVERY
    async with httpx.AsyncClient(timeout=20.0) as client:
        while True:
            wrong.clear()
            for page in pages:
                for server in group.servers:
                    with contextlib.suppress(httpx.TransportError):
                        fresh = await page.reloaded(client, server.origin)
                        if fresh == page.shown:
                            continue
                    wrong[page.code, server.origin] = difference(page.shown, fresh)
            if not wrong or time.monotonic() > until:
                return [f"page of {code} by {origin}: {text}" for (code, origin), text in wrong.items()]
            await sleep_through_async(0.5)


def difference(shown: str, fresh: str) -> str:
    at = next((at for at, (a, b) in enumerate(zip(shown, fresh, strict=False)) if a != b), min(len(shown), len(fresh)))
    return f"shows …{shown[max(0, at - 60) : at + 80]!r}, not …{fresh[max(0, at - 60) : at + 80]!r}"


def _compare_moves(database: str, seen: Observations) -> tuple[int, list[str]]:
    """Return the number of stored moves and their errors: moves that are lost, doubled, or stored although refused."""
    repository = Repository(url_of(database))
    wrong: list[str] = []
    stored: dict[tuple[str, int, str], list[int]] = {}
    for code in seen.codes:
        found = repository.load(code)
        if found is None:
            wrong.append(f"table {code} is gone")
            continue
        if [move.ply for move in found.moves] != list(range(len(found.moves))):
            wrong.append(f"table {code} has moves {[move.ply for move in found.moves]}")
        try:
            # The stored moves can be replayed: no move was stored twice, and none at a table that did not exist.
            Session(found.record, found.moves)
        except ValueError as why:
            wrong.append(f"table {code} does not replay: {why}")
        for move in found.moves:
            if move.token.startswith("key:"):
                stored.setdefault((code, move.seat, move.token.removeprefix("key:")), []).append(move.action)
    total = sum(len(moves) for moves in stored.values())
    for code, seat, token, action in seen.acknowledged:
        if stored.get((code, seat, token)) != [action]:
            wrong.append(
                f"table {code}: move {action} of seat {seat} was acknowledged, {stored.get((code, seat, token))}"
            )
    for code, seat, token in seen.refused:
        if (code, seat, token) in stored:
            wrong.append(f"table {code}: a move of seat {seat} was refused and is written all the same")
    repository.close()
    return total, wrong
