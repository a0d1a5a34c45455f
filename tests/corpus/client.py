"""A live connection to a table: of a browser with its cookies, or of a program with its seat's token."""

from __future__ import annotations

import json
from typing import Any

import httpx
from websockets.sync.client import connect

from tests.server.serving import Server
from tests.wait import PATIENCE


class Live:
    """One WebSocket; used as a context manager."""

    def __init__(self, server: Server, client: httpx.Client, path: str, *, lang: str = "", key: str = "") -> None:
        headers = {
            "Cookie": "; ".join(f"{name}={value}" for name, value in client.cookies.items()),
            "Authorization": f"Bearer {key}" if key else "",
        }
        self._connecting = connect(
            f"ws://127.0.0.1:{server.port}{path}/live{f'?lang={lang}' if lang else ''}",
            additional_headers={name: value for name, value in headers.items() if value},
            origin=server.origin,  # type: ignore[arg-type]
            open_timeout=PATIENCE,
            max_size=None,
            max_queue=None,
            ping_interval=None,
        )

    def __enter__(self) -> Live:
        self._socket = self._connecting.__enter__()
        return self

    def __exit__(self, *wrong: Any) -> None:
        self._connecting.__exit__(*wrong)

    def send(self, **message: Any) -> None:
        """Send a message."""
        self._socket.send(json.dumps(message))

    def next_text(self) -> str:
        """Return the next message as text."""
        return str(self._socket.recv(timeout=PATIENCE))
