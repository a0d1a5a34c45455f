"""Several server processes behind a proxy: all requests for a table reach the same process as long as it runs."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx
import pytest

from tests.deploy.conftest import KINDS, require_programs
from tests.deploy.proxies import Proxy
from tests.server.http_server import PATIENCE

pytestmark = pytest.mark.nightly

CODES = [f"K7QM{number:04}" for number in range(24)]
#: Ports are random, and with them which process has which code. Rarely, a process has none of the first codes.
FURTHER = [f"K7QM{number:04}" for number in range(24, 200)]
#: Addresses of a table: its page, its connection and the API.
ABOUT = (
    "/t/{}",
    "/t/{}/live",
    "/t/{}/live?lang=de",
    "/api/v1/tables/{}/view",
    "/m/{}",
    "/m/{}.facedown",
    "/m/{}/moment",
)


class Process:
    """A stand-in for a server process that answers with its port."""

    def __init__(self) -> None:
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                own = f"{self.server.server_port} {self.path}".encode()
                self.send_response(200)
                self.send_header("content-length", str(len(own)))
                self.end_headers()
                self.wfile.write(own)

            def log_message(self, *_: object) -> None:
                """Log nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.port = self.server.server_port
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def end(self) -> None:
        """Stop listening on the port."""
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture(params=[(kind, root) for kind in KINDS for root in ("", "/cards")], ids="".join)
def proxied(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Proxy, list[Process]]]:
    kind, root = request.param
    require_programs(kind, "openssl")
    processes = [Process() for _ in range(3)]
    with KINDS[kind](tmp_path, [process.port for process in processes], root) as proxy:
        yield proxy, processes
    for process in processes:
        with contextlib.suppress(OSError):
            process.end()


def test_all_requests_for_a_table_reach_the_same_process_until_it_stops(proxied: tuple[Proxy, list[Process]]) -> None:
    proxy, processes = proxied

    def serves(client: httpx.Client, path: str) -> int:
        answer = client.get(f"{proxy.origin}{proxy.root}{path}")
        assert answer.status_code == 200, answer.text
        port, came = answer.text.split(" ", 1)
        assert came == f"{proxy.root}{path}"
        return int(port)

    with httpx.Client(verify=proxy.trust, timeout=PATIENCE, headers={"X-Table": "mine"}) as ada:
        homes: dict[str, int] = {}
        ports = {process.port for process in processes}
        for code in (*CODES, *FURTHER):
            if len(homes) >= len(CODES) and set(homes.values()) == ports:
                break
            found = {serves(ada, path.format(code)) for path in ABOUT}
            assert len(found) == 1, (code, found)
            homes[code] = found.pop()
        assert set(homes.values()) == ports
        # Requests without a table are served, too.
        serves(ada, "/learn")
        gone = processes[0]
        gone.end()
        for code in homes:
            now = {serves(ada, path.format(code)) for path in ABOUT}
            assert gone.port not in now
            assert len(now) == 1
            if homes[code] != gone.port:
                assert now == {homes[code]}, "who has a process keeps it"
