"""A group of server processes on one database. Each can be killed, frozen, stopped and started again."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import psutil

from tests.ports import Port
from tests.server.http_server import PATIENCE
from tests.waiting import wait_until

ROOT = Path(__file__).resolve().parents[2]
#: Log line of a server about an unexpected exception.
BROKE = "Exception in ASGI application"
#: Number of characters of such a line that are shown.
LONGEST = 1000
#: Settings whose environment variable has another name.
NAMES = {"bus": "FACEDOWN_BUS_URL"}
#: Raised limits. All players come from one address, and no page waits for an hour.
LIFTED = {
    "new_things_a_minute": 1e9,
    "messages_at_once": 10**6,
    "requests_a_second": 1e6,
    "requests_at_once": 10**6,
    "sockets_a_minute": 1e6,
    "sockets_of_address": 10**6,
    "hellos_at_once": 10**6,
    "sweep": 1.0,
    "look_every": 2.0,
}


def sleep_through(seconds: float) -> None:
    """Let a fault last for some time."""
    time.sleep(seconds)  # Real time: other programs must meet the fault.


async def sleep_through_async(seconds: float) -> None:
    """Let real time pass inside an event loop: until the next fault, or until a client tries again."""
    await asyncio.sleep(seconds)  # Real time: meanwhile other programs work, fail and start.


class ServerProcess:
    """One server process, on a port that stays reserved."""

    def __init__(self, database: str, log: Path, **settings: Any) -> None:
        self.database = database
        self.settings = LIFTED | {name: value for name, value in settings.items() if value}
        self.log = log
        self.held = Port()
        self.port = self.held.number
        self.process: subprocess.Popen[bytes] | None = None
        self.module = ["-m", "facedown"]
        """Arguments of Python that run the command ``facedown``."""

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        assert self.process is not None
        return self.process.pid

    def start(self) -> None:
        command = [sys.executable, *self.module, "serve", "--no-browser", "--bot-delay", "0"]
        command += ["--port", str(self.port), "--data", self.database]
        # Write no bytecode: a full disk would cut it off, and every later import of it would fail.
        environment = os.environ | {"PYTHONPATH": str(ROOT / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
        for name, value in self.settings.items():
            environment[NAMES.get(name, f"FACEDOWN_{name.upper()}")] = str(value)
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log, env=environment)

    def wait(self) -> None:
        process = self.process
        assert process is not None
        wait_until(lambda: self.answers() or process.poll() is not None)
        if process.poll() is not None:
            raise RuntimeError(f"the server did not start: {self.log.read_text()[-2000:]}")

    def answers(self) -> bool:
        with contextlib.suppress(httpx.TransportError):
            return httpx.get(f"{self.origin}/ready", timeout=5.0).status_code == 200
        return False

    def end(self, how: signal.Signals) -> None:
        """End the process. SIGKILL leaves it no time. After SIGTERM it shuts down."""
        assert self.process is not None
        self.process.send_signal(how)
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise

    def freeze(self, seconds: float) -> None:
        os.kill(self.pid, signal.SIGSTOP)
        try:
            sleep_through(seconds)
        finally:
            os.kill(self.pid, signal.SIGCONT)

    def fill_disk(self, seconds: float) -> None:
        """Let none of the process's files grow for a while, which has the effect of a full disk."""
        process = psutil.Process(self.pid)
        before = process.rlimit(psutil.RLIMIT_FSIZE)
        process.rlimit(psutil.RLIMIT_FSIZE, (4096, before[1]))
        try:
            sleep_through(seconds)
        finally:
            with contextlib.suppress(psutil.NoSuchProcess):
                process.rlimit(psutil.RLIMIT_FSIZE, before)


class ServerGroup:
    def __init__(self, servers: list[ServerProcess]) -> None:
        self.servers = servers

    def __enter__(self) -> ServerGroup:
        for server in self.servers:
            server.start()
            server.wait()
        return self

    def __exit__(self, *_: object) -> None:
        for server in self.servers:
            if server.process is not None and server.process.poll() is None:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(server.pid, signal.SIGCONT)
                server.end(signal.SIGKILL)
            server.held.close()

    def any_origin(self, lot: random.Random) -> str:
        """Return the address of one of the servers, even if it is not running."""
        return lot.choice(self.servers).origin

    def broken(self) -> list[str]:
        """Return log lines about requests and connections that broke, even if no client has noticed."""
        lines = [line for server in self.servers for line in server.log.read_text().splitlines()]
        return [line[:LONGEST] for line in lines if BROKE in line]

    def heal(self, mend: Callable[[], None] = lambda: None) -> None:
        mend()
        for server in self.servers:
            if server.process is None or server.process.poll() is not None:
                server.start()
        for server in self.servers:
            server.wait()
