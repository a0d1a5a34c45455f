"""The web table. `run` starts it, `run_worker` a process that thinks for others.

`facedown.server.app.create_app` makes the application for another runner.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from facedown.server.process.settings import ServerSettings


def run(
    host: str | None = None,
    port: int | None = None,
    data: str | Path | None = None,
    open_browser: bool = True,
    bot_delay: float | None = None,
    config: str | Path | None = None,
) -> int:
    """Serve the table until stopped; returns the exit code.

    What is None is as the file `config` and the environment say (`facedown.server.process.configuration`). `data` is
    a folder, an SQLite file or a database's address; `bot_delay` is how long bots pause before they act, in seconds.
    Settings that cannot hold are answered with one line and exit code 2; a port in use, a database that cannot be
    used, with 1.
    """
    from facedown.server.main import serve

    settings = _settings({"host": host, "port": port, "database": data, "bot_delay": bot_delay}, config)
    return serve(settings, open_browser) if settings else 2


def run_worker(data: str | Path | None = None, config: str | Path | None = None) -> int:
    """Think for the servers on a database until stopped; returns the exit code."""
    settings = _settings({"database": data}, config)
    if settings is None:
        return 2
    from facedown.server.worker import run_worker as think_on

    return think_on(settings)


def _settings(options: Mapping[str, Any], config: str | Path | None) -> ServerSettings | None:
    """The settings that hold; None after one line that says why they cannot."""
    from facedown.server.process.configuration import BadSettings, load

    try:
        return load(options, config).settings
    except BadSettings as wrong:
        print(f"facedown: {wrong}", file=sys.stderr)
        return None
