"""Starting the table from the command line."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from facedown.server import run
from facedown.server.running import PortInUse, address_of, listen


def test_a_port_in_use_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert run(port=port, data=tmp_path, open_browser=False) == 1
    error = capsys.readouterr().err
    assert error == f"facedown: port {port} is in use: choose another with --port, or none for a free one\n"
    assert not list(tmp_path.iterdir())


def test_a_host_that_is_not_ours_says_so() -> None:
    with pytest.raises(PortInUse, match=r"cannot listen on 192\.0\.2\.1"):
        listen("192.0.2.1", None)


def test_a_database_that_cannot_be_used_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "cards.db"
    file.write_text("no database at all\n" * 200)
    assert run(data=file, open_browser=False) == 1
    error = capsys.readouterr().err
    assert error.startswith("facedown: the database ")
    assert error.count("\n") == 1


def test_a_free_port_is_taken() -> None:
    with listen("127.0.0.1", None) as one, listen("127.0.0.1", None) as other:
        assert one.getsockname()[1] != other.getsockname()[1]


@pytest.mark.parametrize(
    ("host", "address"),
    [("127.0.0.1", "http://127.0.0.1:80/"), ("::1", "http://[::1]:80/"), ("cards", "http://cards:80/")],
)
def test_addresses(host: str, address: str) -> None:
    assert address_of(host, 80) == address
