"""A table behind a proxy, with or without a path of its own. In continuous integration no proxy may be missing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.deploy.proxies import Caddy, Nginx, Proxy, find
from tests.nightly_selection import STRICT
from tests.server.http_server import Server, serving

KINDS: dict[str, type[Proxy]] = {"nginx": Nginx, "caddy": Caddy}


def need(*programs: str) -> None:
    """Skip a test for want of a program, but not in continuous integration."""
    missing = [program for program in programs if find(program) is None]
    if missing and not STRICT:
        pytest.skip(f"not installed: {', '.join(missing)}")
    assert not missing, f"not installed: {', '.join(missing)}"


class Behind:
    def __init__(self, proxy: Proxy, server: Server) -> None:
        self.proxy, self.server = proxy, server
        self.root = proxy.root
        self.at = proxy.origin + proxy.root
        """Where visitors find the table."""


@pytest.fixture(scope="module", params=[(kind, root) for kind in KINDS for root in ("", "/cards")], ids="".join)
def behind(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Behind]:
    """A table behind nginx and Caddy, at the root of its host and below a path."""
    kind, root = request.param
    need(kind, "openssl")
    folder: Path = tmp_path_factory.mktemp("behind")
    with (
        serving(folder, prefix=root, proxies=("127.0.0.1",)) as server,
        KINDS[kind](folder, [server.port], root) as proxy,
    ):
        yield Behind(proxy, server)
