"""Messages are packed each by itself: an open line holds no memory for the next one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from websockets.sync.client import connect

from facedown.server.http.connection_limits import WebSocketConnection
from tests.server.serving import PATIENCE, Live, Server, open_table, serving


def packing(server: Server) -> Any:
    """How the messages of the one open line are packed."""
    (line,) = [each for each in server.server.server_state.connections if isinstance(each, WebSocketConnection)]
    (found,) = line.conn.extensions
    return found


def test_a_line_that_waits_holds_no_memory_for_packing(tmp_path: Path) -> None:
    with (
        serving(tmp_path) as server,
        server.client() as client,
        Live(server, client, open_table(client, "open")) as live,
    ):
        live.hello(kind="lobby")
        live.send(type="ping")
        assert live.get("pong")
        found = packing(server)
        assert found.local_no_context_takeover
        assert found.remote_no_context_takeover
        assert not hasattr(found, "encoder")
        assert not hasattr(found, "decoder")


def test_who_does_not_pack_is_served_all_the_same(tmp_path: Path) -> None:
    with serving(tmp_path) as server, server.client() as client:
        url = open_table(client, "open")
        cookies = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
        address, headers = f"ws{server.origin.removeprefix('http')}{url}/live", {"Cookie": cookies}
        origin: Any = server.origin
        with connect(
            address, additional_headers=headers, origin=origin, compression=None, open_timeout=PATIENCE
        ) as line:
            line.send('{"type": "hello", "version": 0}')
            assert '"type":"lobby"' in str(line.recv())
