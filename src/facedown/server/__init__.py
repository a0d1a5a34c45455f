"""The web server of Facedown.

`run` starts the server. `run_worker` starts a worker: a process that only computes bots' moves and reviews for servers.

`facedown.server.app.create_app` returns the ASGI application, for use with another ASGI server than uvicorn.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from facedown.server.process.server_settings import ServerSettings


def run(
    host: str | None = None,
    port: int | None = None,
    data: str | Path | None = None,
    open_browser: bool = True,
    bot_delay: float | None = None,
    config: str | Path | None = None,
) -> int:
    """Run the web server until it is stopped and return the exit code.

    An argument that is None takes its value from the configuration file `config` or from an environment variable
    (`facedown.server.process.configuration`).

    * `data`: a folder, an SQLite file or a database URL.
    * `bot_delay`: the pause of a bot before its move, in seconds.

    Return 2 if the settings are invalid, and 1 if the port is in use or the database cannot be used. In both cases,
    print the reason in one line.
    """
    from facedown.server.main import serve

    settings = _settings({"host": host, "port": port, "database": data, "bot_delay": bot_delay}, config)
    return serve(settings, open_browser) if settings else 2


def run_worker(data: str | Path | None = None, config: str | Path | None = None) -> int:
    """Run a worker process for the servers on a database until it is stopped, and return the exit code.

    `data` is the URL of the database, `config` a configuration file. Without them, environment variables count.
    """
    settings = _settings({"database": data}, config)
    if settings is None:
        return 2
    from facedown.server.worker import run_worker as think_on

    return think_on(settings)


def _settings(options: Mapping[str, Any], config: str | Path | None) -> ServerSettings | None:
    """Return the settings. If they are invalid, print the reason in one line and return None."""
    from facedown.server.process.configuration import BadSettings, load_configuration

    try:
        return load_configuration(options, config).settings
    except BadSettings as wrong:
        print(f"facedown: {wrong}", file=sys.stderr)
        return None
