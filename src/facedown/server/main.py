"""Start of the web server from the command line: listening socket, addresses to print, browser, exit code."""

from __future__ import annotations

import contextlib
import errno
import ipaddress
import socket
import sys
import threading
import webbrowser
from typing import TYPE_CHECKING

from facedown.server.i18n import _
from facedown.server.process.gc_tuning import start_collector_thread
from facedown.store import StoreError
from facedown.store.sqlite_files import lock_database

if TYPE_CHECKING:
    from facedown.server.process.server_settings import ServerSettings

#: Maximum number of connections that wait to be accepted (the backlog of the listening socket).
BACKLOG = 512
#: Seconds that a stopping server waits for open requests and connections to end.
SHUTDOWN_TIMEOUT = 3


class ListenError(RuntimeError):
    """Error: the server cannot listen at the given address or port. The message gives the reason in one line."""


def open_listening_socket(host: str, port: int | None) -> socket.socket:
    """Return a listening socket; for port None or 0, on any free port. Raise `ListenError` if it cannot listen."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # With IPPROTO_TCP set on the socket, asyncio disables Nagle's algorithm, so small answers are sent at once.
    found = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    # Let a restarted server use its old port at once. A port on which another program listens is still refused.
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((host, port or 0))
        found.listen(BACKLOG)
    except OSError as wrong:
        found.close()
        if port and wrong.errno == errno.EADDRINUSE:
            raise ListenError(
                _(
                    "port {port} is already in use: choose another with --port, or leave out --port to get a free one",
                    port=port,
                )
            ) from None
        if port:
            why = _("cannot listen on {host} port {port}: {why}", host=host, port=port, why=wrong.strerror)
        else:
            why = _("cannot listen on {host}: {why}", host=host, why=wrong.strerror)
        raise ListenError(why) from None
    return found


def _is_wildcard_address(host: str) -> bool:
    """Return whether the address means all network interfaces of this machine ("0.0.0.0" or "::")."""
    try:
        return ipaddress.ip_address(host).is_unspecified
    except ValueError:
        return False


def server_url(host: str, port: int) -> str:
    """Return the URL of the server to print and to open in a browser. A wildcard address becomes the loopback address.

    >>> server_url("::", 8000)
    'http://[::1]:8000/'
    """
    shown = f"[{host}]" if ":" in host else host
    if _is_wildcard_address(host):
        shown = "[::1]" if ":" in host else "127.0.0.1"
    return f"http://{shown}:{port}/"


def lan_urls(host: str, port: int) -> list[str]:
    """Return the URLs at which other machines on the network can reach the server.

    The list is empty unless `host` is a wildcard address ("0.0.0.0" or "::"), which means all network interfaces.
    """
    if not _is_wildcard_address(host):
        return []
    families = [(socket.AF_INET, "192.0.2.1")] + ([(socket.AF_INET6, "2001:db8::1")] if ":" in host else [])
    found: list[str] = []
    for family, somewhere in families:
        # Connecting a UDP socket sends nothing: it only selects the local address from which data would be sent. So the
        # remote address (one reserved for documentation) and the port (9, "discard") are never contacted.
        with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as asked:
            asked.connect((somewhere, 9))
            found.append(asked.getsockname()[0])
    with contextlib.suppress(OSError):
        named = socket.getaddrinfo(socket.gethostname(), None, type=socket.SOCK_STREAM)
        found += [str(one[4][0]) for one in named if one[0] in [family for family, _ in families]]
    usable = [text for text in dict.fromkeys(found) if not _is_local_only_address(text)]
    return [server_url(text, port) for text in usable]


def _is_local_only_address(text: str) -> bool:
    """Return whether an address is useless for other machines: loopback, link-local or unspecified (0.0.0.0 or ::)."""
    found = ipaddress.ip_address(text.split("%")[0])
    return found.is_loopback or found.is_link_local or found.is_unspecified


def serve(settings: ServerSettings, open_browser: bool) -> int:
    """Run the server until it is stopped and return the exit code: 0, or 1 if it cannot listen or use its database."""
    from facedown.server.process import logs

    logs.configure_logging(settings.log_form, settings.log_level)
    with contextlib.ExitStack() as held:
        try:
            listening = held.enter_context(open_listening_socket(settings.host, settings.port or None))
            held.enter_context(lock_database(settings.database))
            return _serve_on_socket(settings, listening, open_browser)
        except (ListenError, StoreError) as wrong:
            print(f"facedown: {wrong}", file=sys.stderr)
            return 1


def _serve_on_socket(settings: ServerSettings, listening: socket.socket, open_browser: bool) -> int:
    """Run the server on a listening socket and return the exit code.

    Raise `StoreError` if the database cannot be used.
    """
    from facedown.server.app import create_app
    from facedown.server.http.connection_limits import LimitedConfig
    from facedown.server.http.shutdown_response import GracefulServer

    host = settings.host
    app = create_app(settings.model_copy(update={"warm_up": True}))
    address = server_url(host, listening.getsockname()[1])
    config = LimitedConfig(app, settings, log_config=None, timeout_graceful_shutdown=SHUTDOWN_TIMEOUT)
    server = GracefulServer(config)
    print(_("Facedown is running at {address}", address=address), flush=True)
    if _is_wildcard_address(host):
        others = lan_urls(host, listening.getsockname()[1])
        at = listening.getsockname()[1]
        where = _(" or ").join(others) or _("this machine’s address, port {port}", port=at)
        print(_("Others on your network can reach this server at {where}", where=where), flush=True)
    if open_browser:
        # The browser may send its request before the server runs. The socket is listening already, so the operating
        # system queues the connection, and the server answers once it runs.
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
    start_collector_thread()
    with contextlib.suppress(KeyboardInterrupt):
        server.run(sockets=[listening])
    return 0 if server.started else 1
