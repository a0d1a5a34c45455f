"""What one move costs at a table of four with twenty who watch, counted: it is made once, and seen once."""

from __future__ import annotations

import threading
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import facedown
from facedown.core import slots
from facedown.core.game import GameModule, catalogue, game
from facedown.core.match import Match
from facedown.server.look import table_html
from facedown.server.process.store_threads import StoreThreads
from tests.server.serving import Calls, Live, Server, begun, lobby, open_table, serving, shared_table, sit
from tests.wait import run_ready_tasks, wait_until

SEATS, WATCHING = 4, 20
#: Nothing is looked for by itself meanwhile.
RESTS = dict.fromkeys(("sweep", "pulse", "look_every", "jobs_every"), 3600.0)
#: Nothing is under way once nothing was counted for this many turns of the clock, each of this many seconds.
TURNS, TURN = 10, 0.05

#: What is counted, and where it happens: the object, the name of the function, and what it is called here.
COUNTED: tuple[tuple[Any, str, str], ...] = (
    (StoreThreads, "run", "threads"),
    (Match, "check", "judged"),
    (GameModule, "legal", "legal actions"),
    (slots, "_view", "views"),
    (table_html, "sections_of", "drawings"),
)


@pytest.fixture
def counts(monkeypatch: pytest.MonkeyPatch) -> Calls:
    """How often each of these was done."""
    found = Calls()
    for where, function, name in COUNTED:
        found.of(monkeypatch, where, function, name)
    rules = game("detect").rules
    monkeypatch.setitem(vars(rules), "apply", found.counting(rules.apply, "applied"))
    run = StoreThreads.run

    async def seen_through(*given: Any) -> Any:
        found["under way"] += 1
        try:
            return await run(*given)
        finally:
            found["under way"] -= 1

    monkeypatch.setattr(StoreThreads, "run", seen_through)
    return found


def quiet(server: Server, counts: Calls) -> None:
    """Wait until nothing is under way."""

    def nothing_happens() -> bool:
        before = counts.copy()
        for _ in range(TURNS):
            server.advance(TURN)
            server.within(run_ready_tasks())
        return before == counts and not counts["under way"]

    wait_until(nothing_happens)


def seated(server: Server, stack: ExitStack) -> list[Live]:
    """The pages of four people and of spectators; the match has begun."""
    clients = [stack.enter_context(server.client()) for _ in range(SEATS)]
    url = open_table(clients[0], *["open"] * (SEATS - 1))
    for number, client in enumerate(clients[1:]):
        sit(client, url, f"B{number}")
    lives = stack.enter_context(lobby(server, url, *clients))
    begun(*lives)
    stranger = stack.enter_context(server.client())
    assert stranger.post(f"{url}/watch", data={"name": "Eve"}).status_code == 303
    return lives + [stack.enter_context(Live(server, stranger, url)) for _ in range(WATCHING)]


@pytest.mark.slow
def test_a_move_is_made_once_and_seen_once(tmp_path: Path, counts: Calls) -> None:
    with serving(tmp_path, **RESTS) as server, ExitStack() as stack:
        lives = seated(server, stack)
        shown = [live.hello() for live in lives]
        for mover in (0, 1):
            # The first move finds nothing that is kept from a move before it.
            quiet(server, counts)
            counts.clear()
            lives[mover].move(shown[mover])
            shown = [live.beyond(before["version"]) for live, before in zip(lives, shown, strict=True)]
        quiet(server, counts)
        found = dict(+counts)
    viewers = SEATS + 1
    assert found == {
        "applied": 1,
        "judged": 1,
        # What each seat may do is compared with what it could: whose page still stands.
        "legal actions": SEATS,
        "views": viewers,
        "drawings": viewers,
        # To the disk and back.
        "threads": 1,
    }


# --- how much of the program a move runs through ----------------------------------------------------------------------


SOURCE = str(Path(facedown.__file__).parent)
#: Moves of each match, counted one by one: the first is left out, as caches are empty then.
MOVES = 8
#: Largest numbers of files of ours and of calls of functions in them (means over the moves): half as many again as
#: usual.
MOST_FILES = 75
MOST_CALLS = {"reveal": 9000, "detect": 2600, "reveille": 3600, "uncovered": 3600, "scout": 9000}


class Entries:
    """Entries of functions of `src/facedown` in all threads but the test's own, while `counting`."""

    def __init__(self) -> None:
        self.counting = False
        self.found: Counter[tuple[str, str]] = Counter()

    def __call__(self, frame: FrameType, event: str, _given: Any) -> None:
        """Count an event of the interpreter."""
        if self.counting and event == "call" and frame.f_code.co_filename.startswith(SOURCE):
            self.found[frame.f_code.co_filename[len(SOURCE) :], frame.f_code.co_qualname] += 1

    @property
    def files(self) -> int:
        """Number of files with a function that was called."""
        return len({file for file, _name in self.found})


@pytest.fixture
def calls() -> Any:
    """Count in every thread that begins from here on."""
    found = Entries()
    threading.setprofile(found)
    yield found
    threading.setprofile(None)  # type: ignore[arg-type]


@pytest.mark.slow
@pytest.mark.parametrize("game", catalogue())
def test_a_move_runs_through_few_functions(tmp_path: Path, calls: Entries, game: str) -> None:
    files, entries = [], []
    with serving(tmp_path, usual_loop=True, **RESTS) as server, ExitStack() as stack:
        ada, ben = (stack.enter_context(server.client()) for _ in range(2))
        url = shared_table(ada, ben, game=game)
        lives = stack.enter_context(lobby(server, url, ada, ben))
        begun(*lives)
        for live in lives:
            live.send(type="hello", version=0, sections=True)
        shown = [live.get("table") for live in lives]
        for move in range(MOVES + 1):
            mover = next(at for at, message in enumerate(shown) if message["yours"])
            calls.found.clear()
            calls.counting = True
            lives[mover].move(shown[mover])
            shown = [live.get("table") for live in lives]
            calls.counting = False
            if move:
                files.append(calls.files)
                entries.append(calls.found.total())
            if any(message["over"] for message in shown):
                break
        print(f"{game}: {sum(files) / len(files):.0f} files, {sum(entries) / len(entries):.0f} calls a move")
    assert sum(files) / len(files) <= MOST_FILES
    assert sum(entries) / len(entries) <= MOST_CALLS[game]
