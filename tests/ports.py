"""A reserved port for a program that a test starts: no other program gets it, even if it listens late or repeatedly."""

from __future__ import annotations

import socket


class Port:
    """A port of 127.0.0.1, reserved until it is closed.

    A socket is bound to it and never listens, so the system does not give it to programs that ask for any port. A
    program that names the port may listen there with SO_REUSEADDR, as servers do. While no program listens, connections
    are refused.
    """

    def __init__(self, number: int = 0) -> None:
        """Reserve any free port, or the given one."""
        self._held = socket.socket()
        self._held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._held.bind(("127.0.0.1", number))
        self.number: int = self._held.getsockname()[1]

    def close(self) -> None:
        self._held.close()
