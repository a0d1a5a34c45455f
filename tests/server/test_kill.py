"""The server is killed between two moves and started again: nothing that was acknowledged is missing."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from tests.server.serving import KEEPS, PATIENCE

ROOT = Path(__file__).resolve().parents[2]
STARTER = """
import sys
from facedown.server import run
sys.exit(run(port=None, data=sys.argv[1], open_browser=False, bot_delay=0.0))
"""


class Process:
    """The real server, as its own process."""

    def __init__(self, data: Path) -> None:
        environment = dict(os.environ, PYTHONUNBUFFERED="1", PYTHONPATH=str(ROOT / "src"))
        self.process = subprocess.Popen(
            [sys.executable, "-c", STARTER, str(data)], stdout=subprocess.PIPE, text=True, env=environment
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line.startswith("Facedown is running at http://"), line
        self.client = httpx.Client(base_url=line.split()[-1].rstrip("/"), cookies=KEEPS, timeout=PATIENCE)

    def kill(self) -> None:
        """No time for anything."""
        self.client.close()
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(PATIENCE)
        assert self.process.stdout is not None
        self.process.stdout.close()


@pytest.mark.slow
def test_nothing_acknowledged_is_lost(tmp_path: Path, seed: int) -> None:
    luck = random.Random(seed)
    server = Process(tmp_path)
    try:
        made = server.client.post(
            "/api/v1/tables", json={"game": "detect", "name": "Ada", "seats": ["me", "open", "random"]}
        ).json()
        path = f"/api/v1/tables/{made['table']['code']}"
        joined = server.client.post(f"{path}/seats", json={"name": "Ben"}).json()
        headers = [{"Authorization": f"Bearer {token}"} for token in (made["token"], joined["token"])]
        acknowledged: list[tuple[int, int]] = []
        for _ in range(3):
            for _ in range(luck.randint(3, 9)):
                seat, view = whose_turn(server.client, path, headers)
                action = luck.choice(view["legal"])["action"]
                answer = server.client.post(
                    f"{path}/moves", headers=headers[seat], json={"action": action, "version": view["version"]}
                )
                assert answer.status_code == 200, answer.text
                acknowledged.append((seat, action))
            logs = [server.client.get(f"{path}/view", headers=header).json()["table"]["log"] for header in headers]
            server.kill()
            server = Process(tmp_path)
            for header, log in zip(headers, logs, strict=True):
                again = server.client.get(f"{path}/view", headers=header).json()["table"]["log"]
                assert again[: len(log)] == log
            # The last move sent once more, as after a lost answer, counts once.
            seat, action = acknowledged[-1]
            again_sent = server.client.post(
                f"{path}/moves", headers=headers[seat], json={"action": action, "version": view["version"]}
            )
            assert again_sent.status_code == 200, again_sent.text
    finally:
        server.kill()
    import sqlite3

    stored = sqlite3.connect(tmp_path / "facedown.sqlite3")
    rows = stored.execute("SELECT ply, seat, action FROM moves ORDER BY ply").fetchall()
    stored.close()
    assert [ply for ply, _, _ in rows] == list(range(len(rows)))
    assert [(seat, action) for _, seat, action in rows if seat < 2] == acknowledged
    assert any(seat == 2 for _, seat, _ in rows)


def whose_turn(client: httpx.Client, path: str, headers: list[dict[str, str]]) -> tuple[int, dict]:  # type: ignore[type-arg]
    """Wait until one of the two programs is to act: their seat and view."""
    version = -1
    while True:
        view = client.get(f"{path}/view", headers=headers[0], params={"beyond": version}).json()
        mine = [seat for seat in view["acting"] if seat < 2]
        if mine:
            found = client.get(f"{path}/view", headers=headers[mine[0]]).json()
            if found["legal"]:
                return mine[0], found
        version = view["version"]
