"""Fixtures: a server behind a proxy, with or without a path prefix. Continuous integration needs every proxy."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.deploy.proxies import Caddy, Nginx, Proxy, find_program
from tests.nightly_selection import STRICT
from tests.server.http_server import Server, serving

KINDS: dict[str, type[Proxy]] = {"nginx": Nginx, "caddy": Caddy}


def require_programs(*programs: str) -> None:
    """Skip a test if a program is missing. In continuous integration it fails instead."""
    missing = [program for program in programs if find_program(program) is None]
    if missing and not STRICT:
        pytest.skip(f"not installed: {', '.join(missing)}")
    assert not missing, f"not installed: {', '.join(missing)}"


class ProxiedServer:
    def __init__(self, proxy: Proxy, server: Server) -> None:
        self.proxy, self.server = proxy, server
        self.root = proxy.root
        self.at = proxy.origin + proxy.root
        """Address of the server for visitors."""


@pytest.fixture(scope="module", params=[(kind, root) for kind in KINDS for root in ("", "/cards")], ids="".join)
def proxied(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ProxiedServer]:
    """A server behind nginx or Caddy, at the root of its host or below a path."""
    kind, root = request.param
    require_programs(kind, "openssl")
    folder: Path = tmp_path_factory.mktemp("behind")
    with (
        serving(folder, prefix=root, proxies=("127.0.0.1",)) as server,
        KINDS[kind](folder, [server.port], root) as proxy,
    ):
        yield ProxiedServer(proxy, server)
