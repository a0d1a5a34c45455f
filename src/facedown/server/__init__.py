"""The web table. `run` starts it; `facedown.server.app.create_app` makes the application for another runner."""

from __future__ import annotations

from pathlib import Path


def run(
    host: str = "127.0.0.1",
    port: int | None = None,
    data: str | Path | None = None,
    open_browser: bool = True,
    bot_delay: float | None = None,
) -> int:
    """Serve the table until stopped; returns the exit code.

    `port` None takes a free one; one that is in use is answered with one line and exit code 1. `data` is a folder, an
    SQLite file or a database's address (None: the user's data folder). `bot_delay` is how long bots pause before
    they act, in seconds.
    """
    from facedown.server.running import serve

    return serve(host, port, data, open_browser, bot_delay)
