"""Database servers that tests start in folders of their own: PostgreSQL and Redis."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
from pathlib import Path

import sqlalchemy as sa

from facedown.store import url_of
from tests.ports import Port
from tests.waiting import wait_until

#: Longest time to wait for the start of a server, in seconds.
PATIENCE = 60.0


def postgres_user() -> int | None:
    """Return the id of the user that runs PostgreSQL if the tests run as root, which PostgreSQL refuses; else None."""
    return pwd.getpwnam("postgres").pw_uid if os.geteuid() == 0 else None


class Postgres:
    """A PostgreSQL server in a folder; it can be stopped, killed and restarted there."""

    def __init__(self, programs: Path, folder: Path, *, made: bool = False) -> None:
        """Create a server in a folder and start it; with `made`, refer to the one that runs there."""
        self.folder = folder
        self.user = postgres_user()
        self.data = folder / "data"
        real = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
        self.programs = programs if (programs / "initdb").exists() or not real else real[-1].parent
        if made:
            return
        self.data.mkdir()
        if self.user is not None:
            for path in (folder, self.data):
                os.chown(path, self.user, -1)
        self._call("initdb", "-D", str(self.data), "-U", "facedown", "-A", "trust", "-E", "UTF8", "--no-sync")
        self.start()

    def url(self, database: str) -> str:
        return f"postgresql://facedown@/{database}?host={self.folder}"

    def new_database(self, name: str) -> str:
        """Create an empty database; return its URL."""
        server = sa.create_engine(url_of(self.url("postgres")), isolation_level="AUTOCOMMIT")
        with server.connect() as connection:
            connection.execute(sa.text(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)'))
            connection.execute(sa.text(f'CREATE DATABASE "{name}"'))
        server.dispose()
        return self.url(name)

    def start(self, *options: str) -> None:
        """Start the server on a socket in its folder; a port could be taken by another program."""
        given = " ".join(("-h ''", f"-k {self.folder}", "-F", *options))
        log = str(self.folder / "log")
        self._call("pg_ctl", "-D", str(self.data), "-o", given, "-l", log, "-w", "-t", str(int(PATIENCE)), "start")

    def stop(self, mode: str = "immediate") -> None:
        """Stop the server: "immediate" is a crash, "fast" closes connections, "smart" waits for them."""
        self._call("pg_ctl", "-D", str(self.data), "-m", mode, "stop")

    def kill(self) -> None:
        """Kill the main process, and with it all others."""
        os.kill(int((self.data / "postmaster.pid").read_text().split()[0]), signal.SIGKILL)

    def recover(self) -> None:
        """Start the server again after `kill`, as soon as its old processes have ended."""

        def started() -> bool:
            try:
                self.start()
            except subprocess.CalledProcessError:
                return False
            return True

        wait_until(started)

    def _call(self, program: str, *arguments: str) -> None:
        command = [str(self.programs / program), *arguments]
        # The output goes to a file; the started server would keep a pipe open.
        with (self.folder / "calls").open("ab") as out:
            subprocess.run(command, check=True, user=self.user, cwd=self.folder, stdout=out, stderr=out, timeout=120)


def find_postgres() -> Path | None:
    """Return the folder of PostgreSQL's programs, preferring the newest version."""
    on_path = shutil.which("postgres")
    if on_path:
        return Path(on_path).parent
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda p: -int(p.parent.parent.name))
    return folders[0].parent if folders else None


def redis_program() -> str | None:
    """Return the path of a Redis or Valkey server program, or None."""
    return shutil.which("redis-server") or shutil.which("valkey-server")


class Redis:
    """A Redis (or Valkey) server on its own port; it can be killed and restarted."""

    def __init__(self, program: str, folder: Path) -> None:
        self.program = program
        self.folder = folder
        self.held = Port()
        self.port = self.held.number
        self.process: subprocess.Popen[bytes] | None = None
        self.start()

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        """Start the server without persistence."""
        named = {"--port": self.port, "--bind": "127.0.0.1", "--save": "", "--appendonly": "no", "--dir": self.folder}
        command = [self.program, *(str(word) for pair in named.items() for word in pair)]
        with (self.folder / "redis.log").open("ab") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log)
        process = self.process

        def answers() -> bool:
            assert process.poll() is None, "it ended at once"
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
            except OSError:
                return False
            return True

        wait_until(answers)

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait(PATIENCE)
            self.process = None

    def end(self) -> None:
        """Kill the server and release its port."""
        self.kill()
        self.held.close()
