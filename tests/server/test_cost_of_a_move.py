"""How much of the program one move runs through, from its arrival to the messages of both pages."""

from __future__ import annotations

import threading
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import facedown
from facedown.core.game import catalogue
from tests.server.serving import Live, action_in, begun, open_table, serving

SOURCE = str(Path(facedown.__file__).parent)
#: Moves of each match, counted one by one: the first is left out, as caches are empty then.
MOVES = 8
#: Largest numbers of files of ours and of calls of functions in them (means over the moves): half as many again as
#: usual.
MOST_FILES = 75
MOST_CALLS = {"reveal": 9000, "detect": 2600, "reveille": 3600, "uncovered": 3600, "scout": 9000}


class Calls:
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
    found = Calls()
    threading.setprofile(found)
    yield found
    threading.setprofile(None)  # type: ignore[arg-type]


@pytest.mark.slow
@pytest.mark.parametrize("game", catalogue())
def test_a_move_runs_through_few_functions(tmp_path: Path, calls: Calls, game: str) -> None:
    rests = dict.fromkeys(("sweep", "pulse", "look_every", "jobs_every"), 3600.0)
    files, entries = [], []
    with serving(tmp_path, usual_loop=True, **rests) as server, ExitStack() as stack:
        ada, ben = (stack.enter_context(server.client()) for _ in range(2))
        url = open_table(ada, "open", game=game)
        assert ben.post(f"{url}/sit", data={"name": "Ben"}).status_code == 303
        lives = [stack.enter_context(Live(server, client, url)) for client in (ada, ben)]
        begun(*lives)
        for live in lives:
            live.send(type="hello", version=0, sections=True)
        shown = [live.get("table") for live in lives]
        for move in range(MOVES + 1):
            mover = next(at for at, message in enumerate(shown) if message["yours"])
            calls.found.clear()
            calls.counting = True
            lives[mover].send(type="move", action=action_in(shown[mover]["step"]), version=shown[mover]["version"])
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
