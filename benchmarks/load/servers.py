"""Servers for the load test, with their database and their bus, in a new temporary folder for each run."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psutil

HERE = Path(__file__).resolve().parent.parent.parent
PATIENCE = 120.0
#: Code that runs the server from the source tree in PYTHONPATH like `facedown serve`, with the limits per address
#: raised, and with the given database and bus.
SERVE = """
import gc, inspect, json, signal, sys
try:
    from facedown.server.main import serve
    from facedown.server.process import server_settings as settings
except ImportError:  # Names of the modules in earlier versions.
    from facedown.server import settings
    from facedown.server.running import serve
try:
    from facedown.server.process import gc_tuning
    collect = getattr(gc_tuning, "collect_and_trim", None) or gc_tuning.tidy  # The second name is an earlier one.
except ImportError:
    collect = gc.collect
signal.signal(signal.SIGUSR1, lambda *_: collect())
from facedown.store import url_of
port, free = int(sys.argv[1]), json.loads(sys.argv[2])
made = settings.ServerSettings
known = {name: value for name, value in free.items() if name in getattr(made, "model_fields", {})}
if "settings" in inspect.signature(serve).parameters:
    sys.exit(serve(made(**{"database": url_of(free["folder"]), "port": port, **known}), False))
# Earlier versions have no settings from a file and the environment.
settings.ServerSettings = lambda **given: made(**{**given, **known})
sys.exit(serve("127.0.0.1", port, free["folder"], False, None))
"""
#: Raised limits per address, because all simulated players use the same address.
FREE: dict[str, object] = {"warm_up": False} | dict.fromkeys(
    (
        *("new_things_a_minute", "messages_at_once", "messages_a_second", "connections_of_address", "frames_a_second"),
        *("frames_at_once", "sockets_of_address", "sockets_a_minute", "hellos_a_minute", "requests_a_second"),
        *("requests_at_once", "wrong_codes_a_minute", "wrong_codes_at_once", "wrong_tokens_a_minute"),
    ),
    10**9,
)


def free_port() -> int:
    """Return a TCP port that is not in use."""
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


class Server:
    """A server process that can be stopped, killed and started again on the same port."""

    def __init__(self, tree: Path, settings: dict[str, object], core: int | None = None) -> None:
        self.tree, self.settings, self.core = tree, settings, core
        self.port = free_port()
        self.process: subprocess.Popen[str] | None = None
        self.start()

    def start(self) -> float:
        """Start the server; return the `time.monotonic` at which it has begun to listen.

        Raises `RuntimeError` if it does not start.
        """
        self.process = subprocess.Popen(
            [sys.executable, "-c", SERVE, str(self.port), json.dumps(FREE | self.settings)],
            env=os.environ | {"PYTHONPATH": str(self.tree / "src")},
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        if not self.process.stdout.readline():
            raise RuntimeError(f"the server in {self.tree} did not start")
        if self.core is not None:
            psutil.Process(self.process.pid).cpu_affinity([self.core])
        return time.monotonic()

    @property
    def cpu(self) -> float:
        """CPU seconds used by the server and its finished child processes."""
        used = psutil.Process(self._pid).cpu_times()
        return float(used.user + used.system + used.children_user + used.children_system)

    @property
    def unshared_memory_bytes(self) -> int:
        """Bytes of memory that only this process uses (USS)."""
        return int(psutil.Process(self._pid).memory_full_info().uss)

    def collect_garbage(self) -> None:
        """Make the server collect reference cycles now; it does so itself every two minutes at most."""
        os.kill(self._pid, signal.SIGUSR1)

    @property
    def _pid(self) -> int:
        assert self.process is not None
        return self.process.pid

    def stop(self, with_signal: int = signal.SIGTERM) -> None:
        """Send a signal to the server and wait until it has ended."""
        if self.process is not None:
            self.process.send_signal(with_signal)
            self.process.wait(PATIENCE)
            self.process = None


@contextlib.contextmanager
def run_servers(
    tree: Path, processes: int, database: str, bus: str, *, coach: bool = False, **more: object
) -> Iterator[list[Server]]:
    """Run servers on a new database ("sqlite" or "postgres") and bus ("none" or "redis") until the block ends.

    Without `coach`, finished matches are not reviewed, so that only moves are measured.
    """
    with contextlib.ExitStack() as stack:
        folder = Path(
            stack.enter_context(tempfile.TemporaryDirectory(prefix="facedown-load-", ignore_cleanup_errors=True))
        )
        settings: dict[str, object] = {"folder": str(folder)} | ({} if coach else {"reviews_waiting": 0}) | more
        if database == "postgres":
            settings["database"] = stack.enter_context(_postgres(folder))
        if bus == "redis":
            settings["bus"] = stack.enter_context(_redis(folder))
        found: list[Server] = []
        try:
            for _ in range(processes):
                found.append(Server(tree, settings))
            yield found
        finally:
            for server in found:
                server.stop(signal.SIGKILL)


@contextlib.contextmanager
def _postgres(folder: Path) -> Iterator[str]:
    from tests.database_servers import Postgres

    from facedown.store import url_of

    programs = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    there = Path(shutil.which("initdb") or programs[-1] / "initdb").parent
    home = folder / "postgres"
    home.mkdir()
    folder.chmod(0o755)
    found = Postgres(there, home)
    try:
        yield url_of(found.new_database("load"))
    finally:
        found.stop()


@contextlib.contextmanager
def _redis(folder: Path) -> Iterator[str]:
    from tests.database_servers import Redis, redis_program

    program = redis_program()
    if program is None:
        raise RuntimeError("neither redis-server nor valkey-server is installed")
    found = Redis(program, folder)
    try:
        yield found.url
    finally:
        found.kill()


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
