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

from facedown.core.match_actions import TAKE_BACK
from facedown.core.view_json import view_to_fields
from facedown.play import Refusal, Session
from facedown.store import Repository, url_of
from facedown.store.row_conversion import StoredTable
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
    taken_back: int
    answered: int
    pages_compared: int
    reconnects: int
    wrong: list[str]

    def __str__(self) -> str:
        kinds = ", ".join(f"{name} {count}" for name, count in sorted(self.faults.items()))
        return (
            f"{sum(self.faults.values())} faults ({kinds}); {self.tables} tables, {self.stored} moves written,"
            f" {self.acknowledged} acknowledged to programs, {self.moves_of_pages} sent by pages,"
            f" {self.taken_back} taken back, {self.answered} answers acknowledged,"
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
    wrong += await _compare_views([table.program for table in all_tables if table.program is not None], group)
    for table in all_tables:
        if (line := getattr(table, "line", None)) is not None:
            line.cancel()
            await asyncio.gather(line, return_exceptions=True)
    stored, taken_back, lost = await asyncio.to_thread(_compare_stored, group.servers[0].database, seen)
    return Outcome(
        done, len(seen.acknowledged), seen.moves_of_pages, stored, len(seen.codes), taken_back, len(seen.answered),
        len(pages), seen.reconnects, [*wrong, *lost],
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


async def _compare_views(programs: list[tuple[str, str]], group: ServerGroup) -> list[str]:
    """Compare what every server tells each program with the stored match. Returns the differences."""
    repository = Repository(url_of(group.servers[0].database))
    wrong: list[str] = []
    async with httpx.AsyncClient(timeout=20.0) as client:
        for code, token in programs:
            found = repository.load(code)
            if found is None or found.record.status == "lobby":
                continue
            session = Session(found.record, found.moves)
            for server in group.servers:
                address = f"{server.origin}/api/v1/tables/{code}/known"
                told = (await client.get(address, headers={"Authorization": f"Bearer {token}"})).json()
                view, version = view_to_fields(session.dealt_match.known(0)), session.version(0)
                if (told.get("view"), told.get("version")) != (view, version):
                    wrong.append(f"known of {code} by {server.origin}: {str(told)[:300]}, not version {version}")
    repository.close()
    return wrong


def difference(shown: str, fresh: str) -> str:
    at = next((at for at, (a, b) in enumerate(zip(shown, fresh, strict=False)) if a != b), min(len(shown), len(fresh)))
    return f"shows …{shown[max(0, at - 60) : at + 80]!r}, not …{fresh[max(0, at - 60) : at + 80]!r}"


def _compare_stored(database: str, seen: Observations) -> tuple[int, int, list[str]]:
    """Return the numbers of stored moves and of take-backs, and the errors.

    Errors are moves and answers that are lost, doubled, or stored although refused.
    """
    repository = Repository(url_of(database))
    tables = {code: repository.load(code) for code in seen.codes}
    repository.close()
    there = {code: found for code, found in tables.items() if found is not None}
    wrong = [f"table {code} is gone" for code in tables.keys() - there.keys()]
    for code, found in there.items():
        if [move.ply for move in found.moves] != list(range(len(found.moves))):
            wrong.append(f"table {code} has moves {[move.ply for move in found.moves]}")
        try:
            # The stored moves can be replayed: no move was stored twice, none at a table that did not exist, and no
            # move was taken back that had to stay.
            Session(found.record, found.moves)
        except (ValueError, Refusal) as why:
            wrong.append(f"table {code} does not replay: {why}")
    moves = [(code, move) for code, found in there.items() for move in found.moves]
    stored: dict[tuple[str, int, str], list[int]] = {}
    for code, move in moves:
        if move.token.startswith("key:"):
            stored.setdefault((code, move.seat, move.token.removeprefix("key:")), []).append(move.action)
    for code, seat, token, action in seen.acknowledged:
        if stored.get((code, seat, token)) != [action]:
            wrong.append(
                f"table {code}: move {action} of seat {seat} was acknowledged, {stored.get((code, seat, token))}"
            )
    for code, seat, token in seen.refused:
        if (code, seat, token) in stored:
            wrong.append(f"table {code}: a move of seat {seat} was refused and is written all the same")
    wrong += _compare_answers(there, seen)
    taken_back = sum(move.action == TAKE_BACK for _, move in moves)
    return sum(map(len, stored.values())), taken_back, wrong


def _compare_answers(tables: dict[str, StoredTable], seen: Observations) -> list[str]:
    """Compare the acknowledged proposals and answers with the stored tables. Returns the errors."""
    wrong: list[str] = []
    for code, number in seen.proposed:
        if code in tables and tables[code].record.agreements.count < number:
            wrong.append(f"table {code}: question {number} was acknowledged and is not stored")
    for code, number, agrees in seen.answered:
        # Only one player is asked at a table for two, so their answer decides.
        done = code in tables and any(move.token == f"agreed:{number}" for move in tables[code].moves)
        if agrees != done:
            wrong.append(f"table {code}: the answer {agrees} to question {number} was acknowledged, and it was {done}")
    return wrong
