"""The open tables of a server: those that their hosts have listed for everyone."""

from __future__ import annotations

from contextlib import closing
from urllib.parse import urlencode

from facedown.client import messages as m
from facedown.client.http_requests import ApiClient, normalize_server_url


def open_tables(server: str, game: str = "", *, language: str = "en", patience: float = 10.0) -> m.OpenTableList:
    """Return the open tables of the server with this URL; with `game`, only those of this game.

    Tables that wait for players come first. To play at one of them, pass its link (``table.url``) to `sit`. A failed
    request is retried for up to `patience` seconds.

    Raises:
        ValueError: `server` is not a URL.
        NoAnswer: The server cannot be reached.
        BadAnswer: The answer is not that of a Facedown server.
    """
    with closing(ApiClient(normalize_server_url(server), language=language, patience=patience)) as asking:
        query = f"?{urlencode({'game': game})}" if game else ""
        return asking.ask(m.OpenTableList, "GET", f"open-tables{query}")
