"""The documentation site, built once for all tests of a process."""

from __future__ import annotations

import functools
import http.server
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Site:
    """A built site."""

    folder: Path
    said: str
    """Output of the build. A warning makes the build fail."""

    def pages(self) -> list[Path]:
        return sorted(self.folder.rglob("*.html"))

    def index(self) -> list[dict[str, Any]]:
        """Return the entries of the search index."""
        text = (self.folder / "search" / "search_index.json").read_text("utf-8")
        found: list[dict[str, Any]] = json.loads(text)["docs"]
        return found


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """The site as ``python -m mkdocs build --strict`` makes it. The processes of a run share one."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    folder, said = shared / "site", shared / "site.txt"
    with FileLock(shared / "site.lock"):
        if not said.exists():
            command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
            quiet = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
            done = subprocess.run(command, cwd=ROOT, env=quiet, capture_output=True, text=True)
            said.write_text(f"{done.returncode}\n{done.stdout}{done.stderr}", "utf-8")
    code, _, told = said.read_text("utf-8").partition("\n")
    assert code == "0", told
    return Site(folder, told)


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *told: Any) -> None:
        """Log nothing."""


@pytest.fixture(scope="session")
def address(site: Site) -> Iterator[str]:
    """The address of the site, which ends in a slash."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Quiet, directory=str(site.folder)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()
    thread.join()
