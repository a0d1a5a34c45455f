"""Starting the table from the command line."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from facedown.server import main, run
from facedown.server.main import PortInUse, address_of, addresses_of_others, listen
from facedown.store import url_of
from tests.server.serving import awaited
from tests.wait import wait_until_async


def test_a_port_in_use_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert run(port=port, data=tmp_path, open_browser=False) == 1
    error = capsys.readouterr().err
    assert error == f"facedown: port {port} is in use: choose another with --port, or leave it out for a free one\n"
    assert not list(tmp_path.iterdir())


def test_a_host_that_is_not_ours_says_so() -> None:
    with pytest.raises(PortInUse, match=r"cannot listen on 192\.0\.2\.1"):
        listen("192.0.2.1", None)


def test_a_database_that_cannot_be_used_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "cards.db"
    file.write_text("no database at all\n" * 200)
    assert run(data=file, open_browser=False) == 1
    error = capsys.readouterr().err
    told = error.splitlines()
    assert told[-1].startswith("facedown: the database ")
    # Everybody could read that file: that is said as well, and no more.
    assert len(told) <= 2


def test_a_free_port_is_taken() -> None:
    with listen("127.0.0.1", None) as one, listen("127.0.0.1", None) as other:
        assert one.getsockname()[1] != other.getsockname()[1]


def test_small_answers_are_sent_at_once() -> None:
    """In asyncio's own loop as well: who asks again over the same connection would wait 40 ms for every answer."""

    class Guest(asyncio.Protocol):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            delayed.append(transport.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) == 0)

    async def scene() -> None:
        with listen("127.0.0.1", None) as listening:
            server = await asyncio.get_running_loop().create_server(Guest, sock=listening)
            with socket.create_connection(listening.getsockname()):
                await wait_until_async(lambda: delayed)
            server.close()

    delayed: list[bool] = []
    awaited(scene())
    assert delayed == [False]


@pytest.mark.parametrize(
    ("host", "address"),
    [("127.0.0.1", "http://127.0.0.1:80/"), ("::1", "http://[::1]:80/"), ("cards", "http://cards:80/")],
)
def test_addresses(host: str, address: str) -> None:
    assert address_of(host, 80) == address


class Asked:
    """A datagram socket of a machine with these addresses."""

    def __init__(self, family: int, kind: int) -> None:
        self.family = family

    def __enter__(self) -> Asked:
        return self

    def __exit__(self, *wrong: object) -> None:
        pass

    def connect(self, where: tuple[str, int]) -> None:
        pass

    def getsockname(self) -> tuple[str, int]:
        return ("192.168.7.20" if self.family == socket.AF_INET else "fd00::20", 40000)


def test_others_are_told_the_addresses_that_they_can_use(monkeypatch: pytest.MonkeyPatch) -> None:
    known = [(socket.AF_INET, 0, 0, "", ("127.0.1.1", 0)), (socket.AF_INET, 0, 0, "", ("10.1.2.3", 0))]
    monkeypatch.setattr(main.socket, "socket", Asked)
    monkeypatch.setattr(main.socket, "getaddrinfo", lambda *about, **more: known)
    assert addresses_of_others("0.0.0.0", 8000) == ["http://192.168.7.20:8000/", "http://10.1.2.3:8000/"]
    assert addresses_of_others("::", 8000)[:2] == ["http://192.168.7.20:8000/", "http://[fd00::20]:8000/"]
    assert addresses_of_others("127.0.0.1", 8000) == []


def test_a_server_for_the_network_says_where_others_find_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import uvicorn

    monkeypatch.setattr(uvicorn.Server, "run", lambda server, sockets: [one.close() for one in sockets])
    monkeypatch.setattr(main, "addresses_of_others", lambda host, port: [f"http://192.168.7.20:{port}/"])
    # The process of the tests goes on with the collector of its own.
    monkeypatch.setattr(main, "collect_rarely", lambda: None)
    run("0.0.0.0", None, tmp_path, open_browser=False)
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("Facedown is running at http://127.0.0.1:")
    port = first.rsplit(":", 1)[1]
    assert second == f"Others in your network find it at http://192.168.7.20:{port}"
    run("127.0.0.1", None, tmp_path, open_browser=False)
    assert capsys.readouterr().out.count("\n") == 1


def test_a_second_server_on_an_sqlite_file_says_who_serves_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = [sys.executable, "-c", HOLDER, url_of(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        assert run(data=tmp_path, open_browser=False) == 1
        holder.communicate("\n")
    error = capsys.readouterr().err
    assert error == f"facedown: another Facedown serves this database (process {holder.pid})\n"


HOLDER = """
import sys
from facedown.store.sqlite_files import hold
with hold(sys.argv[1]):
    print("held", flush=True)
    input()
"""
