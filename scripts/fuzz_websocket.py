"""Fuzz test of the server with millions of invalid frames: ``python scripts/fuzz_websocket.py --frames 1000000``.

It starts a server and prints the frames per second, the server's memory after each tenth, the counts of refused
requests, the number of moves that another player made meanwhile, and the server's log. The exit code is 1 if the log is
not empty, if the other player could not play, or if the memory kept growing. ``--limits`` keeps the server's default
limits; it then closes most connections early.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import secrets
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import ExitStack
from pathlib import Path

import httpx
import psutil

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.server.http_server import COOKIES_ACCEPTED, Live, open_table, token_of  # noqa: E402
from tests.server.websocket_fuzzer import fuzz  # noqa: E402

#: Code of the server process. It serves the database in a folder, with the bots of the test suite, until its input is
#: closed; then it prints the counts of refused requests.
STARTER = """
import json, sys, threading
import uvicorn
from facedown.server.process import refusal_counts
from facedown.server.app import create_app
from facedown.server.http.connection_limits import LimitedConfig
from facedown.server.main import open_listening_socket
from facedown.server.process.server_settings import ServerSettings
from facedown.store import url_of
from tests.play.table import LowBots
from tests.server.http_server import HIGH_LIMITS

wide = HIGH_LIMITS if sys.argv[2] == "wide" else {}
# Tables that are over leave the memory soon: what stays is what the frames have left.
settings = ServerSettings(database=url_of(sys.argv[1]), bots=LowBots(), bot_delay=0.0, idle=20.0, sweep=5.0, **wide)
app, listening = create_app(settings), open_listening_socket("127.0.0.1", None)
server = uvicorn.Server(LimitedConfig(app, settings, timeout_graceful_shutdown=3))
def stop():
    sys.stdin.read()
    server.should_exit = True
threading.Thread(target=stop, daemon=True).start()
print(listening.getsockname()[1], flush=True)
server.run(sockets=[listening])
print(json.dumps(refusal_counts.refusal_counts_by_kind()), flush=True)
"""
#: Largest growth of the server's memory in the second half of the frames, in MB.
MAX_GROWTH_MB = 24.0
LINES = 8


class ServerProcess:
    """A server in its own process, with the attributes that the test suite's clients need."""

    def __init__(self, folder: Path, wide: bool) -> None:
        self.log = folder / "log"
        command = [sys.executable, "-c", STARTER, str(folder), "wide" if wide else "usual"]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log.open("wb"), text=True, cwd=ROOT
        )
        assert self.process.stdout is not None
        self.port = int(self.process.stdout.readline())
        self.origin = f"http://127.0.0.1:{self.port}"
        self.process_info = psutil.Process(self.process.pid)

    def client(self) -> httpx.Client:
        """Return an HTTP client that is a new visitor for the server."""
        return httpx.Client(base_url=self.origin, headers={"Origin": self.origin}, cookies=COOKIES_ACCEPTED, timeout=60)

    def memory(self) -> float:
        """Return the server's resident memory in MB."""
        return self.process_info.memory_info().rss / 1e6

    def stop_and_count_refusals(self) -> dict[str, int]:
        """Stop the server and return its counts of refused requests by kind."""
        out, _ = self.process.communicate(timeout=60)
        refused: dict[str, int] = json.loads(out)
        return refused


def play(server: ServerProcess, over: threading.Event, moves: list[float]) -> None:
    """Play Detect against a bot, one match after another, until `over` is set; append the duration of each move to
    `moves`.
    """
    with server.client() as ben:
        while not over.is_set():
            url = open_table(ben, "low")
            with Live(server, ben, url) as live:  # type: ignore[arg-type]
                message = live.until_yours(live.hello())
                while not (message["over"] or over.is_set()):
                    begun = time.perf_counter()
                    message = live.until_yours(live.play(message))
                    moves.append(time.perf_counter() - begun)
                    time.sleep(0.05)


def connection_targets(server: ServerProcess, stack: ExitStack) -> list[tuple[str, str]]:
    """Return tables in the lobby and in play, each with the cookie of a player or of a spectator."""
    found = []
    for _ in range(LINES // 4):
        ada, cleo = stack.enter_context(server.client()), stack.enter_context(server.client())
        lobby, running = open_table(ada, "open", "open"), open_table(ada, "low", hints="on")
        cleo.post(f"{running}/watch")
        hers, his = (f"facedown-guest={token_of(client)}" for client in (ada, cleo))
        found += [(lobby, hers), (running, hers), (running, his), (lobby, hers)]
    return found


def run(frames: int, seed: int, wide: bool) -> bool:
    """Run the fuzz test and print its results; return whether the server passed."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        server = ServerProcess(Path(folder), wide)
        sizes: list[tuple[int, float]] = []
        moves: list[float] = []
        begun = time.perf_counter()

        def told(sent: int) -> None:
            if sent * 10 // frames > len(sizes) - 1:
                sizes.append((sent, server.memory()))
                rate = sent / (time.perf_counter() - begun)
                print(f"{sent:>9} frames, {rate:6.0f} a second, {sizes[-1][1]:6.1f} MB, {len(moves)} moves", flush=True)

        over = threading.Event()
        player = threading.Thread(target=play, args=(server, over, moves))
        player.start()
        counted = asyncio.run(fuzz(server.port, connection_targets(server, stack), frames, seed, told))
        over.set()
        player.join()
        spent = server.process_info.cpu_times()
        refused = server.stop_and_count_refusals()
        log = server.log.read_text(encoding="utf-8", errors="replace")
    grown = sizes[-1][1] - sizes[len(sizes) // 2][1]
    slow = sorted(moves)[int(len(moves) * 0.99)] if moves else float("inf")
    frames_sent, lines, back = counted["frames"], counted["lines"], counted["bytes"] / 1e6
    print(f"{frames_sent} frames answered for over {lines} lines, {back:.0f} MB came back")
    print(
        f"{spent.user + spent.system:.0f} s of CPU time; {len(moves)} moves of somebody else, p99 {slow * 1000:.0f} ms"
    )
    print(f"memory grew by {grown:.1f} MB in the second half")
    print("refused: " + ", ".join(f"{kind} {many}" for kind, many in sorted(refused.items())))
    print(f"{log.count('Traceback')} tracebacks, {len(log.splitlines())} lines in the log")
    print(log[:4000])
    return not log and grown < MAX_GROWTH_MB and bool(moves)


def main() -> int:
    """Parse the command line and run the test; return the exit code."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--frames", type=int, default=1_000_000)
    asked.add_argument("--seed", type=int, default=None)
    asked.add_argument("--limits", action="store_true", help="leave the server's limits as they are")
    given = asked.parse_args()
    seed = secrets.randbits(32) if given.seed is None else given.seed
    print(f"seed {seed}", flush=True)
    return 0 if run(given.frames, seed, wide=not given.limits) else 1


if __name__ == "__main__":
    sys.exit(main())
